"""The one factory by which a stage becomes a partitioned asset.

Belongs here: what all partitioned assets have in common. A step takes a range of environments; accepted, rejected and
skipped ones are all materialized, each the moment it is done, and what became of it is in its record and its check.
A partition that fails is announced as failed, and the others go on; only a broken world stops the step, after what was
finished has been announced, and is retried.
Does not: any one asset (the modules beside this one), the work itself (the rooms below), what the events say
(`assets.events`).
"""

import logging
import traceback
import warnings
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, aclosing, asynccontextmanager
from functools import partial
from types import SimpleNamespace
from typing import Any, Literal, cast

import dagster as dg
from pydantic import Field

from envfactory_dagster.assets.background import in_background
from envfactory_dagster.assets.ending import Outcome, counted, outcome
from envfactory_dagster.assets.events import CHECK, FAILED, Announcer, partitioned_input, pool_input
from envfactory_dagster.assets.retrying import RETRIES, tried_again
from envfactory_dagster.assets.standing import standing_events
from envfactory_dagster.contracts.errors import (
    ArtifactRejected,
    EnvFactoryError,
    InfrastructureFault,
    PartitionsFailed,
)
from envfactory_dagster.contracts.printable import printable
from envfactory_dagster.contracts.stages import OPTIONAL, Stage, StageDeclaration
from envfactory_dagster.partitions import MOST_IN_A_RUN, environment_keys, environments
from envfactory_dagster.resources.cluster import Workers, in_this_process
from envfactory_dagster.resources.dagster_internals import NO_AUTOMATIC_EVENTS
from envfactory_dagster.resources.store import StoreResource
from envfactory_dagster.store.memo import Made, Make, PartitionFailure, PartitionRecord, make_partition, try_partitions

log = logging.getLogger(__name__)

BATCH = dg.BackfillPolicy.multi_run(max_partitions_per_run=MOST_IN_A_RUN)

CLUSTER = "cluster"
"""The resource that says where the work is done."""

OpenStage = Callable[[Any], AbstractAsyncContextManager[Stage]]
"""From the run's resources to a stage that is ready to run, opened and closed on the step's own event loop."""

StepEvent = dg.AssetMaterialization | dg.AssetCheckEvaluation | dg.MaterializeResult[None] | dg.Output[None]


class StepConfig(dg.Config):
    # As many as requests are sent to models at once. More would mostly wait, and each takes about 3 MB.
    concurrency: int = Field(default=16, ge=1, description="How many environments are worked at at once.")
    redo: bool = Field(
        default=False, description="Ask for what was rejected again, with a fresh seed. What was accepted stays."
    )
    keep: bool = Field(
        default=False,
        description="Keep what was made of the same parents, though code or settings have changed since.",
    )


class LastStepConfig(StepConfig):
    fail_on: Literal["rejected", "none"] = Field(
        default="none", description="`rejected`: where an environment was, the run fails, after everything was saved."
    )


# Partitioned checks and backfill policies are marked as unfinished. Dagster is pinned, and tests hold what we rely on;
# the warnings would be printed for every asset, in every process.
warnings.filterwarnings("ignore", category=dg.PreviewWarning, module=__name__)
warnings.filterwarnings("ignore", category=dg.BetaWarning, message=".*backfill_policy.*")


def stage_asset(
    stage: StageDeclaration,
    open_stage: OpenStage,
    *,
    description: str,
    gate: str,
    group: str,
    drawn_from: Mapping[str, str] | None = None,
    partitions: dg.DynamicPartitionsDefinition = environments,
    after: Sequence[str] = (),
    resources: frozenset[str] = frozenset(),
    kinds: frozenset[str] = frozenset(),
    pool: str | None = None,
    retries: dg.RetryPolicy = RETRIES,
    batch: dg.BackfillPolicy = BATCH,
    spread: bool = True,
    last: bool = False,
) -> dg.AssetsDefinition:
    """The asset of a stage. Needs the resources `store` and `cluster`, and whichever `open_stage` asks for. `gate`
    says what its check asks.

    `drawn_from` names, for records upstream that no partitioned asset makes, the unpartitioned asset that does (a theme
    pool keeps a proposal for every key). Such an asset only grows and must keep one data version: a new one would make
    every partition stale.

    `after` names assets that are partitioned in another way and come first: such an edge is drawn and makes nothing
    stale.

    `spread`: its partitions may be made on the nodes of a Ray cluster; else they are made in the step's process.

    `last`: it ends the line, so its step logs what became of every partition, and may fail the run over it.
    """
    step_config: type[StepConfig] = LastStepConfig if last else StepConfig
    parents = {name: dg.AssetKey((drawn_from or {}).get(name, name)) for name in stage.upstream}
    check = dg.AssetCheckSpec(CHECK, asset=stage.name, partitions_def=partitions, description=gate)

    @dg.asset(
        name=stage.name,
        partitions_def=partitions,
        backfill_policy=batch,
        deps=[*(_dependency(name, asset) for name, asset in parents.items()), *map(edge, after)],
        check_specs=[check],
        code_version=stage.code_version,
        config_schema=step_config.to_fields_dict(),
        required_resource_keys={"store", CLUSTER, *resources},
        description=description,
        group_name=group,
        owners=[f"team:{group}"],
        tags={"line": partitions.name or ""} | ({"uses": pool} if pool else {}),
        kinds=set(kinds),
        pool=pool,
    )
    def step(context: dg.AssetExecutionContext) -> Iterator[StepEvent]:
        config = step_config.model_validate(context.op_execution_context.op_config)
        to_do, some_came_out = _to_do(context)
        announcer = _announcer(context, stage, parents, drawn_from or {}, to_do)
        stage_resources = _for_stages(context.resources, resources)
        open_work = partial(_opened, open_stage, stage_resources, config.redo, config.keep)
        workers = (
            context.resources.cluster.workers(open_work, config.concurrency) if spread else in_this_process(open_work)
        )
        results = partial(_results, workers, to_do, config.concurrency, some_came_out)
        failures: list[PartitionFailure] = []
        with tried_again(context, retries):
            yield from _announced(announcer, in_background(results, ahead=config.concurrency), failures)
            if context.retry_number < retries.max_retries:
                _raise_what_may_pass(failures)
        outcomes = _told(context, stage.name) if last else []
        _raise_if_last(context)
        if isinstance(config, LastStepConfig) and config.fail_on == "rejected":
            _raise_if_rejected(outcomes)
        yield dg.MaterializeResult(metadata={NO_AUTOMATIC_EVENTS: True})
        yield dg.Output(None, output_name=check.get_python_identifier())

    return step


def _dependency(name: str, asset: dg.AssetKey) -> dg.AssetKey | dg.AssetDep:
    """An edge to a source orders the steps and is drawn, and makes nothing stale: a document never changes once it is
    there, and environments that were built before there were sources have nothing to catch up on."""
    if name not in OPTIONAL:
        return asset
    return edge(asset)


def edge(asset: dg.AssetKey | str) -> dg.AssetDep:
    """One that orders steps and is drawn, and makes nothing stale."""
    return dg.AssetDep(asset, partition_mapping=dg.SpecificPartitionsPartitionMapping([]))


async def _results(
    workers: AbstractAsyncContextManager[Workers[str, Made]],
    partitions: Sequence[str],
    room: int,
    some_came_out: bool,
) -> AsyncGenerator[PartitionRecord | PartitionFailure, None]:
    async with workers as opened:
        tried = try_partitions(opened.do, partitions, room * opened.number, some_came_out=some_came_out)
        async with aclosing(tried) as results:
            async for result in results:
                yield result


def _for_stages(resources: Any, names: Collection[str]) -> SimpleNamespace:
    """What stages are opened with, wherever that is: on another node a relative home would be another folder."""
    store = StoreResource(home=str(resources.store.resolved().root))
    return SimpleNamespace(store=store, **{name: getattr(resources, name) for name in names})


@asynccontextmanager
async def _opened(open_stage: OpenStage, resources: Any, redo: bool, keep: bool) -> AsyncIterator[Make]:
    async with open_stage(resources) as stage:
        yield partial(make_partition, resources.store.records(), stage, redo, keep=keep)


def _raise_what_may_pass(failures: Sequence[PartitionFailure]) -> None:
    for failure in failures:
        if isinstance(failure.error, InfrastructureFault):
            raise failure.error


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
        home=str(context.resources.store.resolved().root),
        inputs={
            name: pool_input(context.instance, asset)
            if name in drawn_from
            else partitioned_input(context.instance, asset, partitions)
            for name, asset in parents.items()
        },
    )


def _announced(
    announcer: Announcer,
    batches: Iterator[Sequence[PartitionRecord | PartitionFailure]],
    failures: list[PartitionFailure],
) -> Iterator[StepEvent]:
    """Tell Dagster what became of every partition; those that failed are also added to `failures`."""
    for batch in batches:
        done = [result for result in batch if isinstance(result, PartitionRecord)]
        failed = [result for result in batch if isinstance(result, PartitionFailure)]
        for one in done:
            materialization = announcer.materialization(one.record, reused=one.reused)
            yield materialization
            _forget(materialization)
        yield from announcer.verdicts([one.record for one in done])
        for failure in failed:
            asset = announcer.asset.to_user_string()
            log.error("%s of %s failed: %s", asset, failure.partition, _in_full(failure.error))
            yield announcer.failure(failure.partition, _reason(failure.error))
        failures += failed


def _reason(error: Exception) -> str:
    """What was raised on purpose is a sentence; a defect needs its name. Either may hold what a model said."""
    return printable(str(error) if isinstance(error, EnvFactoryError) else f"{type(error).__name__}: {error}")


def _in_full(error: Exception) -> str:
    """With its traceback where it is a defect."""
    if isinstance(error, EnvFactoryError):
        return _reason(error)
    return printable("".join([f"{error}\n", *traceback.format_exception(error)]))


def _forget(stored: dg.AssetMaterialization) -> None:
    """Dagster keeps a step's events for its hooks until it ends, and the tables in them would be most of what a long
    range needs. They are in the event log by now, and whoever follows the run in this process has been shown them.
    Hooks, and those who keep events to look at later, find the metadata in the log alone."""
    cast("dict[str, Any]", stored.metadata).clear()


def _to_do(context: dg.AssetExecutionContext) -> tuple[list[str], bool]:
    """The partitions of this step for which an earlier attempt has no record, those last that failed then, so that
    they keep no other from its turn. And whether an earlier attempt has announced a record."""
    partitions = list(context.partition_keys)
    if context.retry_number == 0:
        return partitions, False
    failed = {
        partition: bool(reason)
        for (asset, partition), reason in _verdicts_of_run(context).items()
        if asset == context.asset_key
    }
    to_do = [partition for partition in partitions if failed.get(partition, True)]
    return sorted(to_do, key=lambda partition: partition in failed), not all(failed.values())


def _verdicts_of_run(context: dg.AssetExecutionContext) -> dict[tuple[dg.AssetKey, str], str]:
    """Asset and partition → why it failed, by the run's latest word on it; empty when there is a record."""
    found = {}
    evaluated = dg.DagsterEventType.ASSET_CHECK_EVALUATION
    for entry in context.instance.all_logs(context.run.run_id, of_type=evaluated):
        evaluation = entry.get_dagster_event().asset_check_evaluation_data
        failed = evaluation.metadata["status"].value == FAILED
        reason = (evaluation.description or "no reason is known") if failed else ""
        found[evaluation.asset_key, evaluation.partition] = reason
    return found


def _raise_if_last(context: dg.AssetExecutionContext) -> None:
    """End a run in which partitions failed as failed, with the last of its steps: were it an earlier one, Dagster
    would not make the assets downstream for the partitions that did come out."""
    layer = context.job_def.asset_layer
    steps = context.run.step_keys_to_execute
    mine = layer.asset_graph.get(context.asset_key).partitions_def
    for child in layer.asset_graph.get(context.asset_key).child_keys & layer.executable_asset_keys:
        partitioned = layer.asset_graph.get(child).partitions_def == mine
        if partitioned and (steps is None or child.to_python_identifier() in steps):
            return
    failed = [
        f"{asset.to_user_string()} of {partition} ({reason.rstrip('.')})"
        for (asset, partition), reason in _verdicts_of_run(context).items()
        if reason
    ]
    if failed:
        raise PartitionsFailed(f"These failed, and can be asked for again; all others are made: {'; '.join(failed)}.")


def _told(context: dg.AssetExecutionContext, stage: str) -> list[Outcome]:
    """Log what became of every partition. Dagster's own events of it are not shown in a terminal."""
    failures = {partition: why for (_, partition), why in _verdicts_of_run(context).items() if why}
    records = context.resources.store.records()
    outcomes = [outcome(records, stage, one, failures.get(one, "")) for one in context.partition_keys]
    for one in outcomes:
        context.log.info(str(one))
    context.log.info(counted(outcomes))
    for event in standing_events(records, stage, environment_keys(context.instance)):
        context.instance.report_runless_asset_event(event)
    return outcomes


def _raise_if_rejected(outcomes: Sequence[Outcome]) -> None:
    rejected = [one.partition for one in outcomes if one.fate == "rejected"]
    if rejected:
        raise ArtifactRejected(
            f"{counted(outcomes)}. Everything is saved; fail_on is `rejected`: {', '.join(rejected)}"
        )
