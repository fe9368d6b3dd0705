"""The one factory by which a stage becomes a partitioned asset.

Belongs here: what all partitioned assets have in common. A step takes a range of environments; accepted, rejected and
skipped ones are all materialized, each the moment it is done, and what became of it is in its record and its check.
Only a broken world fails the step, after what was finished has been announced, and is retried.
Does not: any one asset (the modules beside this one), the work itself (the rooms below), what the events say
(`assets.events`).
"""

import warnings
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, aclosing
from functools import partial
from typing import Any, cast

import dagster as dg
from dagster._core.definitions.source_asset import SYSTEM_METADATA_KEY_SOURCE_ASSET_OBSERVATION as NO_AUTOMATIC_EVENTS
from pydantic import Field

from envfactory_dagster.assets.background import in_background
from envfactory_dagster.assets.events import CHECK, Announcer, partitioned_input, pool_input
from envfactory_dagster.assets.garbage import collected, seldom_collected
from envfactory_dagster.assets.retrying import RETRIES, tried_again
from envfactory_dagster.contracts.records import StageRecord
from envfactory_dagster.contracts.stages import Stage, StageDeclaration
from envfactory_dagster.partitions import MOST_IN_A_RUN, environments
from envfactory_dagster.store.memo import run_partitions

BATCH = dg.BackfillPolicy.multi_run(max_partitions_per_run=MOST_IN_A_RUN)

OpenStage = Callable[[Any], AbstractAsyncContextManager[Stage]]
"""From the run's resources to a stage that is ready to run, opened and closed on the step's own event loop."""

StepEvent = dg.AssetMaterialization | dg.AssetCheckEvaluation | dg.MaterializeResult[None] | dg.Output[None]


class StepConfig(dg.Config):
    # As many as requests are sent to models at once. More would mostly wait, and each takes about 3 MB.
    concurrency: int = Field(default=16, ge=1, description="How many environments are worked at at once.")


# Partitioned checks and backfill policies are marked as unfinished. Dagster is pinned, and tests hold what we rely on;
# the warnings would be printed for every asset, in every process.
warnings.filterwarnings("ignore", category=dg.PreviewWarning, module=__name__)
warnings.filterwarnings("ignore", category=dg.BetaWarning, message=".*backfill_policy.*")


def stage_asset(
    stage: StageDeclaration,
    open_stage: OpenStage,
    *,
    description: str,
    group: str,
    drawn_from: Mapping[str, str] | None = None,
    resources: frozenset[str] = frozenset(),
    kinds: frozenset[str] = frozenset(),
    pool: str | None = None,
    retries: dg.RetryPolicy = RETRIES,
    batch: dg.BackfillPolicy = BATCH,
) -> dg.AssetsDefinition:
    """The asset of a stage. Needs the resource `store`, and whichever `open_stage` asks for.

    `drawn_from` names, for records upstream that no partitioned asset makes, the unpartitioned asset that does (a theme
    pool keeps a proposal for every key). Such an asset only grows and must keep one data version: a new one would make
    every partition stale.
    """
    parents = {name: dg.AssetKey((drawn_from or {}).get(name, name)) for name in stage.upstream}
    gate = f"{stage.name} passed its gate"
    check = dg.AssetCheckSpec(CHECK, asset=stage.name, partitions_def=environments, description=gate)

    @dg.asset(
        name=stage.name,
        partitions_def=environments,
        backfill_policy=batch,
        deps=list(parents.values()),
        check_specs=[check],
        code_version=stage.code_version,
        required_resource_keys={"store", *resources},
        description=description,
        group_name=group,
        kinds=set(kinds),
        pool=pool,
    )
    def step(context: dg.AssetExecutionContext, config: StepConfig) -> Iterator[StepEvent]:
        partitions = _to_do(context)
        announcer = _announcer(context, stage, parents, drawn_from or {}, partitions)
        records = partial(_records, context.resources, open_stage, partitions, config.concurrency)
        with tried_again(context, retries), seldom_collected():
            yield from _announced(announcer, collected(in_background(records, ahead=config.concurrency)))
        yield dg.MaterializeResult(metadata={NO_AUTOMATIC_EVENTS: True})
        yield dg.Output(None, output_name=check.get_python_identifier())

    return step


async def _records(
    resources: Any, open_stage: OpenStage, partitions: Sequence[str], concurrency: int
) -> AsyncGenerator[StageRecord, None]:
    async with open_stage(resources) as stage:
        async with aclosing(run_partitions(resources.store.records(), stage, partitions, concurrency)) as records:
            async for record in records:
                yield record


def _announcer(
    context: dg.AssetExecutionContext,
    stage: StageDeclaration,
    parents: Mapping[str, dg.AssetKey],
    drawn_from: Mapping[str, str],
    partitions: Sequence[str],
) -> Announcer:
    return Announcer(
        instance=context.instance,
        run_id=context.run.run_id,
        asset=context.asset_key,
        code_version=stage.code_version,
        inputs={
            name: pool_input(context.instance, asset)
            if name in drawn_from
            else partitioned_input(context.instance, asset, partitions)
            for name, asset in parents.items()
        },
    )


def _announced(announcer: Announcer, batches: Iterator[Sequence[StageRecord]]) -> Iterator[StepEvent]:
    for batch in batches:
        for record in batch:
            materialization = announcer.materialization(record)
            yield materialization
            _forget(materialization)
        yield from announcer.verdicts(batch)


def _forget(stored: dg.AssetMaterialization) -> None:
    """Dagster keeps a step's events for its hooks until it ends, and the tables in them would be most of what a long
    range needs. They are in the event log by now, and whoever follows the run in this process has been shown them.
    Hooks, and those who keep events to look at later, find the metadata in the log alone."""
    cast("dict[str, Any]", stored.metadata).clear()


def _to_do(context: dg.AssetExecutionContext) -> list[str]:
    """The partitions of this step that an earlier attempt of it has not announced."""
    partitions = list(context.partition_keys)
    if context.retry_number == 0:
        return partitions
    evaluated = dg.DagsterEventType.ASSET_CHECK_EVALUATION
    announced = set()
    for entry in context.instance.all_logs(context.run.run_id, of_type=evaluated):
        evaluation = entry.get_dagster_event().asset_check_evaluation_data
        if evaluation.asset_key == context.asset_key:
            announced.add(evaluation.partition)
    return [partition for partition in partitions if partition not in announced]
