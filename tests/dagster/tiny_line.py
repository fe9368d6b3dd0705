"""A code location with three tiny real stages, for the tests: letters are opened, counted and summed up.

Its world is the folder TINY_WORLD: `letters/KEY.txt` is what a partition is made of; a line in `work` tells of every
piece of work that was really done; `down/KEY` holds how many more times the world is broken for that partition;
while `hold/STAGE-KEY` exists, that piece of work waits.
"""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import dagster as dg

from envfactory_dagster.assets.stage import OpenStage, stage_asset
from envfactory_dagster.contracts.base import content_hash
from envfactory_dagster.contracts.errors import InfrastructureFault
from envfactory_dagster.contracts.records import Attempt, Problem, StageRecord
from envfactory_dagster.contracts.stages import Stage, StageInput, StageOutcome
from envfactory_dagster.partitions import environments
from envfactory_dagster.resources.cluster import ClusterResource
from envfactory_dagster.resources.store import StoreResource
from envfactory_dagster.store import leases

leases.BEAT_S, leases.LAPSES_AFTER_S = 0.5, 10.0
RETRIES = dg.RetryPolicy(max_retries=2, delay=0)


@dataclass(frozen=True)
class World:
    folder: Path

    def letters(self) -> dict[str, str]:
        return {path.stem: path.read_text() for path in sorted((self.folder / "letters").glob("*.txt"))}

    async def work(self, stage: str, key: str) -> None:
        """Every stage's work begins here."""
        with (self.folder / "work").open("a") as work:
            work.write(f"{stage} {key}\n")
        while (self.folder / "hold" / f"{stage}-{key}").exists():  # noqa: ASYNC110
            await asyncio.sleep(0.02)  # whoever holds it is another process
        down = self.folder / "down" / key
        if down.exists() and (times := int(down.read_text())) > 0:
            down.write_text(str(times - 1))
            raise InfrastructureFault("the endpoint is down")


def the_world() -> World:
    return World(Path(os.environ["TINY_WORLD"]))


@dataclass(frozen=True)
class Opened:
    name: ClassVar[str] = "opened"
    upstream: ClassVar[tuple[str, ...]] = ("letter",)
    code_version: ClassVar[str] = "1"
    world: World

    def settings_hash(self) -> str:
        return ""

    async def make(self, stage_input: StageInput) -> StageOutcome:
        await self.world.work(self.name, stage_input.partition)
        text = stage_input.artifact("letter")["text"].strip()
        if not text.isprintable():
            raise ValueError(text)
        return StageOutcome({"text": text})


@dataclass(frozen=True)
class Counted:
    name: ClassVar[str] = "counted"
    upstream: ClassVar[tuple[str, ...]] = ("opened",)
    code_version: ClassVar[str] = "1"
    world: World

    def settings_hash(self) -> str:
        return ""

    async def make(self, stage_input: StageInput) -> StageOutcome:
        await self.world.work(self.name, stage_input.partition)
        words = stage_input.artifact("opened")["text"].split()
        attempt = Attempt(number=1, tokens_in=len(words), tokens_out=1)
        if "unreadable" in words:
            problem = Problem(fault="answer", message="nobody can read this")
            return StageOutcome(None, [attempt.model_copy(update={"problems": [problem]})], "it is unreadable")
        return StageOutcome({"words": len(words)}, [attempt])


@dataclass(frozen=True)
class Summary:
    name: ClassVar[str] = "summary"
    upstream: ClassVar[tuple[str, ...]] = ("opened", "counted")
    code_version: ClassVar[str] = "1"
    world: World

    def settings_hash(self) -> str:
        return ""

    async def make(self, stage_input: StageInput) -> StageOutcome:
        await self.world.work(self.name, stage_input.partition)
        first = stage_input.artifact("opened")["text"].split()[0]
        return StageOutcome({"summary": f"{first}, {stage_input.artifact('counted')['words']} words"})


def in_the_world(stage: type[Opened] | type[Counted] | type[Summary]) -> OpenStage:
    @asynccontextmanager
    async def open_stage(resources: Any) -> AsyncIterator[Stage]:
        yield stage(the_world())

    return open_stage


@dg.asset(required_resource_keys={"store"})
def letters(context: dg.AssetExecutionContext) -> dg.MaterializeResult[None]:
    """The pool: keeps a record for every letter and adds its key."""
    store = context.resources.store.records()
    texts = the_world().letters()
    for key, text in texts.items():
        made = content_hash(text)
        record = StageRecord(
            stage="letter", partition=key, status="ok", inputs=made, version=made, artifact={"text": text}
        )
        store.keep(record)
    known = set(context.instance.get_dynamic_partitions(environments.name))
    new = [key for key in texts if key not in known]
    context.instance.add_dynamic_partitions(environments.name, new)
    return dg.MaterializeResult(data_version=dg.DataVersion("grows"))


three_at_a_time = dg.BackfillPolicy.multi_run(max_partitions_per_run=3)
line = [
    stage_asset(
        Opened,
        in_the_world(Opened),
        description="The text of a letter.",
        gate="It can be read.",
        group="line",
        drawn_from={"letter": "letters"},
        retries=RETRIES,
        batch=three_at_a_time,
    ),
    stage_asset(
        Counted,
        in_the_world(Counted),
        description="How many words it has.",
        gate="It can be read.",
        group="line",
        retries=RETRIES,
        batch=three_at_a_time,
    ),
    stage_asset(
        Summary,
        in_the_world(Summary),
        description="What it says, in short.",
        gate="It can be read.",
        group="line",
        retries=RETRIES,
        batch=three_at_a_time,
        last=True,
    ),
]

build = dg.define_asset_job("build", selection=dg.AssetSelection.assets(*line))


@dg.sensor(job=build, default_status=dg.DefaultSensorStatus.RUNNING, minimum_interval_seconds=1)
def new_letters(context: dg.SensorEvaluationContext) -> dg.SensorResult | dg.SkipReason:
    """One range run for all keys that start with `sensed` and were not there before."""
    keys = [key for key in context.instance.get_dynamic_partitions(environments.name) if key.startswith("sensed")]
    if not keys or context.cursor == keys[-1]:
        return dg.SkipReason("no new letters")
    tags = {
        "dagster/asset_partition_range_start": keys[0],
        "dagster/asset_partition_range_end": keys[-1],
    }
    return dg.SensorResult([dg.RunRequest(tags=tags)], cursor=keys[-1])


defs = dg.Definitions(
    assets=[letters, *line],
    jobs=[build],
    sensors=[new_letters],
    resources={"store": StoreResource(), "cluster": ClusterResource()},
    executor=dg.in_process_executor,
)
