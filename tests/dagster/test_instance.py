"""The Dagster instance of a home: made ready once, served by one UI at a time, and its event log is Dagster's own."""

import _sqlite3
import ctypes
import gc
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import dagster as dg
import pytest
from dagster._check import CheckError
from dagster._core.storage.event_log import SqliteEventLogStorage
from dagster._core.storage.tags import ASSET_PARTITION_RANGE_END_TAG, ASSET_PARTITION_RANGE_START_TAG

from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.partitions import environments
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


@pytest.mark.parametrize(("host", "is_open"), [("127.0.0.1", False), ("0.0.0.0", True)])
def test_a_ui_that_others_can_reach_says_so(own_home: Home, host: str, is_open: bool) -> None:
    """Refused here, because another one is at work: the warning comes before anything is served."""
    held = claim(prepare(own_home))
    command = [sys.executable, "-c", "from envfactory_dagster.cli import main; main()", "ui", "--host", host]
    told = subprocess.run(command, capture_output=True, text=True, check=False)
    os.close(held)
    assert ("can start runs and spend the budget" in told.stderr) == is_open
    assert told.stdout == ""


def test_a_ui_that_a_script_starts_in_the_background_can_be_ended(own_home: Home) -> None:
    """It begins with SIGINT ignored; Dagster would ignore SIGTERM with it."""
    command = [sys.executable, "-c", "from envfactory_dagster.cli import main; main()", "ui", "--port", "39771"]
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        started = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True)
    finally:
        signal.signal(signal.SIGINT, before)
    try:
        assert started.stdout is not None and b"39771" in started.stdout.readline()
        process = Path(f"/proc/{started.pid}")
        while b"dagster\0dev" not in (process / "cmdline").read_bytes():
            assert started.poll() is None
        [ignored] = [line.split()[1] for line in (process / "status").read_text().splitlines() if "SigIgn" in line]
        assert not int(ignored, 16) & (1 << (signal.SIGINT - 1))
    finally:
        os.killpg(started.pid, signal.SIGKILL)
        started.wait()


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


def test_the_state_of_checks_is_told_where_dagster_s_own_storage_fails(site: Site) -> None:
    """Dagster 1.13.27 does not say where dynamic partitions are found. Once it does, we need not."""
    keys = site.receive(state_1="one")
    site.execute(keys)
    check = dg.AssetCheckKey(dg.AssetKey("summary"), "accepted")
    warm = site.instance.event_log_storage
    assert isinstance(warm, WarmSqliteEventLogStorage)
    assert warm.get_asset_check_state([(check, environments)])[check].subsets
    with pytest.raises(CheckError, match="partition_loading_context"):
        SqliteEventLogStorage.get_asset_check_state(warm, [(check, environments)])


def test_no_event_of_a_plan_stays_in_memory(site: Site) -> None:
    before = _planned_checks()
    site.execute(site.receive(read_1="one", read_2="two"))
    assert _planned_checks() == before


def _planned_checks() -> int:
    """So many events of checks that are planned are in this process."""
    gc.collect()
    alive = [one for one in gc.get_objects() if isinstance(one, dg.DagsterEvent)]
    return sum(one.event_type_value == "ASSET_CHECK_EVALUATION_PLANNED" for one in alive)


def test_a_range_that_is_planned_does_not_stay_in_memory(own_home: Home) -> None:
    """A statement that is kept for later keeps what was bound to it last: the plan of a check, once for each partition
    and with all of them in it."""
    sqlite = ctypes.CDLL(getattr(_sqlite3, "__file__", None))
    if not hasattr(sqlite, "sqlite3_memory_used"):
        pytest.skip("this Python has SQLite built in and does not tell what it holds")
    sqlite.sqlite3_memory_used.restype = ctypes.c_int64
    keys = [f"community-seed-library-{number}" for number in range(300)]
    partitions = dg.StaticPartitionsDefinition(keys)
    check = dg.AssetCheckSpec("accepted", asset="theme", partitions_def=partitions)

    @dg.asset(partitions_def=partitions, check_specs=[check], backfill_policy=dg.BackfillPolicy.single_run())
    def theme() -> Iterator[dg.MaterializeResult[None]]:
        yield dg.MaterializeResult(check_results=[dg.AssetCheckResult(passed=True)])

    job = dg.Definitions([theme], jobs=[dg.define_asset_job("planned")]).resolve_job_def("planned")
    prepare(own_home)
    with dg.DagsterInstance.get() as instance:
        held = []
        for last in (keys[0], keys[-1]):
            tags = {ASSET_PARTITION_RANGE_START_TAG: keys[0], ASSET_PARTITION_RANGE_END_TAG: last}
            run = instance.create_run_for_job(job, tags=tags)
            assert instance.get_run_by_id(run.run_id) is not None
            held.append(sqlite.sqlite3_memory_used())
        one, many = held
        assert one > 0, "SQLite counts"
        assert many - one < 1_000_000


def test_many_runs_do_not_exhaust_open_files(tmp_path: Path) -> None:
    storage = WarmSqliteEventLogStorage(str(tmp_path))
    for number in range(12):
        assert list(storage.get_logs_for_run(f"run-{number}")) == []
    open_files = {os.readlink(path) for path in Path("/proc/self/fd").iterdir() if path.is_symlink()}
    assert len({name for name in open_files if name.startswith(str(tmp_path)) and name.endswith(".db")}) <= 8
    storage.dispose()
    open_files = {os.readlink(path) for path in Path("/proc/self/fd").iterdir() if path.is_symlink()}
    assert not [name for name in open_files if name.startswith(str(tmp_path))]
