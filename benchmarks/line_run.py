"""One run of the line in a process of its own, for `benchmarks.line`: what it took, and how much memory.

    python -m benchmarks.line_run dagster|plain FOLDER [KEY…]

`dagster` is a range run of the seven environment assets; `plain` calls the same stages one after the other for every
key, with the same concurrency, and without Dagster, records, memo, or clearing memory between stages. Both count the
opening of models and sandboxes. Prints one JSON object; `from` and `to` are of the clock that all processes share.
`peaks_rss_mb` is the peak so far after each run; `dagster` makes as many as it takes, of 200 environments at most.
"""

import asyncio
import json
import os
import resource
import sys
import time
from collections.abc import Sequence
from pathlib import Path

CONCURRENCY = 16

Stretch = tuple[float, float]
"""When the work began and when it ended."""


def by_dagster(keys: Sequence[str]) -> tuple[Stretch, list[float]]:
    from envfactory_dagster.assets.environment import LINE
    from envfactory_dagster.commands.runs import execute, home_instance
    from envfactory_dagster.partitions import environment_keys, range_tags, ranges

    quiet = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}
    with home_instance() as instance:
        started, peaks = time.monotonic(), list[float]()
        for stretch in ranges(environment_keys(instance), frozenset(keys)):
            assets = [asset.key for asset in LINE]
            execute(instance, "build_environments", quiet, range_tags(stretch), assets=assets)
            peaks.append(_peak())
        if not peaks:
            sys.exit("None of the keys is a partition of this instance: nothing was built.")
        return (started, time.monotonic()), peaks


async def plainly(folder: Path, keys: Sequence[str]) -> tuple[Stretch, list[float]]:
    from envfactory_dagster.authoring.accounts import AccountedStage
    from envfactory_dagster.authoring.line import environment_stages
    from envfactory_dagster.authoring.settings import AuthoringSettings
    from envfactory_dagster.contracts.base import content_hash
    from envfactory_dagster.contracts.records import StageRecord
    from envfactory_dagster.contracts.stages import Stage, StageInput
    from envfactory_dagster.resources.authoring import AuthoringResource
    from envfactory_dagster.resources.store import StoreResource
    from envfactory_dagster.runtime.runtime import Runtime
    from envfactory_dagster.store.bundles import BundleStore
    from envfactory_dagster.store.home import Home
    from envfactory_dagster.store.records import RecordStore

    home = Home.resolve(folder)
    proposals = {key: RecordStore(home).latest("proposal", key) for key in keys}
    made: dict[tuple[str, str], StageRecord] = {
        ("proposal", key): record for key, record in proposals.items() if record is not None
    }
    room = asyncio.Semaphore(CONCURRENCY)

    async def one(stage: Stage, key: str) -> None:
        parents = {name: made[name, key] for name in stage.upstream if (name, key) in made}
        if len(parents) < len(stage.upstream):
            return
        async with room:
            outcome = await stage.make(StageInput(key, parents))
        if outcome.artifact is not None:
            made[stage.name, key] = StageRecord(
                stage=stage.name,
                partition=key,
                status="ok",
                inputs="plain",
                version=content_hash(outcome.artifact),
                artifact=outcome.artifact,
                attempts=outcome.attempts,
            )

    started = time.monotonic()
    store = StoreResource(home=str(folder))
    async with AuthoringResource().gateway(store) as gateway, Runtime() as runtime:
        for stage in environment_stages(gateway, runtime, AuthoringSettings(), BundleStore(home)):
            accounted = AccountedStage(stage, gateway, store.records())
            await asyncio.gather(*(one(accounted, key) for key in keys))
    return (started, time.monotonic()), [_peak()]


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000


def main() -> None:
    way, folder, *keys = sys.argv[1:]
    os.environ["ENVFACTORY_HOME"] = folder
    (began, ended), peaks = by_dagster(keys) if way == "dagster" else asyncio.run(plainly(Path(folder), keys))
    print(json.dumps({"from": began, "to": ended, "seconds": ended - began, "peaks_rss_mb": peaks}))


if __name__ == "__main__":
    main()
