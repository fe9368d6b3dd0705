"""Figures of the line: what it makes, how much of it is accepted, how fast, and what a second run costs.

    python -m benchmarks.line [--json] [--environments 200] [--faulty 100] [--parts runs,faults,memory]

The full-size worlds of the library are made, and under faults the small ones: the same few under as many keys as are
asked for.

`line_200_s`: a range run of the seven environment assets over 200 of them, by Dagster, in a process of its own.
`orchestration_ms`: what a partition-asset takes more than the same stages called plainly, both run in turns
(`benchmarks.turns`). The start of a run, some seconds, is in it: with few environments it is most of it.
`accepted_rate_faulty`: one fault drawn for 30 % of all answers, an error report mends it with probability 0.7.
`escaped_faults`: of the faults that were injected, the share alive in an accepted environment: what was accepted
differs from what the library holds. `escaped_by_kind` is from a second run in which
every fault is one of artifacts, so that there are enough of each kind: [alive, injected].
`peak_rss_mb_by_run`: the peak after each run where one process makes five times as many, 200 in each run. Only with
`--parts memory`: it takes five times as long as the line.
"""

import argparse
import ast
import asyncio
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from benchmarks.library_home import propose
from benchmarks.turns import in_turns, without_an_instance
from envfactory_dagster.assets.retrying import RETRIES
from envfactory_dagster.authoring.accounts import AccountedStage
from envfactory_dagster.authoring.discovery import ThemePool
from envfactory_dagster.authoring.line import environment_stages
from envfactory_dagster.authoring.settings import AuthoringSettings
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.domain import INITIAL_STATE, Task, TaskSet
from envfactory_dagster.contracts.errors import InfrastructureFault
from envfactory_dagster.contracts.pool import PooledProposal
from envfactory_dagster.contracts.stages import Stage
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.ledger import read_ledger
from envfactory_dagster.language.messages import Role
from envfactory_dagster.language.settings import LanguageSettings, LimitSettings
from envfactory_dagster.library.collection import Library
from envfactory_dagster.library.parts import WHOLE
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.bundles import BundleStore
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.memo import run_partitions
from envfactory_dagster.store.records import RecordStore
from tests.support.faults import FaultyModel, Injected, Profile
from tests.support.model import library_model

STAGES = 7
CONCURRENCY = 16
AS_ASKED = Profile(faults=0.3, repair=0.7, seed=1, timeout=0.05, slow=0.001)
OF_ARTIFACTS = "unknown_column+broken_constraint+wrong_column+missing_where+off_by_one+wrong_owner+exception"
"""Without `infinite_loop`, which costs a deadline each and cannot live in a tool that was called."""

Figures = dict[str, Any]


# -- the line as it is run ---------------------------------------------------------------------------------------------


def measure_runs(folder: Path, environments: int) -> Figures:
    """By Dagster each quarter alone, the whole, the whole again, and then by Dagster and plainly in turns."""
    keys = propose(folder / "dagster", environments, "full")
    _know(folder / "dagster")
    bounds = [environments * part // 4 for part in range(5)]
    quarters = {f"quarter-{first}": keys[first:end] for first, end in pairwise(bounds) if first < end}
    for other in (*quarters, "turns", "plain"):
        shutil.copytree(folder / "dagster", folder / other)
    peaks = [_run("dagster", folder / name, some)["peaks_rss_mb"][-1] for name, some in quarters.items()]
    whole = _run("dagster", folder / "dagster", keys)
    paid = _answers(folder / "dagster")
    again = _run("dagster", folder / "dagster", keys)
    ways = _command("dagster", folder / "turns", keys), _command("plain", folder / "plain", keys)
    by_dagster, plainly = in_turns(ways)
    steps = environments * STAGES
    return {
        "line_200_s": round(whole["seconds"] * 200 / environments, 1),
        "line_in_turns_200_s": round(by_dagster * 200 / environments, 1),
        "plain_in_turns_200_s": round(plainly * 200 / environments, 1),
        "orchestration_ms": round(1000 * (by_dagster - plainly) / steps, 2),
        "peak_rss_mb": round(whole["peaks_rss_mb"][-1], 1),
        "peak_rss_of_its_quarters_mb": [round(peak, 1) for peak in peaks],
        "rerun_calls": _answers(folder / "dagster") - paid,
        "rerun_ms": round(1000 * again["seconds"] / steps, 2),
        **_of_the_bundles(folder / "dagster", keys),
    }


def measure_memory(folder: Path, environments: int) -> Figures:
    keys = propose(folder, 5 * environments, "full")
    _know(folder)
    return {"peak_rss_mb_by_run": [round(peak, 1) for peak in _run("dagster", folder, keys)["peaks_rss_mb"]]}


def _know(folder: Path) -> None:
    """Make the themes partitions, as the asset `theme_pool` does."""
    from envfactory_dagster.commands.runs import home_instance
    from envfactory_dagster.partitions import ENVIRONMENTS

    os.environ["ENVFACTORY_HOME"] = str(folder)
    os.environ.pop("DAGSTER_HOME", None)
    pooled = ThemePool(Home.resolve(folder))
    pooled.refresh()
    with home_instance() as instance:
        instance.add_dynamic_partitions(ENVIRONMENTS, [one.key for one in pooled.taken])


def _run(way: str, folder: Path, keys: Sequence[str]) -> dict[str, Any]:
    done = subprocess.run(
        _command(way, folder, keys), check=True, capture_output=True, text=True, env=without_an_instance()
    )
    said: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return said


def _command(way: str, folder: Path, keys: Sequence[str]) -> list[str]:
    return [sys.executable, "-m", "benchmarks.line_run", way, str(folder), *keys]


def _answers(folder: Path) -> int:
    rows = read_ledger(folder).rows(named=True)
    return sum(row["outcome"] == "answered" and not row["cached"] for row in rows)


def _of_the_bundles(folder: Path, keys: Sequence[str]) -> Figures:
    records = RecordStore(Home.resolve(folder))
    accepted = [key for key in keys if _is_accepted(records, key)]
    bundles = [BundleStore(Home.resolve(folder)).load(key) for key in accepted]
    attempts = _attempts(records, keys)
    return {
        "accepted_rate": round(len(accepted) / len(keys), 4),
        "tables_mean": round(statistics.mean(b.schema_sql.count("CREATE TABLE") for b in bundles), 2),
        "rows_mean": round(statistics.mean(map(_rows_of, bundles)), 1),
        "tools_mean": round(statistics.mean(len(b.tools) for b in bundles), 2),
        "attempts_mean": round(statistics.mean(n for numbers in attempts.values() for n in numbers), 3),
    }


def _rows_of(bundle: Bundle) -> int:
    import apsw

    database = apsw.Connection(":memory:")
    database.deserialize("main", bundle.states[INITIAL_STATE].image)
    names = [name for (name,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
    counts = [database.execute(f"SELECT count(*) FROM {name}").fetchone() for name in names if "sqlite_" not in name]
    return sum(count[0] for count in counts if count is not None)


def _is_accepted(records: RecordStore, key: str) -> bool:
    record = records.latest("environment", key)
    return record is not None and record.status == "ok"


def _attempts(records: RecordStore, keys: Sequence[str]) -> dict[str, list[int]]:
    """Stage → how many attempts each environment took; where a stage asks several questions, the most of any."""
    found: dict[str, list[int]] = defaultdict(list)
    for stage in ("theme", "task_set", "database_schema", "seed_rows", "tool_spec", "server_code"):
        for key in keys:
            record = records.latest(stage, key)
            if record is not None and record.attempts:
                found[stage].append(max(attempt.number for attempt in record.attempts))
    return found


# -- faults ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Faulty:
    """What came of a run under faults."""

    records: RecordStore
    keys: list[str]
    injected: list[Injected]
    alive: Counter[str]


async def under_faults(folder: Path, environments: int, profile: Profile) -> Faulty:
    keys = propose(folder, environments, "small")
    faulty = FaultyModel(library_model(), profile)
    home = Home.resolve(folder)
    records = RecordStore(home)
    language = LanguageSettings(
        base_url="http://library/v1",
        limits=LimitSettings(backoff_s=0.001, timeout_s=30),
        default_model="built-in",
        models={Role.AUTHOR: "library"},
    )
    async with Gateway(language, folder, app=faulty.app()) as gateway, Runtime() as runtime:
        for stage in environment_stages(gateway, runtime, AuthoringSettings(size="small"), BundleStore(home)):
            await _made(records, AccountedStage(stage, gateway, records), keys)
    injected = [one for one in faulty.injected if one.theme in set(keys)]
    alive = Counter(kind for key in keys if _is_accepted(records, key) for kind in _alive(records, key, injected))
    return Faulty(records, keys, injected, alive)


async def _made(records: RecordStore, stage: Stage, keys: Sequence[str]) -> None:
    """Tried again when the endpoint fails for too long, as Dagster does it with a step."""
    for left in reversed(range(RETRIES.max_retries + 1)):
        try:
            async for _ in run_partitions(records, stage, keys, CONCURRENCY):
                pass
            return
        except InfrastructureFault:
            if not left:
                raise


def _alive(records: RecordStore, key: str, injected: Sequence[Injected]) -> Iterator[str]:
    """The kinds of the faults that an accepted environment still has: whatever is not as the author would have it."""
    for schema, place in _differences(records, key):
        mine = [one for one in injected if one.theme == key and one.schema == schema]
        there = [one for one in mine if not place or one.detail.startswith(f"{place}:")]
        yield (there or mine)[-1].kind if mine else "unknown"


def _differences(records: RecordStore, key: str) -> Iterator[tuple[str, str]]:
    """Yield the stage, and for code the function, wherever an accepted artifact differs from the library."""
    proposal = PooledProposal.model_validate(_artifact(records, "proposal", key))
    world = Library().about(proposal.subject)
    assert world is not None
    for stage in ("theme", "database_schema", "tool_spec"):
        made = _artifact(records, stage, key)
        if any(made[name] != value for name, value in world.parts[stage, WHOLE].items()):
            yield stage, ""
    there_are = [Task.model_validate(task) for task in world.parts["task_set", WHOLE]["tasks"]]
    if any(task not in there_are for task in TaskSet.model_validate(_artifact(records, "task_set", key)).tasks):
        yield "task_set", ""
    for state in _artifact(records, "seed_rows", key)["states"]:
        if state["tables"] != world.parts["seed_rows", state["name"]]["tables"]:
            yield "seed_rows", ""
    accepted = _functions(_artifact(records, "server_code", key)["source"])
    for (question, name), part in world.parts.items():
        if question == "server_code" and any(
            accepted.get(function) != text for function, text in _functions(part["source"]).items()
        ):
            yield "server_code", name


def _functions(source: str) -> dict[str, str]:
    return {node.name: ast.unparse(node) for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)}


def _artifact(records: RecordStore, stage: str, key: str) -> dict[str, Any]:
    record = records.latest(stage, key)
    assert record is not None and record.artifact is not None
    return dict(record.artifact)


def measure_faults(folder: Path, environments: int) -> Figures:
    asked = asyncio.run(under_faults(folder / "asked", environments, AS_ASKED))
    only = replace(AS_ASKED, faults=0.6, seed=2, only=OF_ARTIFACTS)
    artifacts = asyncio.run(under_faults(folder / "artifacts", environments, only))
    attempts = {stage: dict(sorted(Counter(n).items())) for stage, n in _attempts(asked.records, asked.keys).items()}
    injected = Counter(one.kind for one in artifacts.injected)
    accepted = [key for key in asked.keys if _is_accepted(asked.records, key)]
    return {
        "accepted_rate_faulty": round(len(accepted) / len(asked.keys), 4),
        "faults_injected": len(asked.injected),
        "escaped_faults": round(asked.alive.total() / len(asked.injected), 4),
        "escaped_as_asked": dict(asked.alive),
        "escaped_by_kind": {kind: [artifacts.alive[kind], number] for kind, number in sorted(injected.items())},
        "escaped_of_artifact_faults": round(artifacts.alive.total() / injected.total(), 4),
        "attempts_under_faults": {stage: _mean(numbers) for stage, numbers in attempts.items()},
        "attempts_distribution": attempts,
    }


def _mean(numbers: Mapping[int, int]) -> float:
    return round(sum(n * times for n, times in numbers.items()) / sum(numbers.values()), 3)


# -- all of it ---------------------------------------------------------------------------------------------------------


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
    parser.add_argument("--environments", type=int, default=200)
    parser.add_argument("--faulty", type=int, default=100)
    parser.add_argument("--parts", default="runs,faults", help="which to measure; timings need a quiet machine")
    arguments = parser.parse_args()
    figures: Figures = {}
    with tempfile.TemporaryDirectory() as folder:
        parts = {
            "runs": lambda: measure_runs(Path(folder), arguments.environments),
            "faults": lambda: measure_faults(Path(folder), arguments.faulty),
            "memory": lambda: measure_memory(Path(folder) / "memory", arguments.environments),
        }
        for part in arguments.parts.split(","):
            figures |= parts[part]()
    if arguments.json:
        print(json.dumps(figures))
    else:
        for name, value in figures.items():
            sys.stdout.write(f"{name:32} {value}\n")


if __name__ == "__main__":
    main()
