"""Many partitions in one instance, for `benchmarks.operations`: what each costs, what Dagster keeps of it, how fast its
pages are.

    python -m benchmarks.many_partitions ours|bare FOLDER PARTITIONS [ASSET…]

Runs a project of `benchmarks.page_projects` over so many partitions, in ranges, and prints one JSON object. Seconds are
of processor time.
"""

import contextlib
import json
import os
import resource
import sqlite3
import statistics
import subprocess
import sys
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

Figures = dict[str, Any]

PROJECTS = ("ours", "bare")
ROUNDS = 7
QUIET = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}
ENTRIES = """metadataEntries { label ... on MarkdownMetadataEntry { mdStr } ... on TextMetadataEntry { text }
  ... on TableMetadataEntry { table { records schema { columns { name } } } }
  ... on JsonMetadataEntry { jsonString } ... on IntMetadataEntry { intValue } }"""
ASSET_PAGES = {
    # What the web server is asked for each page of an asset, reduced to what grows with partitions.
    "partitions": """partitionKeysByDimension { name partitionKeys }
      assetPartitionStatuses { ... on DefaultPartitionStatuses { materializedPartitions failedPartitions } }""",
    "one_partition": f"""staleStatusByPartition(partitions: $one) dataVersionByPartition(partitions: $one)
      assetMaterializations(partitions: $one, limit: 1) {{ timestamp tags {{ key value }} {ENTRIES} }}""",
    "events": f"assetMaterializations(limit: 50) {{ timestamp partition runId {ENTRIES} }}",
    "checks": """assetChecksOrError { ... on AssetChecks { checks { name executionForLatestMaterialization { status }
      partitionStatuses { ... on AssetCheckDefaultPartitionStatuses {
        succeededPartitions failedPartitions skippedPartitions } } } } }""",
}
CATALOG = """query Page { assetNodes { assetKey { path } assetMaterializations(limit: 1) { timestamp runId }
  partitionStats { numMaterialized numFailed numPartitions numMaterializing } } }"""


def queries() -> dict[str, str]:
    found = {"catalog": CATALOG}
    for name, fields in ASSET_PAGES.items():
        given = "$key: AssetKeyInput!, $one: [String!]!" if "$one" in fields else "$key: AssetKeyInput!"
        found[name] = (
            f"query Page({given}) {{ assetNodeOrError(assetKey: $key) {{ ... on AssetNode {{ {fields} }} }} }}"
        )
    return found


def keys_of(partitions: int) -> list[str]:
    return [f"environment-{number:05}" for number in range(partitions)]


@contextlib.contextmanager
def instance_of(project: str, folder: Path) -> Iterator[Any]:
    """With the storage that `envfactory ui` gives its instance; the bare project has the same."""
    import dagster as dg

    from envfactory_dagster.resources.instance import prepare
    from envfactory_dagster.store.home import Home

    home = folder / project
    os.environ |= {"ENVFACTORY_HOME": str(home), "DAGSTER_HOME": str(home / "dagster")}
    prepare(Home.resolve())
    with dg.DagsterInstance.get() as instance:
        yield instance


def run(project: str, folder: Path, partitions: int, assets: list[str]) -> Figures:
    import dagster as dg

    from benchmarks.page_projects import projects
    from envfactory_dagster.partitions import ENVIRONMENTS, range_tags, ranges

    keys = keys_of(partitions)
    job = projects()[project].resolve_implicit_global_asset_job_def()
    chosen = [dg.AssetKey(asset) for asset in assets] or sorted(job.asset_layer.executable_asset_keys)
    seconds, peaks = [], []
    with instance_of(project, folder) as instance:
        instance.add_dynamic_partitions(ENVIRONMENTS, keys)
        for span in ranges(keys, frozenset(keys)):
            began = time.process_time()
            tags = range_tags(span)
            done = job.execute_in_process(run_config=QUIET, instance=instance, tags=tags, asset_selection=chosen)
            assert done.success
            seconds.append(time.process_time() - began)
            peaks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000)
    made = partitions * len(chosen)
    return {
        "partition_assets": made,
        "ms": round(1000 * sum(seconds) / made, 2),
        "ms_of_the_last_run": round(1000 * seconds[-1] / (made / len(seconds)), 2),
        "peak_rss_mb": [round(peaks[0], 1), round(peaks[-1], 1)],
        **_stored(folder / project / "dagster", made),
    }


def _stored(dagster: Path, made: int) -> Figures:
    """`event_kb` is what all machines of a Postgres server store of a partition-asset as text; SQLite keeps it in two
    files, with indexes."""
    runs = dagster / "history" / "runs"
    index = sqlite3.connect(f"file:{runs / 'index.db'}?mode=ro", uri=True)
    (text,) = index.execute("SELECT sum(length(event)) FROM event_logs").fetchone()
    files = sum(file.stat().st_size for file in runs.iterdir())
    index_file = (runs / "index.db").stat().st_size
    return {
        "event_kb": round(text / made / 1000, 2),
        "index_kb": round(index_file / made / 1000, 2),
        "on_disk_kb": round(files / made / 1000, 2),
    }


def measured(project: str, folder: Path, partitions: int, *assets: str) -> Figures:
    command = [sys.executable, "-W", "ignore", "-m", "benchmarks.many_partitions"]
    done = subprocess.run(
        [*command, project, str(folder), str(partitions), *assets], stdout=subprocess.PIPE, check=True, text=True
    )
    said: Figures = json.loads(done.stdout.splitlines()[-1])
    return said


def sensor_tick(project: str, folder: Path) -> float:
    """Seconds for which the sensor looks at keys that were all tried."""
    import dagster as dg

    from envfactory_dagster.partitions import environment_keys
    from envfactory_dagster.resources.store import StoreResource
    from envfactory_dagster.sensors.new_environments import Cursor, new_environments

    with instance_of(project, folder) as instance:
        cursor = Cursor(last_key=environment_keys(instance)[-1]).model_dump_json()
        context = dg.build_sensor_context(instance, cursor, sensor_name=new_environments.name)
        began = time.process_time()
        told = new_environments(context, store=StoreResource())
        seconds = time.process_time() - began
    assert isinstance(told, dg.SensorResult) and not told.run_requests, told
    return round(seconds, 3)


def pages(folder: Path, partitions: int, asset: str) -> Figures:
    """Milliseconds of each page in both projects, asked in turns; the median of the rounds."""
    from dagster._core.test_utils import create_test_daemon_workspace_context
    from dagster._core.workspace.load_target import ModuleTarget
    from dagster_graphql.test.utils import execute_dagster_graphql

    variables = {"key": {"path": [asset]}, "one": [keys_of(partitions)[partitions // 2]]}
    root = str(Path(__file__).parent.parent)
    asked = queries()
    taken: dict[tuple[str, str], list[float]] = {}
    with contextlib.ExitStack() as opened:
        contexts = {}
        for project in PROJECTS:
            instance = opened.enter_context(instance_of(project, folder))
            target = ModuleTarget("benchmarks.page_projects", project, root, project)
            contexts[project] = opened.enter_context(create_test_daemon_workspace_context(target, instance))
        for number in range(ROUNDS + 1):
            for name, query in asked.items():
                for project in PROJECTS if number % 2 else reversed(PROJECTS):
                    began = time.process_time()
                    answer = execute_dagster_graphql(
                        contexts[project].create_request_context(),
                        query,
                        variables={name: value for name, value in variables.items() if f"${name}" in query},
                    )
                    spent = time.process_time() - began
                    assert answer.data and not answer.errors, answer
                    if number:
                        taken.setdefault((name, project), []).append(1000 * spent)
    medians = {which: statistics.median(times) for which, times in taken.items()}
    return {
        name: {project: round(medians[name, project], 1) for project in PROJECTS}
        | {"ratio": round(medians[name, "ours"] / medians[name, "bare"], 2)}
        for name in asked
    }


def main() -> None:
    warnings.simplefilter("ignore")
    project, folder, partitions, *assets = sys.argv[1:]
    print(json.dumps(run(project, Path(folder), int(partitions), assets)))


if __name__ == "__main__":
    main()
