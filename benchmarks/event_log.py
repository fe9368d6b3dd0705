"""What one partition of one asset costs in Dagster's event log, in its own SQLite storage and in ours.

    python -m benchmarks.event_log

A materialization and a check evaluation are stored, and the id of the materialization is looked up, for 100 partitions,
five times in turns; the best time counts. Prints one JSON object with milliseconds for each partition.
"""

import json
import sys
import tempfile
import time
from typing import Any

import dagster as dg

PARTITIONS, ROUNDS = 100, 5
ASSET = dg.AssetKey("theme")


def storage(way: str, folder: str) -> dict[str, Any]:
    if way == "dagster":
        return {}
    named = {"module": "envfactory_dagster.resources.event_log", "class": "WarmSqliteStorage"}
    return {"storage": {"custom": {**named, "config": {"base_dir": folder}}}}


def measure(way: str) -> tuple[float, float]:
    """Processor time and time on the clock."""
    with tempfile.TemporaryDirectory() as folder:
        with dg.DagsterInstance.local_temp(folder, overrides=storage(way, folder)) as instance:
            tell(instance, "the first, which makes the files")
            cpu, clock = time.process_time(), time.perf_counter()
            for number in range(PARTITIONS):
                tell(instance, str(number))
            return (time.process_time() - cpu) / PARTITIONS, (time.perf_counter() - clock) / PARTITIONS


def tell(instance: dg.DagsterInstance, partition: str) -> None:
    instance.report_runless_asset_event(dg.AssetMaterialization(ASSET, partition=partition))
    instance.get_latest_storage_id_by_partition(ASSET, dg.DagsterEventType.ASSET_MATERIALIZATION, {partition})
    instance.report_runless_asset_event(dg.AssetCheckEvaluation(ASSET, "accepted", True, partition=partition))


def main() -> None:
    taken: dict[str, list[tuple[float, float]]] = {"dagster": [], "ours": []}
    for _ in range(ROUNDS):
        for way, times in taken.items():
            times.append(measure(way))
    figures: dict[str, float] = {}
    for way, times in taken.items():
        cpu, clock = zip(*times, strict=True)
        figures |= {f"{way}_cpu_ms": round(1000 * min(cpu), 2), f"{way}_ms": round(1000 * min(clock), 2)}
    sys.stdout.write(json.dumps(figures) + "\n")


if __name__ == "__main__":
    main()
