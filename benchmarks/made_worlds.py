"""Worlds of the library with everything that says what is true of them, made by the real stages.

Belongs here: making them, and reading back what the stages kept and what the library holds. Does not: any figure
(`truth`).
"""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from envfactory_dagster.authoring.accounts import AccountedStage
from envfactory_dagster.authoring.discovery.pool import proposal_record
from envfactory_dagster.authoring.line import environment_stages
from envfactory_dagster.authoring.settings import AuthoringSettings
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.database import Cell
from envfactory_dagster.contracts.domain import Size, Task
from envfactory_dagster.contracts.truth import (
    Dropped,
    GatedVerifier,
    ReferenceSolution,
    RowChange,
    SolutionSet,
    TracedStep,
    VerifierSet,
)
from envfactory_dagster.library.collection import Library
from envfactory_dagster.runtime.facts import Schema, ToolFacts, analyze_tools, load_schema
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.bundles import BundleStore
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.memo import run_partitions
from envfactory_dagster.store.records import RecordStore
from envfactory_dagster.truth.solutions import ReferenceSolutionsStage
from envfactory_dagster.truth.verifiers import VerifiersStage
from tests.support.model import library_gateway

CONCURRENCY = 4
SETTINGS: dict[Size, AuthoringSettings] = {"small": AuthoringSettings(size="small"), "full": AuthoringSettings()}
LIBRARY = Library()

Tables = dict[str, dict[tuple[Cell, ...], dict[str, Cell]]]
"""Table → its rows by primary key."""


@dataclass(frozen=True)
class Made:
    """One environment: its bundle, its solutions, its verifiers, and the tasks that were given up."""

    bundle: Bundle
    solutions: dict[str, ReferenceSolution]
    verifiers: dict[str, GatedVerifier]
    dropped: list[Dropped]

    @property
    def size(self) -> Size:
        return self.bundle.theme.size

    @cached_property
    def schema(self) -> Schema:
        return load_schema(self.bundle.schema_sql)

    @cached_property
    def written(self) -> dict[str, str]:
        """The verifiers as the library holds them, those included that were not accepted."""
        parts = LIBRARY.world(self.bundle.key).parts
        return {task: part["source"] for (question, task), part in parts.items() if question == "verifier"}

    def tables(self, image: bytes) -> Tables:
        connection = sqlite3.connect(":memory:")
        connection.deserialize(image)
        connection.row_factory = sqlite3.Row
        found: Tables = {}
        for table in (table for table in self.schema.tables.values() if not table.is_view):
            rows = [dict(row) for row in connection.execute(f'SELECT * FROM "{table.name}"')]
            found[table.name] = {tuple(row[name] for name in table.primary_key): row for row in rows}
        connection.close()
        return found

    @cached_property
    def _facts(self) -> ToolFacts:
        return analyze_tools(self.bundle.tools_source, self.bundle.schema_sql)

    def tables_of(self, tool: str) -> set[str]:
        """The tables that a tool reads or writes."""
        fact = self._facts.tools[tool]
        return {*fact.reads, *(write.table for write in fact.writes)}

    def task(self, name: str) -> Task:
        return next(task for task in self.bundle.tasks if task.id == name)

    def donors(self, name: str) -> list[TracedStep]:
        """The writes of the other tasks that begin in the same state."""
        state = self.task(name).state
        reading = {tool.name for tool in self.bundle.tools if tool.annotations.readOnlyHint}
        others = [gold for gold in self.solutions.values() if gold.task != name and self.task(gold.task).state == state]
        return [call for gold in others for call in gold.calls if call.outcome == "ok" and call.tool not in reading]


def changes(before: Tables, after: Tables) -> list[RowChange]:
    return [
        RowChange(table=table, key=list(key), before=rows.get(key), after=after[table].get(key))
        for table, rows in before.items()
        for key in [*rows, *(key for key in after[table] if key not in rows)]
        if rows.get(key) != after[table].get(key)
    ]


async def make(folder: Path, count: int, runtime: Runtime) -> tuple[list[Made], dict[str, str]]:
    """Make the first `count` worlds of the library, the small ones first. Return those that were accepted, and the
    reason for each that was rejected."""
    home = Home.resolve(folder)
    records, bundles = RecordStore(home), BundleStore(home)
    cards = sorted(LIBRARY.cards.values(), key=lambda card: card.size == "full")[:count]
    async with library_gateway(folder) as gateway:
        for size, settings in SETTINGS.items():
            proposals = [card.proposal for card in cards if card.size == size]
            for proposal in proposals:
                LIBRARY.copy_documents(proposal.key, home.snapshots)
                records.keep(proposal_record(proposal))
            for stage in [
                *environment_stages(gateway, runtime, settings, bundles),
                ReferenceSolutionsStage(gateway, runtime, settings, bundles),
                VerifiersStage(gateway, runtime, settings, bundles),
            ]:
                accounted, keys = AccountedStage(stage, gateway, records), [one.key for one in proposals]
                async for _ in run_partitions(records, accounted, keys, CONCURRENCY):
                    pass
    return _read(records, bundles, [card.proposal.key for card in cards])


def _read(records: RecordStore, bundles: BundleStore, keys: Sequence[str]) -> tuple[list[Made], dict[str, str]]:
    made, rejected = [], {}
    for key in keys:
        solved, verified = (records.latest(stage, key) for stage in ("reference_solutions", "verifiers"))
        if solved is None or verified is None or solved.artifact is None or verified.artifact is None:
            last = solved if verified is None or (solved is not None and solved.artifact is None) else verified
            rejected[key] = "no record" if last is None else last.reason
            continue
        solutions = SolutionSet.model_validate(solved.artifact)
        verifiers = VerifierSet.model_validate(verified.artifact)
        made.append(
            Made(
                bundles.load(key),
                {gold.task: gold for gold in solutions.solutions},
                {one.verifier.task: one for one in verifiers.verifiers},
                verifiers.dropped,
            )
        )
    return made, rejected
