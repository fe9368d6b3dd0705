"""The tasks of a workspace: families over all its servers, put through the gate that all families pass.

Belongs here: from a workspace and its families to a release, without asking a model. Does not: the bundle without tasks
(`runtime.workspaces`), and what a family has to stand (`families.acceptance`).

A workspace has no line of stages: its release and its tool graph are all its records, and lie where those of
environments lie. So whatever plays, trains on or looks at what was released does the same with it.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

from envfactory_dagster.contracts.base import Json, content_hash
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.families import FamilyRecord, TaskFamily
from envfactory_dagster.contracts.stages import StageInput, StageOutcome
from envfactory_dagster.contracts.synthesis import MadeTask, Release
from envfactory_dagster.contracts.truth import Dropped
from envfactory_dagster.contracts.workspace import Workspace
from envfactory_dagster.runtime.bundle_facts import facts_of
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.runtime.workspaces import workspace_bundle
from envfactory_dagster.store.bundles import BundleStore
from envfactory_dagster.tasks.families.acceptance import TriedFamily, problems_of_module, problems_of_place, try_family
from envfactory_dagster.tasks.families.drawing import STAGE, own_states
from envfactory_dagster.tasks.families.gate import PROVEN_INSTANCES
from envfactory_dagster.tasks.graph.across import workspace_graph
from envfactory_dagster.tasks.graph.stage import ToolGraphStage, shown
from envfactory_dagster.tasks.proof_of_words import WordsProver
from envfactory_dagster.tasks.release import ReleaseStage, Sealing, is_released, played_words

_MADE_BY = 1
"""Raised when workspaces are released in another way, so that they are made anew."""


@dataclass(frozen=True, slots=True)
class WorkspaceTasks:
    """What became of the families of a workspace."""

    bundle: Bundle
    """With a few tasks of each family that was accepted, and the families to draw others from."""
    tasks: list[MadeTask]
    """Those of the bundle."""
    gated: list[MadeTask]
    """All that stood the whole gate, those of the bundle among them."""
    records: list[FamilyRecord] = field(default_factory=list)
    dropped: list[Dropped] = field(default_factory=list)
    """Families that were not accepted, and tasks that did not hold in the end, with the reason."""
    held_back: list[MadeTask] = field(default_factory=list)
    """Tasks whose words were played and not proved."""


async def with_tasks(
    runtime: Runtime,
    bundle: Bundle,
    families: Sequence[TaskFamily],
    instances: int = PROVEN_INSTANCES,
    prover: WordsProver | None = None,
) -> WorkspaceTasks:
    """`instances`: so many of each family are tried. `prover`: who plays the words; None: nobody, and every task is
    released as one that was not played."""
    facts = facts_of(bundle)
    rules = [rule.id for rule in bundle.theme.rules]
    records = list[FamilyRecord]()
    kept, gated, dropped = list[MadeTask](), list[MadeTask](), list[Dropped]()
    try:
        for family in families:
            others = [record.family for record in records]
            problems = problems_of_module(family) or problems_of_place(family, rules, others, [])
            tried = TriedFamily(problems=problems)
            if not problems:
                tried = await try_family(runtime, bundle, family, facts, instances)
            gated += tried.made
            if tried.problems:
                reason = " ".join(one.message for one in tried.problems)
                dropped.append(Dropped(task=family.name, reason=reason, stage=STAGE))
                continue
            records.append(tried.record(family))
            kept += tried.kept()
    finally:
        runtime.retire(bundle)
    sealing = await _sealed(runtime, bundle, kept)
    played = await played_words(prover, ReleaseStage.name, sealing.bundle, sealing.tasks)
    tasks = [one for one in played if is_released(one, prover)]
    held_back = [one for one in played if not is_released(one, prover)]
    sealed = _released(sealing.bundle, tasks, records)
    return WorkspaceTasks(sealed, tasks, gated, records, dropped + sealing.dropped, held_back)


async def _sealed(runtime: Runtime, bundle: Bundle, tasks: Sequence[MadeTask]) -> Sealing:
    """The tasks in the bundle that has their states."""
    states, _ = await own_states(runtime, bundle, {one.task.id: one.own_rows for one in tasks if one.own_rows})
    whole = replace(bundle.with_states(states), tasks=[one.task for one in tasks])
    sealing = Sealing(runtime, whole, mended=False)
    try:
        for one in tasks:
            await sealing.take(one)
    finally:
        runtime.retire(whole)
    return sealing


def _released(bundle: Bundle, tasks: Sequence[MadeTask], records: Sequence[FamilyRecord]) -> Bundle:
    return replace(
        bundle,
        tasks=[one.task for one in tasks],
        solutions={one.task.id: one.solution.source for one in tasks},
        verifiers={one.task.id: one.verifier.verifier.source for one in tasks},
        answer_forms={one.task.id: one.solution.form for one in tasks},
        families={record.family.name: record.family for record in records},
        words={one.task.id: one.words.standing for one in tasks if one.words is not None},
    )


@dataclass(frozen=True, slots=True)
class WorkspaceRelease:
    """The one stage of a workspace. `environments`: the bundles of its servers, by key."""

    runtime: Runtime
    bundles: BundleStore
    workspace: Workspace
    families: Sequence[TaskFamily]
    environments: Mapping[str, Bundle]
    instances: int = PROVEN_INSTANCES
    prover: WordsProver | None = None
    name: ClassVar[str] = ReleaseStage.name
    upstream: ClassVar[tuple[str, ...]] = ()
    code_version: ClassVar[str] = content_hash([_MADE_BY])[:12]

    def settings_hash(self) -> str:
        versions = {key: bundle.version for key, bundle in self.environments.items()}
        families = [family.model_dump(mode="json") for family in self.families]
        prover = None if self.prover is None else self.prover.settings_hash()
        return content_hash([self.workspace.model_dump(mode="json"), families, versions, self.instances, prover])

    async def make(self, stage_input: StageInput) -> StageOutcome:
        bundle = await workspace_bundle(self.runtime, self.workspace, self.environments)
        made = await with_tasks(self.runtime, bundle, self.families, self.instances, self.prover)
        if made.held_back and not made.tasks:
            return StageOutcome(None, reason="no task is left whose words are proved", metadata=_shown(made))
        if not made.tasks:
            reason = made.dropped[0].reason if made.dropped else "it has no task families"
            return StageOutcome(None, reason=f"No task of the workspace stands the gate: {reason}")
        await asyncio.to_thread(self.bundles.keep, made.bundle)
        release = Release(version=made.bundle.version, tasks=made.tasks, held_back=made.held_back, dropped=made.dropped)
        return StageOutcome(release.model_dump(mode="json"), metadata=_shown(made))


@dataclass(frozen=True, slots=True)
class WorkspaceGraph:
    """The tool graph of a released workspace."""

    bundles: BundleStore
    name: ClassVar[str] = ToolGraphStage.name
    upstream: ClassVar[tuple[str, ...]] = (ReleaseStage.name,)
    code_version: ClassVar[str] = content_hash([_MADE_BY])[:12]

    def settings_hash(self) -> str:
        return content_hash([])

    async def make(self, stage_input: StageInput) -> StageOutcome:
        version = stage_input.artifact(ReleaseStage.name)["version"]
        bundle = await asyncio.to_thread(self.bundles.load, stage_input.partition, version)
        graph = workspace_graph(bundle)
        return StageOutcome(graph.model_dump(mode="json"), metadata=shown(graph))


def _shown(made: WorkspaceTasks) -> dict[str, Json]:
    return {
        "version": made.bundle.version[:16],
        "tasks": len(made.tasks),
        "held_back": len(made.held_back),
        "families": [
            {"family": one.family.name, "tried": one.tried, "accepted": one.tried - len(one.dropped)}
            for one in made.records
        ],
        "dropped": [one.model_dump(mode="json") for one in made.dropped],
    }
