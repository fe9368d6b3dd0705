"""Environments of the embedded author with everything that says what is true of them, made by the real stages.

Belongs here: making them without faults, and reading back what the stages kept. Does not: any figure (`truth`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from envfactory_dagster.authoring.discovery import DiscoverySettings, ThemePool, expand_pool
from envfactory_dagster.authoring.line import environment_stages
from envfactory_dagster.authoring.settings import AuthoringSettings
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.truth import (
    Dropped,
    GatedVerifier,
    ReferenceSolution,
    SolutionSet,
    TracedStep,
    VerifierSet,
)
from envfactory_dagster.language.embedded.plan import Plan, plan_for
from envfactory_dagster.language.embedded.tasks import Draft, draft_tasks
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.settings import LanguageSettings
from envfactory_dagster.runtime.facts import Schema, ToolFacts, analyze_tools, load_schema
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.bundles import BundleStore
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.memo import run_partitions
from envfactory_dagster.store.records import RecordStore
from envfactory_dagster.truth.solutions import ReferenceSolutionsStage
from envfactory_dagster.truth.verifiers import VerifiersStage

CONCURRENCY = 4
SETTINGS = AuthoringSettings()


@dataclass(frozen=True)
class Made:
    """One environment: its bundle, its solutions, its verifiers, and the tasks that were given up."""

    bundle: Bundle
    solutions: dict[str, ReferenceSolution]
    verifiers: dict[str, GatedVerifier]
    dropped: list[Dropped]

    @cached_property
    def schema(self) -> Schema:
        return load_schema(self.bundle.schema_sql)

    @cached_property
    def plan(self) -> Plan:
        return plan_for(self.bundle.theme)

    @cached_property
    def drafts(self) -> dict[str, Draft]:
        """What each task was worded from: the author's intent, in steps with goals and facts."""
        return {draft.task.id: draft for draft in draft_tasks(self.plan, list(SETTINGS.states), SETTINGS.tasks)}

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


async def make(folder: Path, count: int, runtime: Runtime) -> tuple[list[Made], dict[str, str]]:
    """Build `count` environments. Return those that were accepted, and the reason for each that was rejected."""
    home = Home.resolve(folder)
    records, bundles = RecordStore(home), BundleStore(home)
    async with Gateway(LanguageSettings(), folder) as gateway:
        pool = ThemePool(home)
        await expand_pool(gateway, pool, count, DiscoverySettings())
        keys = [one.key for one in pool.taken][:count]
        for stage in [
            *environment_stages(gateway, runtime, SETTINGS, bundles),
            ReferenceSolutionsStage(gateway, runtime, SETTINGS, bundles),
            VerifiersStage(gateway, runtime, SETTINGS, bundles),
        ]:
            async for _ in run_partitions(records, stage, keys, CONCURRENCY):
                pass
    return _read(records, bundles, keys)


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
