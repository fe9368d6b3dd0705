"""The tasks of a workspace: families over all its servers, put through the gate that all families pass.

Belongs here: from a workspace and its families to a bundle that can be played, without asking a model. Does not: the
bundle without tasks (`runtime.workspaces`), and what a family has to stand (`families.acceptance`).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.families import FamilyRecord, TaskFamily
from envfactory_dagster.contracts.synthesis import MadeTask
from envfactory_dagster.contracts.truth import Dropped
from envfactory_dagster.runtime.bundle_facts import facts_of
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.tasks.families.acceptance import Tried, problems_of_module, problems_of_place, try_family
from envfactory_dagster.tasks.families.drawing import STAGE, own_states
from envfactory_dagster.tasks.families.gate import PROVEN_INSTANCES


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
    """Families that were not accepted, with the first reason."""


async def with_tasks(
    runtime: Runtime, bundle: Bundle, families: Sequence[TaskFamily], instances: int = PROVEN_INSTANCES
) -> WorkspaceTasks:
    """`instances`: so many of each family are tried."""
    facts = facts_of(bundle)
    rules = [rule.id for rule in bundle.theme.rules]
    accepted: dict[str, FamilyRecord] = {}
    tasks, gated, dropped = list[MadeTask](), list[MadeTask](), list[Dropped]()
    try:
        for family in families:
            others = [record.family for record in accepted.values()]
            problems = problems_of_module(family) or problems_of_place(family, rules, others, [])
            tried = Tried(problems=problems)
            if not problems:
                tried = await try_family(runtime, bundle, family, facts, instances)
            gated += tried.made
            if tried.problems:
                reason = " ".join(one.message for one in tried.problems)
                dropped.append(Dropped(task=family.name, reason=reason, stage=STAGE))
                continue
            accepted[family.name] = tried.record(family)
            tasks += tried.kept()
    finally:
        runtime.retire(bundle)
    records = list(accepted.values())
    return WorkspaceTasks(await _playable(runtime, bundle, tasks, records), tasks, gated, records, dropped)


async def _playable(
    runtime: Runtime, bundle: Bundle, tasks: Sequence[MadeTask], records: Sequence[FamilyRecord]
) -> Bundle:
    states, _ = await own_states(runtime, bundle, {one.task.id: one.own_rows for one in tasks if one.own_rows})
    return replace(
        bundle.with_states(states),
        tasks=[one.task for one in tasks],
        solutions={one.task.id: one.solution.source for one in tasks},
        verifiers={one.task.id: one.verifier.verifier.source for one in tasks},
        answer_forms={one.task.id: one.solution.form for one in tasks},
        families={record.family.name: record.family for record in records},
    )
