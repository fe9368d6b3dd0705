"""One run of a stage in a process of its own: `python -m tests.store.one_run HOME DIARY WAIT PARTITION…`.

Every time the work is really done, a line is added to DIARY. With WAIT it stops in the middle of the work, after the
line, until it is killed.
"""

import asyncio
import os
import sys
from dataclasses import dataclass
from pathlib import Path

from envfactory_dagster.contracts.errors import EnvFactoryError
from envfactory_dagster.contracts.stages import StageInput, StageOutcome
from envfactory_dagster.store import leases
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.memo import run_partitions
from envfactory_dagster.store.records import RecordStore


@dataclass(frozen=True)
class Diary:
    """A stage that writes down what it does, and whose artifact tells which process made it."""

    path: Path
    stop_at: str
    size: int = 1
    name: str = "diary"
    upstream: tuple[str, ...] = ()
    code_version: str = "1"

    def settings_hash(self) -> str:
        return ""

    async def make(self, stage_input: StageInput) -> StageOutcome:
        with self.path.open("a") as diary:
            diary.write(f"{stage_input.partition} {os.getpid()}\n")
        if stage_input.partition == self.stop_at:
            await asyncio.Event().wait()
        return StageOutcome({"made_by": os.getpid(), "text": "x" * self.size})


async def run(home: Home, stage: Diary, partitions: list[str]) -> None:
    async for record in run_partitions(RecordStore(home), stage, partitions, concurrency=1):
        print(record.partition, (record.artifact or {})["made_by"], flush=True)


def main(home: str, diary: str, stop_at: str, size: str, *partitions: str) -> None:
    try:
        leases.BEAT_S, leases.LAPSES_AFTER_S = 0.2, 2.0
        asyncio.run(run(Home.resolve(home), Diary(Path(diary), stop_at, int(size)), list(partitions)))
    except EnvFactoryError as error:
        sys.exit(f"{type(error).__name__}: {error}")


if __name__ == "__main__":
    main(*sys.argv[1:])
