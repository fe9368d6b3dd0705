"""The Dagster instance of a home: made ready once, served by one UI at a time, and its event log is Dagster's own."""

import os
import subprocess
import sys
from pathlib import Path

import dagster as dg
import pytest
from dagster._core.storage.event_log import SqliteEventLogStorage

from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.resources.event_log import WarmSqliteEventLogStorage
from envfactory_dagster.resources.instance import claim, prepare
from envfactory_dagster.store.home import Home
from tests.dagster.site_kit import Site


@pytest.fixture
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    monkeypatch.setenv("DAGSTER_HOME", "")
    monkeypatch.setenv("ENVFACTORY_HOME", str(tmp_path / "home"))
    return Home.resolve()


def test_a_home_gets_a_configuration_that_dagster_understands(own_home: Home) -> None:
    folder = prepare(own_home)
    assert os.environ["DAGSTER_HOME"] == str(folder)
    with dg.DagsterInstance.get() as instance:
        assert isinstance(instance.event_log_storage, WarmSqliteEventLogStorage)
        assert instance.run_monitoring_enabled
        assert instance.run_retries_enabled
        assert not instance.telemetry_enabled
        assert instance.get_concurrency_config().pool_config.default_pool_limit == 8


def test_a_configuration_of_ones_own_stays(own_home: Home) -> None:
    own = prepare(own_home) / "dagster.yaml"
    own.write_text("telemetry: {enabled: false}\n")
    prepare(own_home)
    assert own.read_text() == "telemetry: {enabled: false}\n"


def test_a_second_ui_on_the_same_home_is_refused(own_home: Home) -> None:
    folder = prepare(own_home)
    held = claim(folder)
    with pytest.raises(UsageError, match=rf"another `dagster dev` \(process {os.getpid()}\) is at work on {folder}"):
        claim(folder)
    second = [sys.executable, "-c", "from envfactory_dagster.cli import main; main()", "ui"]
    refused = subprocess.run(second, capture_output=True, text=True, check=False)
    assert refused.returncode == 2
    assert refused.stderr.startswith("envfactory: another `dagster dev`")
    assert refused.stdout == "", "it is not announced"
    os.close(held)
    os.close(claim(folder))


def test_dagster_s_own_storage_reads_the_same_events(site: Site) -> None:
    keys = site.receive(read_1="one", read_2="two")
    run = site.execute(keys).run_id
    warm = site.instance.event_log_storage
    assert isinstance(warm, WarmSqliteEventLogStorage)
    plain = SqliteEventLogStorage(str(Path(warm.path_for_shard(run)).parent))
    assert plain.get_logs_for_run(run) == warm.get_logs_for_run(run)
    materialized = dg.DagsterEventType.ASSET_MATERIALIZATION
    of_one = (dg.AssetKey("summary"), materialized, set(keys))
    assert plain.get_latest_storage_id_by_partition(*of_one) == warm.get_latest_storage_id_by_partition(*of_one)


def test_many_runs_do_not_exhaust_open_files(tmp_path: Path) -> None:
    storage = WarmSqliteEventLogStorage(str(tmp_path))
    for number in range(12):
        assert list(storage.get_logs_for_run(f"run-{number}")) == []
    open_files = {os.readlink(path) for path in Path("/proc/self/fd").iterdir() if path.is_symlink()}
    assert len({name for name in open_files if name.startswith(str(tmp_path)) and name.endswith(".db")}) <= 8
    storage.dispose()
    open_files = {os.readlink(path) for path in Path("/proc/self/fd").iterdir() if path.is_symlink()}
    assert not [name for name in open_files if name.startswith(str(tmp_path))]
