"""One measurement from its first try to its figures, or as far as the endpoint lets it come.

Belongs here: what all benchmarks share: contamination first, every try kept, figures of whole sets only. Does not:
tasks and how they are played (`held_out`), and what figures are (`figures`).
"""

import asyncio
from collections import Counter, defaultdict
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import orjson

from envfactory_dagster.contracts.benchmarks import (
    BenchmarkName,
    BenchmarkResult,
    BenchmarkSetup,
    Contamination,
    MeasuredTask,
    Scores,
    Try,
)
from envfactory_dagster.contracts.errors import InfrastructureFault
from envfactory_dagster.contracts.records import Spent
from envfactory_dagster.datasets.duplicates import RUN, SHORTEST, runs, words
from envfactory_dagster.datasets.splits import TRAINING
from envfactory_dagster.datasets.versions import latest
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.ledger import read_ledger
from envfactory_dagster.language.messages import Caller, Role
from envfactory_dagster.measuring.figures import measured_tasks, scores_of
from envfactory_dagster.measuring.folder import MeasurementFolder
from envfactory_dagster.rollouts.model import GatewayModel
from envfactory_dagster.store.files import open_files
from envfactory_dagster.store.home import Home

_DATASETS = ("sft", "rl")


ASSET = "benchmark_results"
"""On whose account the model is asked."""
ALL, UNCONTAMINATED = "all", "uncontaminated"
_TELLS = 10
"""How often a measurement says how far it is."""


@dataclass(frozen=True, slots=True)
class BenchmarkTask:
    id: str
    category: str
    group: str
    text: str
    """Everything a person says in it."""


@dataclass(frozen=True, slots=True)
class Measuring:
    """A measurement under way, for whoever makes its tries."""

    gateway: Gateway
    people: Gateway
    """To the model that plays simulated persons."""
    folder: MeasurementFolder
    trouble: list[str] = field(default_factory=list)
    """Why tries were spoiled."""

    @property
    def setup(self) -> BenchmarkSetup:
        return self.folder.setup

    def caller(self, role: Role) -> Caller:
        return Caller(ASSET, self.folder.name, role)

    def model(self) -> GatewayModel:
        """Who is measured."""
        how = self.setup.decoding
        return GatewayModel(
            self.gateway,
            self.caller(Role.SOLVER),
            self.setup.model,
            temperature=how.temperature,
            top_p=how.top_p,
            top_k=how.top_k,
        )


class Benchmark(Protocol):
    """Tasks, and whoever can play them."""

    @property
    def name(self) -> BenchmarkName: ...

    @property
    def version(self) -> str: ...

    @property
    def tasks(self) -> Sequence[BenchmarkTask]: ...

    @property
    def missing(self) -> Sequence[str]:
        """Parts of the benchmark that are not measured here."""
        ...

    @property
    def has_conversations(self) -> bool:
        """Whether a person is simulated in some of them."""
        ...

    def play(self, measuring: Measuring, known: Sequence[Try]) -> AsyncGenerator[Try, None]:
        """The tries that are not known yet, as they are made. It ends early where the endpoint does not answer."""
        ...

    def aggregates(self, scores: Mapping[str, float]) -> dict[str, float]:
        """From the mean scores of the categories."""
        ...


async def measure(
    home: Home,
    gateway: Gateway,
    people: Gateway,
    benchmark: Benchmark,
    setup: BenchmarkSetup,
    say: Callable[[str], object],
) -> tuple[BenchmarkResult, Path]:
    """The result and its folder. Raises InfrastructureFault where tries are missing in the end: what was made is kept,
    and gone on from."""
    folder = MeasurementFolder.of(home.local, setup)
    seen = await asyncio.to_thread(contamination, home, {task.id: task.text for task in benchmark.tasks})
    _tell_contamination(seen, len(benchmark.tasks), say)
    async with folder.alone():
        tries, measuring = folder.open(), Measuring(gateway, people, folder)
        wanted = setup.tries * len(benchmark.tasks)
        async with aclosing(benchmark.play(measuring, tuple(tries))) as made:
            async for one in made:
                folder.add(one)
                tries.append(one)
                if len(tries) * _TELLS // wanted > (len(tries) - 1) * _TELLS // wanted:
                    say(f"{len(tries)} of {wanted} tries are made")
        _check_complete(benchmark, measuring, tries)
        tasks = measured_tasks(tries, setup.tries)
        result = BenchmarkResult(
            setup=setup,
            scores=_scores(tasks, seen),
            aggregates=benchmark.aggregates(_means(tasks)),
            missing=list(benchmark.missing),
            contamination=seen,
            spent=spent_on(home, ASSET, folder.name),
        )
        folder.finish(tasks, result)
    return result, folder.path


def _tell_contamination(seen: Contamination, tasks: int, say: Callable[[str], object]) -> None:
    if not seen.compared_with:
        say("This home has no dataset, so that nobody can tell whether its policies have seen these tasks.")
    elif seen.tasks:
        first, row = next(iter(seen.tasks.items()))
        say(f"Of {tasks} tasks {len(seen.tasks)} are among what policies of this home learn from, as {first}: {row}.")


def _check_complete(benchmark: Benchmark, measuring: Measuring, tries: Sequence[Try]) -> None:
    setup = measuring.setup
    made = Counter(one.task for one in tries)
    lacking = {task.id: n for task in benchmark.tasks if (n := setup.tries - made[task.id]) > 0}
    if not lacking:
        return
    why = f": {measuring.trouble[-1]}" if measuring.trouble else ""
    raise InfrastructureFault(
        f"Of {setup.tries * len(benchmark.tasks)} tries of {setup.benchmark} {sum(lacking.values())} are missing, the "
        f"first of {next(iter(lacking))}{why}. No figure is told of a set that is not complete. What was made is kept "
        f"in {measuring.folder.path}, and the same command goes on with it."
    )


def _scores(tasks: Sequence[MeasuredTask], seen: Contamination) -> dict[str, Scores]:
    categories = sorted({one.category for one in tasks})
    found = {category: scores_of([one for one in tasks if one.category == category]) for category in categories}
    found[ALL] = scores_of(tasks)
    clean = [one for one in tasks if one.task not in seen.tasks]
    if clean and len(clean) < len(tasks):
        found[UNCONTAMINATED] = scores_of(clean)
    return found


def _means(tasks: Sequence[MeasuredTask]) -> dict[str, float]:
    categories = {one.category for one in tasks}
    return {
        category: scores_of([one for one in tasks if one.category == category]).score.mean for category in categories
    }


def spent_on(home: Home, asset: str, partition: str) -> Spent:
    """By all runs, as the ledger has it."""
    import polars as pl

    rows = read_ledger(home.root).filter((pl.col("asset") == asset) & (pl.col("partition") == partition))
    asked = rows.filter(~pl.col("cached") & pl.col("tokens_in").is_not_null())
    priced = asked["cost_usd"].null_count() == 0
    return Spent(
        calls=rows.filter(~pl.col("cached")).height,
        reused=rows.filter(pl.col("cached")).height,
        tokens_in=int(asked["tokens_in"].sum()),
        tokens_out=int(asked["tokens_out"].sum()),
        cost_usd=float(asked["cost_usd"].sum()) if priced else None,
    )


def contamination(home: Home, texts: Mapping[str, str]) -> Contamination:
    """`texts`: task → everything that a person says in it. A run of 13 of its words in a row for training is too much;
    of a shorter text, the whole of it."""
    tasks_with: defaultdict[int, defaultdict[tuple[str, ...], list[str]]] = defaultdict(lambda: defaultdict(list))
    for task, text in texts.items():
        if (length := min(RUN, len(words(text)))) >= SHORTEST:
            for run in runs(text, length):
                tasks_with[length][run].append(task)
    versions = {name: version for name in _DATASETS if (version := latest(home, name))}
    found: dict[str, str] = {}
    for dataset, version in versions.items():
        for row, said in _training_texts(home, dataset, version):
            for length, known in tasks_with.items():
                for run in runs(said, length) & known.keys():
                    for task in known[run]:
                        found.setdefault(task, f"{dataset} {row}")
    return Contamination(compared_with=versions, tasks=dict(sorted(found.items())))


def _training_texts(home: Home, dataset: str, version: str) -> Iterator[tuple[str, str]]:
    """Row → what the person says in it."""
    files, folder = open_files(home.datasets), f"{dataset}/{version}/rows"
    for name in files.names(folder):
        if name.endswith(".jsonl"):
            for row in map(orjson.loads, (files.read(f"{folder}/{name}") or b"").splitlines()):
                if row["trace"]["split"] in TRAINING:
                    yield str(row["id"]), _said(row)


def _said(row: Mapping[str, Any]) -> str:
    return "\n".join(str(one["content"]) for one in row["messages"] if one["role"] == "user")
