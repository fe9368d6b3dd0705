"""The alpine huts as they stand before their release: solved, verified and inspected tasks, and tasks made of these."""

from typing import Any

from envfactory_dagster.contracts.base import Artifact, content_hash
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.families import TaskFamilies
from envfactory_dagster.contracts.inspection import ComputedFacts, Inspection, Ratings
from envfactory_dagster.contracts.records import StageRecord
from envfactory_dagster.contracts.synthesis import MadeTask, MadeTasks
from envfactory_dagster.contracts.truth import (
    GatedVerifier,
    ReferenceSolution,
    SolutionSet,
    TaskGate,
    Verifier,
    VerifierSet,
)
from envfactory_dagster.runtime.facts import analyze_tools
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.bundles import BundleStore
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.records import RecordStore
from envfactory_dagster.tasks.authored import authored_tasks
from tests.truth.references import reference

FEW = ("call_it_off", "best_hut_in_reach", "nephew_alone")
Golds = dict[str, ReferenceSolution]


async def golds_of(runtime: Runtime, huts: Bundle, tasks: tuple[str, ...] = FEW) -> Golds:
    return {task.id: await reference(runtime, huts, task) for task in huts.tasks if task.id in tasks}


def gated(task: str, source: str) -> GatedVerifier:
    """A verifier whose trials took place elsewhere."""
    return GatedVerifier(verifier=Verifier(task=task, source=source), gate=TaskGate(task=task, trials=[], passed=True))


def made_tasks(huts: Bundle, golds: Golds) -> dict[str, MadeTask]:
    """The huts' own tasks in the form of all others."""
    verifiers = [gated(task, huts.verifiers[task]) for task in golds]
    facts = analyze_tools(huts.tools_source, huts.schema_sql)
    return {one.task.id: one for one in authored_tasks(huts, golds.values(), verifiers, facts)}


class Standing:
    """A home in which the huts have come as far as their release. What a test gives it stands in place of what the
    stages upstream would have made."""

    def __init__(self, home: Home, huts: Bundle, golds: Golds) -> None:
        self.home, self.huts, self.golds = home, huts, golds
        self.records, self.bundles = RecordStore(home), BundleStore(home)
        self.bundles.keep(huts)
        self.keep("environment", {"version": huts.version})
        self.keep("reference_solutions", SolutionSet(solutions=list(golds.values())))
        self.keep("verifiers", VerifierSet(verifiers=[gated(task, huts.verifiers[task]) for task in golds]))
        self.keep("inspection", inspection(huts))
        for source in ("graph_tasks", "program_tasks", "conversations"):
            self.keep(source, MadeTasks(tasks=[]))
        self.keep("task_families", TaskFamilies(families=[]))

    def keep(self, stage: str, made: Artifact | dict[str, Any]) -> None:
        artifact = made.model_dump(mode="json") if isinstance(made, Artifact) else made
        version = content_hash(artifact)
        record = StageRecord(
            stage=stage, partition=self.huts.key, status="ok", inputs=version, version=version, artifact=artifact
        )
        self.records.keep(record)


def inspection(huts: Bundle, revised_source: str | None = None) -> Inspection:
    nothing: list[str] = []
    return Inspection(
        bundle=huts.version,
        facts=ComputedFacts(
            uses=[],
            dead_tools=nothing,
            untouched_tables=nothing,
            unused_columns=nothing,
            unreachable_values=nothing,
            coverage=1.0,
        ),
        findings=[],
        tests=[],
        tools=[],
        ratings=Ratings(
            task_feasibility=5, data_alignment=5, toolset_completeness=5, reasons={}, bugs=0, blocked_tasks=[]
        ),
        score=1.0,
        passed=True,
        revised_source=revised_source,
    )
