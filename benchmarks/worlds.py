"""Figures of the worlds of the library: how large they are, how different, and what was refused as they were written.

    python -m benchmarks.worlds [--json] [--size small|full] [--home HOME]

All of them are built to their release, without a key, below HOME where one is given: another run goes on there.
`shared_6_word_sequences`: of the sequences of six words in the requests of tasks, the share that occurs in another
world too. `commonest_openings`: the share of tasks that begin with one of the 20 commonest beginnings of three words.
`names_in_many_worlds`: of people, in more than two. `calls_median`, `share_over_20_calls`: of the reference solutions.
`refused_by_stage`: answers of the model that wrote the worlds, and those of them that a gate refused.
"""

import argparse
import asyncio
import json
import re
import statistics
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from benchmarks.library_home import propose
from benchmarks.likeness import distinct_graphs
from envfactory_dagster.contracts.domain import INITIAL_STATE, Size
from envfactory_dagster.contracts.synthesis import MadeTask, Release
from envfactory_dagster.library.collection import Library
from envfactory_dagster.resources.authoring import AuthoringResource
from envfactory_dagster.resources.store import StoreResource
from envfactory_dagster.runtime.facts import load_schema
from envfactory_dagster.runtime.images import read_rows
from envfactory_dagster.store.memo import run_partitions

CONCURRENCY = 2
SEQUENCE = 6
OPENING, MOST_OPENINGS = 3, 20
NAMED_BY = ("full_name", "name", "first_name", "last_name")

Figures = dict[str, Any]


async def built(folder: Path, size: Size, most: int | None = None) -> tuple[dict[str, Release], dict[str, str]]:
    """The releases of all worlds of a size, or of so many, and why a world has none."""
    cards = [card for card in Library().cards.values() if card.size == size][:most]
    keys = propose(folder, len(cards), size)
    store = StoreResource(home=str(folder))
    async with AuthoringResource(size=size).stages(store) as stages:
        for stage in stages.values():
            async for _ in run_partitions(store.records(), stage, keys, CONCURRENCY):
                pass
    releases, rejected = dict[str, Release](), dict[str, str]()
    for key in keys:
        record = store.records().latest("release", key)
        if record is not None and record.artifact is not None:
            releases[key] = Release.model_validate(record.artifact)
        else:
            rejected[key] = "no release" if record is None else record.reason
    return releases, rejected


def figures_of(folder: Path, releases: Mapping[str, Release]) -> Figures:
    """Of the worlds of one size."""
    bundles = [StoreResource(home=str(folder)).bundles().load(key) for key in releases]
    tasks = [task for release in releases.values() for task in release.tasks]
    calls = [len(task.solution.calls) for task in tasks]
    return {
        "worlds": len(releases),
        "categories": len({bundle.theme.category for bundle in bundles}),
        "tables_mean": _mean(bundle.schema_sql.count("CREATE TABLE") for bundle in bundles),
        "tools_mean": _mean(len(bundle.tools) for bundle in bundles),
        "rules_mean": _mean(len(bundle.theme.rules) for bundle in bundles),
        "distinct_schema_graphs": round(distinct_graphs([bundle.schema_sql for bundle in bundles]), 4),
        "tasks_released": len(tasks),
        "tasks_by_source": dict(Counter(task.source for task in tasks)),
        "calls_median": statistics.median(calls),
        "share_over_20_calls": round(sum(number > 20 for number in calls) / len(calls), 4),
        "not_released": {
            key: dict(Counter(one.stage or "release" for one in release.dropped)) for key, release in releases.items()
        },
    }


def words_of(tasks: Mapping[str, list[MadeTask]]) -> Figures:
    """Of the requests of the tasks of all worlds."""
    sequences = {key: {one for task in some for one in _sequences(task.task.text)} for key, some in tasks.items()}
    worlds_of = Counter(one for found in sequences.values() for one in found)
    openings = Counter(" ".join(_words(task.task.text)[:OPENING]) for some in tasks.values() for task in some)
    commonest = sum(number for _, number in openings.most_common(MOST_OPENINGS))
    return {
        "shared_6_word_sequences": round(sum(n > 1 for n in worlds_of.values()) / max(1, len(worlds_of)), 4),
        "commonest_openings": round(commonest / max(1, openings.total()), 4),
    }


def _sequences(text: str) -> set[tuple[str, ...]]:
    words = _words(text)
    return {tuple(words[start : start + SEQUENCE]) for start in range(len(words) - SEQUENCE + 1)}


def _words(text: str) -> list[str]:
    return re.findall(r"[\w'’]+", text.casefold())


def refused_by_stage() -> dict[str, dict[str, int]]:
    """Stage → how many worlds have it, how many attempts that took, and how many of those were refused."""
    counted: dict[str, Counter[str]] = {}
    library = Library()
    for key in library.cards:
        for stage in library.world(key).provenance.stages:
            counted.setdefault(stage.stage, Counter()).update(
                {"worlds": 1, "attempts": stage.attempts, "refused": len(stage.refused)}
            )
    return {stage: dict(numbers) for stage, numbers in counted.items()}


def _mean(numbers: Iterable[int]) -> float:
    return round(statistics.mean(numbers), 2)


def people_of(folder: Path, key: str) -> set[str]:
    """The names in the table of people, which is the first."""
    bundle = StoreResource(home=str(folder)).bundles().load(key)
    table = next(iter(load_schema(bundle.schema_sql).tables.values()))
    columns = [column.name for column in table.columns if column.name in NAMED_BY]
    rows = read_rows(bundle.states[INITIAL_STATE].image, {table.name: columns})[table.name]
    return {" ".join(str(row[column]) for column in columns) for row in rows}


async def measured(sizes: Iterable[Size], folder: Path) -> Figures:
    figures, tasks, people = Figures(), dict[str, list[MadeTask]](), Counter[str]()
    for size in sizes:
        releases, rejected = await built(folder, size)
        figures[size] = figures_of(folder, releases) | {"rejected": rejected}
        people.update(name for key in releases for name in people_of(folder, key))
        tasks |= {key: release.tasks for key, release in releases.items()}
    in_many = {"names_in_many_worlds": sorted(name for name, worlds in people.items() if worlds > 2)}
    return figures | words_of(tasks) | in_many | {"refused_by_stage": refused_by_stage()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print one JSON object on one line")
    parser.add_argument("--size", choices=("small", "full"), help="only worlds of this size")
    parser.add_argument("--home", type=Path, help="where the worlds are, or are to be, built")
    arguments = parser.parse_args()
    sizes: list[Size] = [arguments.size] if arguments.size else ["small", "full"]
    with tempfile.TemporaryDirectory() as scratch:
        figures = asyncio.run(measured(sizes, arguments.home or Path(scratch)))
    print(json.dumps(figures, indent=None if arguments.json else 2))


if __name__ == "__main__":
    main()
