"""Two Dagster projects with the same assets, for `benchmarks.operations`: as this project has them, and bare.

Belongs here: their definitions. Does not: running and asking them.

The assets are those of the line. In `ours` a stage reports what the same stage reported in the records of the home
OPERATIONS_HOME, and makes nothing, so that what is measured is the step, the store and Dagster, with events as large as
real ones. In `bare`, assets do nothing, and the checks pass.
"""

import os
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import dagster as dg

from envfactory_dagster.assets.stage import stage_asset
from envfactory_dagster.contracts.records import StageRecord
from envfactory_dagster.contracts.stages import LINE, SOURCE_DOCUMENT, Stage, StageInput, StageOutcome
from envfactory_dagster.partitions import environments
from envfactory_dagster.resources.cluster import ClusterResource
from envfactory_dagster.resources.store import StoreResource
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.records import RecordStore

RECORDED = "OPERATIONS_HOME"
STAGES = (SOURCE_DOCUMENT, *LINE)


@dataclass(frozen=True)
class Repeated:
    """A stage that says again what it said in a record."""

    name: str
    upstream: tuple[str, ...]
    records: list[StageRecord]
    turn: Iterator[int]
    code_version: str = "1"

    def settings_hash(self) -> str:
        return ""

    async def make(self, stage_input: StageInput) -> StageOutcome:
        record = self.records[next(self.turn) % len(self.records)]
        return StageOutcome({"of": record.version}, list(record.attempts), metadata=record.metadata, spent=record.spent)


def recorded() -> list[Repeated]:
    home = RecordStore(Home.resolve(Path(os.environ[RECORDED])))
    found: list[Repeated] = []
    for name in STAGES:
        records = [record for record in home.records(name) if record.status == "ok"]
        known = {one.name for one in found}
        if records:
            upstream = tuple(parent for parent in records[0].parents if parent in known)
            found.append(Repeated(name, upstream, records, count()))
    return found


def _ours(stage: Repeated) -> dg.AssetsDefinition:
    @asynccontextmanager
    async def opened(resources: Any) -> AsyncIterator[Stage]:
        yield stage

    return stage_asset(stage, opened, description="What is on record.", gate="It is on record.", group="line")


def _bare(stage: Repeated) -> dg.AssetsDefinition:
    check = dg.AssetCheckSpec("accepted", asset=stage.name, partitions_def=environments)

    @dg.asset(
        name=stage.name,
        deps=list(stage.upstream),
        partitions_def=environments,
        backfill_policy=dg.BackfillPolicy.multi_run(200),
        check_specs=[check],
    )
    def asset(context: dg.AssetExecutionContext) -> Iterator[Any]:
        for key in context.partition_keys:
            yield dg.AssetCheckEvaluation(context.asset_key, "accepted", True, partition=key)
        yield dg.MaterializeResult()
        yield dg.Output(None, output_name=check.get_python_identifier())

    return asset


def projects() -> dict[str, dg.Definitions]:
    stages, resources = recorded(), {"store": StoreResource(), "cluster": ClusterResource()}
    return {
        "ours": dg.Definitions([_ours(one) for one in stages], resources=resources, executor=dg.in_process_executor),
        "bare": dg.Definitions([_bare(one) for one in stages], executor=dg.in_process_executor),
    }


if os.environ.get(RECORDED):
    ours, bare = projects().values()
"""What a code server of Dagster loads."""
