"""A whole Dagster deployment in a temporary folder: instance, code server, and its daemons' work done when asked."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from logging import getLogger
from pathlib import Path
from typing import Any

import dagster as dg
from dagster._core.workspace.context import WorkspaceProcessContext
from dagster._daemon.backfill import execute_backfill_iteration
from dagster._daemon.run_coordinator.queued_run_coordinator_daemon import QueuedRunCoordinatorDaemon
from dagster._daemon.sensor import execute_sensor_iteration
from dagster_graphql.test.utils import execute_dagster_graphql

from envfactory_dagster.resources.store import StoreResource
from envfactory_dagster.store.records import RecordStore
from tests.dagster import queries, tiny_line

ASSETS = ("opened", "counted", "summary")
PATIENCE_S = 60.0
RANGE_START, RANGE_END = "dagster/asset_partition_range_start", "dagster/asset_partition_range_end"


def range_tags(keys: Sequence[str]) -> dict[str, str]:
    return {RANGE_START: keys[0], RANGE_END: keys[-1]}


@dataclass(frozen=True)
class Looks:
    """What Dagster shows of one asset in one partition."""

    materializations: int
    data_version: str | None
    check: str
    stale: str


@dataclass(frozen=True)
class Site:
    """What a person with the UI, a terminal and two daemons has in hand."""

    instance: dg.DagsterInstance
    workspace: WorkspaceProcessContext
    world: Path
    location: str

    def store(self) -> RecordStore:
        return StoreResource().records()

    def receive(self, **texts: str) -> list[str]:
        """Letters arrive: the pool takes them in, under keys with hyphens for underscores."""
        keys = [key.replace("_", "-") for key in texts]
        for key, text in zip(keys, texts.values(), strict=True):
            (self.world / "letters" / f"{key}.txt").write_text(text)
        dg.materialize([tiny_line.letters], instance=self.instance, resources={"store": StoreResource()})
        return keys

    def work(self, keys: Sequence[str]) -> list[str]:
        """Every piece of work that was really done for these keys."""
        return [line for line in (self.world / "work").read_text().splitlines() if line.split()[1] in keys]

    @contextmanager
    def held(self, stage: str, key: str) -> Iterator[None]:
        """Meanwhile this piece of work waits in its middle."""
        marker = self.world / "hold" / f"{stage}-{key}"
        marker.touch()
        yield
        marker.unlink()

    def break_down(self, key: str, times: int) -> None:
        (self.world / "down" / key).write_text(str(times))

    def ask(self, query: str, **variables: Any) -> dict[str, Any]:
        context = self.workspace.create_request_context()
        (answer,) = execute_dagster_graphql(context, query, variables=variables).data.values()
        assert isinstance(answer, dict)
        assert "rror" not in answer.get("__typename", ""), answer
        return answer

    def launch(self, tags: dict[str, str], assets: Sequence[str] = ASSETS, job: str = "__ASSET_JOB") -> str:
        """What the Materialize button does. Returns the run's id."""
        selector = {
            "repositoryLocationName": self.location,
            "repositoryName": "__repository__",
            "pipelineName": job,
            "assetSelection": [{"path": [asset]} for asset in assets],
        }
        metadata = {"tags": [{"key": key, "value": value} for key, value in tags.items()]}
        params = {"selector": selector, "mode": "default", "executionMetadata": metadata}
        return str(self.ask(queries.LAUNCH, params=params)["run"]["runId"])

    def execute(
        self, keys: Sequence[str], assets: Sequence[str] = ASSETS, concurrency: int = 16, redo: bool = False
    ) -> dg.ExecuteInProcessResult:
        """The same in this process: nothing but the run itself."""
        job = tiny_line.defs.resolve_implicit_global_asset_job_def()
        selection = [dg.AssetKey(asset) for asset in assets]
        return job.execute_in_process(
            run_config={"ops": {asset: {"config": {"concurrency": concurrency, "redo": redo}} for asset in assets}},
            instance=self.instance,
            tags=range_tags(keys),
            asset_selection=selection,
            raise_on_error=False,
        )

    def backfill(self, keys: Sequence[str], assets: Sequence[str] = ASSETS) -> str:
        params = {"assetSelection": [{"path": [asset]} for asset in assets], "partitionNames": list(keys)}
        return str(self.ask(queries.BACKFILL, params=params)["backfillId"])

    def until(self, condition: Callable[[], object]) -> None:
        """Do what the daemons do until something is true."""
        logger = getLogger("daemons")
        with QueuedRunCoordinatorDaemon(interval_seconds=1) as coordinator:

            def daemons() -> None:
                list(execute_backfill_iteration(self.workspace, logger))
                list(execute_sensor_iteration(self.workspace, logger, None, None))
                list(coordinator.run_iteration(self.workspace))

            wait(condition, daemons)

    def finish(self, run_id: str) -> dg.DagsterRunStatus:
        self.until(lambda: self.run(run_id).is_finished)
        return self.run(run_id).status

    def run(self, run_id: str) -> dg.DagsterRun:
        run = self.instance.get_run_by_id(run_id)
        assert run is not None
        return run

    def looks(self, asset: str, keys: Sequence[str]) -> dict[str, Looks]:
        node = self.ask(queries.ASSET, key={"path": [asset]}, partitions=list(keys))
        (check,) = node["assetChecksOrError"]["checks"]
        statuses = check["partitionStatuses"]
        events = self.events(asset, keys)
        columns = zip(keys, node["dataVersionByPartition"], node["staleStatusByPartition"], strict=True)
        return {
            key: Looks(
                materializations=events.count(key),
                data_version=version,
                check=next((name for name, found in statuses.items() if key in found), "none"),
                stale=stale,
            )
            for key, version, stale in columns
        }

    def events(self, asset: str, keys: Sequence[str]) -> list[str]:
        """The partition of every materialization there ever was of the asset in these partitions."""
        wanted = dg.AssetRecordsFilter(dg.AssetKey(asset), asset_partitions=list(keys))
        records = self.instance.fetch_materializations(wanted, limit=1000).records
        return [str(record.partition_key) for record in records]

    def stale(self, keys: Sequence[str]) -> set[tuple[str, str]]:
        return {
            (asset, key) for asset in ASSETS for key, looks in self.looks(asset, keys).items() if looks.stale != "FRESH"
        }


def wait(condition: Callable[[], object], meanwhile: Callable[[], None] = lambda: None) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < deadline, "it did not come true in time"
        meanwhile()
        time.sleep(0.1)


def set_up(folder: Path) -> dict[str, str]:
    """The environment variables of a site in a folder."""
    world = folder / "world"
    for name in ("letters", "hold", "down"):
        (world / name).mkdir(parents=True)
    (world / "work").touch()
    return {"TINY_WORLD": str(world), "ENVFACTORY_HOME": str(folder / "home"), "DAGSTER_HOME": ""}
