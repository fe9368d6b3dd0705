"""The arena: rounds in which a policy is examined, one partition each.

Belongs here: what each asset is called, shown as, and pooled with. Does not: how it is made (`arena`).
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import dagster as dg

from envfactory_dagster.arena.diagnosis.stage import DiagnosisStage
from envfactory_dagster.arena.richer_worlds import RicherWorldsStage
from envfactory_dagster.arena.round_results import ArenaResultsStage
from envfactory_dagster.arena.round_tasks import ArenaTasksStage
from envfactory_dagster.arena.target_tasks import TargetTasksStage
from envfactory_dagster.assets.pools import MODEL_CALLS, SANDBOXES
from envfactory_dagster.assets.stage import OpenStage, stage_asset
from envfactory_dagster.contracts.stages import Stage, StageDeclaration
from envfactory_dagster.partitions import rounds

GROUP = "arena"
RESOURCES = frozenset({"authoring", "arena"})
ONE_BY_ONE = dg.BackfillPolicy.multi_run(max_partitions_per_run=1)
"""Each round goes on from the one before."""


def of_the_arena(declaration: type[StageDeclaration]) -> OpenStage:
    """Opens a stage among those of the resource `arena`."""

    @asynccontextmanager
    async def open_stage(resources: Any) -> AsyncIterator[Stage]:
        async with resources.arena.stages(resources.store, resources.authoring) as stages:
            yield stages[declaration.name]

    return open_stage


arena_tasks = stage_asset(
    ArenaTasksStage,
    of_the_arena(ArenaTasksStage),
    description="The environments of a round, some of each category, with tasks that nobody has seen.",
    gate="At least one environment has new tasks, each of which stood its trials.",
    group=GROUP,
    partitions=rounds,
    after=["release"],
    resources=RESOURCES,
    kinds=frozenset({"python"}),
    pool=SANDBOXES,
    batch=ONE_BY_ONE,
)

arena_results = stage_asset(
    ArenaResultsStage,
    of_the_arena(ArenaResultsStage),
    description="What a policy passed of the tasks of a round, by environment, category, kind, level and source.",
    gate="At least one episode was played to its end.",
    group=GROUP,
    partitions=rounds,
    resources=RESOURCES,
    kinds=frozenset({"llm", "parquet"}),
    pool=MODEL_CALLS,
    batch=ONE_BY_ONE,
)

diagnosis = stage_asset(
    DiagnosisStage,
    of_the_arena(DiagnosisStage),
    description="Why tasks of a round were failed, where the policy is weak, and what to practise there.",
    gate="What a model says rests on episodes that are there; else what was computed stands.",
    group=GROUP,
    partitions=rounds,
    resources=RESOURCES,
    kinds=frozenset({"llm", "json"}),
    pool=MODEL_CALLS,
    batch=ONE_BY_ONE,
)

richer_worlds = stage_asset(
    RicherWorldsStage,
    of_the_arena(RicherWorldsStage),
    description="Where a guideline says that a world is too poor to practise in: more records out of its documents.",
    gate="What is added stands in the documents, nothing that was there is gone, and the database takes it.",
    group=GROUP,
    partitions=rounds,
    resources=RESOURCES,
    kinds=frozenset({"llm", "sqlite"}),
    pool=MODEL_CALLS,
    batch=ONE_BY_ONE,
)

target_tasks = stage_asset(
    TargetTasksStage,
    of_the_arena(TargetTasksStage),
    description="Fresh tasks that practise what the diagnosis names, as a release with rows that a trainer reads.",
    gate="Each task needs something that a guideline names, stood its trials, and was not played to examine.",
    group=GROUP,
    partitions=rounds,
    resources=RESOURCES,
    kinds=frozenset({"python", "parquet"}),
    pool=SANDBOXES,
    batch=ONE_BY_ONE,
)

ROUND: list[dg.AssetsDefinition] = [arena_tasks, arena_results, diagnosis, richer_worlds, target_tasks]
