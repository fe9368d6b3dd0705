"""The arena: rounds in which a policy is examined, one partition each.

Belongs here: what each asset is called, shown as, and pooled with. Does not: how it is made (`arena`).
"""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import dagster as dg

from envfactory_dagster.arena.diagnosis.stage import DiagnosisStage
from envfactory_dagster.arena.richer_worlds import RicherWorldsStage
from envfactory_dagster.arena.round_results import ArenaResultsStage
from envfactory_dagster.arena.round_tasks import ArenaTasksStage
from envfactory_dagster.arena.target_tasks import TargetTasksStage
from envfactory_dagster.assets.retrying import MODEL_CALLS, SANDBOXES
from envfactory_dagster.assets.stage import stage_asset
from envfactory_dagster.contracts.stages import Stage, StageDeclaration
from envfactory_dagster.partitions import rounds

GROUP = "arena"
ONE_BY_ONE = dg.BackfillPolicy.multi_run(max_partitions_per_run=1)
"""Each round goes on from the one before."""


def round_asset(
    stage: StageDeclaration,
    *,
    description: str,
    gate: str,
    kinds: frozenset[str],
    pool: str,
    after: Sequence[str] = (),
) -> dg.AssetsDefinition:
    """The asset of a stage over rounds. It is made in the step's process: a run takes one round, which cannot be spread
    over several machines, and a trained policy is served on this one."""

    @asynccontextmanager
    async def open_stage(resources: Any) -> AsyncIterator[Stage]:
        async with resources.arena.stages(resources.store, resources.authoring) as stages:
            yield stages[stage.name]

    return stage_asset(
        stage,
        open_stage,
        description=description,
        gate=gate,
        group=GROUP,
        partitions=rounds,
        after=after,
        resources=frozenset({"authoring", "arena"}),
        kinds=kinds,
        pool=pool,
        batch=ONE_BY_ONE,
        spread=False,
    )


arena_tasks = round_asset(
    ArenaTasksStage,
    description="The environments of a round, some of each category, with tasks that nobody has seen.",
    gate="At least one environment has new tasks, each of which stood its trials.",
    after=["release"],
    kinds=frozenset({"python"}),
    pool=SANDBOXES,
)

arena_results = round_asset(
    ArenaResultsStage,
    description="What a policy passed of the tasks of a round, by environment, category, kind, level and source.",
    gate="At least one episode was played to its end.",
    kinds=frozenset({"llm", "parquet"}),
    pool=MODEL_CALLS,
)

diagnosis = round_asset(
    DiagnosisStage,
    description="Why tasks of a round were failed, where the policy is weak, and what to practise there.",
    gate="What a model says rests on episodes that are there; else what was computed stands.",
    kinds=frozenset({"llm", "json"}),
    pool=MODEL_CALLS,
)

richer_worlds = round_asset(
    RicherWorldsStage,
    description="Where a guideline says that a world is too poor to practise in: more records out of its documents.",
    gate="What is added stands in the documents, nothing that was there is gone, and the database takes it.",
    kinds=frozenset({"llm", "sqlite"}),
    pool=MODEL_CALLS,
)

target_tasks = round_asset(
    TargetTasksStage,
    description="Fresh tasks that practise what the diagnosis names, as a release with rows that a trainer reads.",
    gate="Each task needs something that a guideline names, stood its trials, and was not played to examine.",
    kinds=frozenset({"python", "parquet"}),
    pool=SANDBOXES,
)

ROUND: list[dg.AssetsDefinition] = [arena_tasks, arena_results, diagnosis, richer_worlds, target_tasks]
