"""What is relied on of each private name of Dagster: these tests fail first when an upgrade changes it."""

import sys
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import dagster as dg
import pytest
from sqlalchemy.engine import Connection

from envfactory_dagster.resources import dagster_internals as internals
from envfactory_dagster.resources.dagster_internals.storage import DagsterSqliteStorage, SqliteEventLog, put_event_log
from envfactory_dagster.resources.event_log import WarmSqliteEventLogStorage, WarmSqliteStorage
from tests.dagster.site_kit import Site

MADE, USED = dg.AssetKey("made"), dg.AssetKey("used")
KEYS = dg.StaticPartitionsDefinition(["one", "two"])
RANGE = {"dagster/asset_partition_range_start": "one", "dagster/asset_partition_range_end": "two"}
ACCEPTED = dg.AssetCheckKey(MADE, "accepted")


@pytest.fixture
def instance(tmp_path: Path) -> Iterator[dg.DagsterInstance]:
    with dg.DagsterInstance.local_temp(str(tmp_path)) as instance:
        yield instance


def provenance(instance: dg.DagsterInstance, tags: dict[str, str]) -> dg.DataProvenance:
    """What Dagster takes a materialization with these tags to be made from."""
    found = list[dg.DataProvenance | None]()

    @dg.asset
    def reader(context: dg.AssetExecutionContext) -> None:
        found.append(context.get_asset_provenance(MADE))

    instance.report_runless_asset_event(dg.AssetMaterialization(MADE, tags=tags))
    dg.materialize([reader], instance=instance)
    assert found[0] is not None
    return found[0]


def tags_of(instance: dg.DagsterInstance, asset: dg.AssetKey) -> dict[str, str]:
    event = instance.get_latest_materialization_event(asset)
    assert event is not None
    return dict(event.tags or {})


@pytest.fixture
def made(instance: dg.DagsterInstance) -> dict[str, str]:
    """The tags that Dagster itself gives to an asset that is made from another."""

    @dg.asset(key=USED)
    def used() -> dg.MaterializeResult[None]:
        return dg.MaterializeResult(data_version=dg.DataVersion("of-used"))

    @dg.asset(key=MADE, deps=[USED], code_version="3")
    def made() -> dg.MaterializeResult[None]:
        return dg.MaterializeResult(data_version=dg.DataVersion("of-made"))

    assert dg.materialize([used, made], instance=instance).success
    return tags_of(instance, MADE)


def test_data_version_tag_holds_what_the_assets_after_it_take_for_its_version(
    made: dict[str, str], instance: dg.DagsterInstance
) -> None:
    @dg.asset(deps=[MADE])
    def after() -> None:
        """Made from what is told of below."""

    assert made[internals.DATA_VERSION_TAG] == "of-made"
    instance.report_runless_asset_event(dg.AssetMaterialization(MADE, tags={internals.DATA_VERSION_TAG: "ours"}))
    dg.materialize([after], instance=instance)
    assert tags_of(instance, after.key)[internals.get_input_data_version_tag(MADE)] == "ours"


def test_data_version_is_user_provided_tag_is_on_a_version_that_was_named(
    made: dict[str, str], instance: dg.DagsterInstance
) -> None:
    assert made[internals.DATA_VERSION_IS_USER_PROVIDED_TAG] == "true"
    tags = {internals.CODE_VERSION_TAG: "3"}
    assert not provenance(instance, tags).is_user_provided
    assert provenance(instance, {**tags, internals.DATA_VERSION_IS_USER_PROVIDED_TAG: "true"}).is_user_provided


def test_code_version_tag_holds_the_code_version_of_the_asset(
    made: dict[str, str], instance: dg.DagsterInstance
) -> None:
    assert made[internals.CODE_VERSION_TAG] == "3"
    assert provenance(instance, {internals.CODE_VERSION_TAG: "4"}).code_version == "4"


def test_get_input_data_version_tag_names_the_tag_of_an_inputs_version(
    made: dict[str, str], instance: dg.DagsterInstance
) -> None:
    tag = internals.get_input_data_version_tag(USED)
    assert made[tag] == "of-used"
    read = provenance(instance, {internals.CODE_VERSION_TAG: "3", tag: "ours"})
    assert read.input_data_versions == {USED: dg.DataVersion("ours")}


def test_get_input_event_pointer_tag_names_the_tag_of_the_event_that_was_read(
    made: dict[str, str], instance: dg.DagsterInstance
) -> None:
    tag = internals.get_input_event_pointer_tag(USED)
    (read,) = instance.fetch_materializations(USED, limit=1).records
    assert made[tag] == str(read.storage_id)
    pointing = {
        internals.CODE_VERSION_TAG: "3",
        internals.get_input_data_version_tag(USED): "ours",
        tag: "17",
    }
    assert provenance(instance, pointing).input_storage_ids == {USED: 17}


def test_null_data_version_says_that_an_input_was_not_there(site: Site) -> None:
    """And so the asset is as it should be until the input is there."""
    keys = site.receive(null_1="one")
    opened = dg.AssetKey("opened")
    tags = {
        internals.DATA_VERSION_TAG: "ours",
        internals.CODE_VERSION_TAG: "1",
        internals.get_input_data_version_tag(opened): internals.NULL_DATA_VERSION.value,
        internals.get_input_event_pointer_tag(opened): "-1",
    }
    site.instance.report_runless_asset_event(dg.AssetMaterialization("counted", partition=keys[0], tags=tags))
    assert site.looks("counted", keys)[keys[0]].stale == "FRESH"
    site.execute(keys, ["opened"])
    assert site.looks("counted", keys)[keys[0]].stale == "STALE"


def test_no_automatic_events_leaves_the_events_of_a_range_to_the_step(instance: dg.DagsterInstance) -> None:
    @dg.asset(key=MADE, partitions_def=KEYS, backfill_policy=dg.BackfillPolicy.single_run())
    def made() -> Iterator[dg.AssetMaterialization | dg.MaterializeResult[None]]:
        yield dg.AssetMaterialization(MADE, partition="two")
        yield dg.MaterializeResult(metadata={internals.NO_AUTOMATIC_EVENTS: True})

    @dg.asset(deps=[MADE])
    def after() -> None:
        """Runs although the step before it has told of no result."""

    job = dg.Definitions([made, after], jobs=[dg.define_asset_job("both", [made, after])]).resolve_job_def("both")
    result = job.execute_in_process(instance=instance, tags=RANGE)
    told = [event.materialization for event in result.get_asset_materialization_events()]
    assert [(one.asset_key.to_user_string(), one.partition) for one in told] == [("made", "two"), ("after", None)]


def test_asset_check_evaluation_target_materialization_data_says_which_materialization_is_judged(
    instance: dg.DagsterInstance,
) -> None:
    def current() -> set[str | None]:
        infos = instance.event_log_storage.get_asset_check_partition_info([ACCEPTED])
        return {info.partition_key for info in infos if info.is_current}

    def make(partition: str) -> int:
        instance.report_runless_asset_event(dg.AssetMaterialization(MADE, partition=partition))
        (record,) = instance.fetch_materializations(MADE, limit=1).records
        return record.storage_id

    def judge(partition: str, materialization: int) -> None:
        target = internals.AssetCheckEvaluationTargetMaterializationData(
            storage_id=materialization, run_id="a-run", timestamp=0.0
        )
        instance.report_runless_asset_event(
            dg.AssetCheckEvaluation(MADE, "accepted", True, partition=partition, target_materialization_data=target)
        )

    first, second = make("one"), make("two")
    judge("one", first)
    judge("two", second)
    assert current() == {"one", "two"}
    make("one")
    assert current() == {"two"}


def test_dagster_pipes_execution_error_ends_with_the_exit_status() -> None:
    @dg.asset
    def process(context: dg.AssetExecutionContext) -> dg.MaterializeResult[None]:
        command = [sys.executable, "-c", "raise SystemExit(6)"]
        with pytest.raises(internals.DagsterPipesExecutionError, match=r"code 6$"):
            dg.PipesSubprocessClient().run(context=context, command=command)
        return dg.MaterializeResult()

    assert dg.materialize([process]).success


def test_serializable_error_info_names_the_class_and_the_cause() -> None:
    @dg.asset
    def broken() -> None:
        try:
            raise KeyError("the cause")
        except KeyError as error:
            raise ValueError("the outcome") from error

    result = dg.materialize([broken], raise_on_error=False)
    error = result.failure_data_for_node("broken")
    assert error is not None
    info = error.error
    names = list[str | None]()
    while info is not None:
        assert isinstance(info, internals.SerializableErrorInfo)
        names.append(info.cls_name)
        info = info.cause
    assert names == ["DagsterExecutionStepExecutionError", "ValueError", "KeyError"]


def test_sqlite_event_log_storage_goes_through_connect_for_every_file(tmp_path: Path) -> None:
    """Which is what `resources.event_log` replaces."""
    asked = list[str]()

    class Watched(SqliteEventLog):
        def connected(self, shard: str) -> AbstractContextManager[Connection]:
            asked.append(shard)
            return super().connected(shard)

    storage = Watched(str(tmp_path))
    assert list(storage.get_logs_for_run("a-run")) == []
    assert list(storage.all_asset_keys()) == []
    assert set(asked) == {"a-run", "index"}


class WatchedEventLog(SqliteEventLog):
    planned = 0

    def checks_were_planned(self) -> None:
        self.planned += 1


class WatchedStorage(WarmSqliteStorage):
    def __init__(self, base_dir: str, inst_data: internals.ConfigurableClassData | None = None) -> None:
        super().__init__(base_dir, inst_data)
        put_event_log(self, WatchedEventLog(f"{base_dir}/history/runs"))


def test_checks_were_planned_is_called_once_for_a_range(tmp_path: Path) -> None:
    check = dg.AssetCheckSpec(ACCEPTED.name, asset=MADE, partitions_def=KEYS)

    @dg.asset(key=MADE, partitions_def=KEYS, check_specs=[check], backfill_policy=dg.BackfillPolicy.single_run())
    def made() -> Iterator[dg.MaterializeResult[None]]:
        yield dg.MaterializeResult(check_results=[dg.AssetCheckResult(passed=True)])

    job = dg.Definitions([made], jobs=[dg.define_asset_job("planned")]).resolve_job_def("planned")
    storage = {"module": __name__, "class": WatchedStorage.__name__, "config": {"base_dir": str(tmp_path)}}
    with dg.DagsterInstance.local_temp(str(tmp_path), overrides={"storage": {"custom": storage}}) as instance:
        instance.create_run_for_job(job, tags=RANGE)
        event_log = instance.event_log_storage
        assert isinstance(event_log, WatchedEventLog)
        assert event_log.planned == 1


def test_lock_is_held_while_a_file_is_used(tmp_path: Path) -> None:
    storage = SqliteEventLog(str(tmp_path))
    entered = threading.Event()

    def use() -> None:
        list(storage.all_asset_keys())
        entered.set()

    with storage.lock:
        user = threading.Thread(target=use)
        user.start()
        assert not entered.is_set()
    user.join()
    assert entered.is_set()


def test_dagster_sqlite_storage_keeps_everything_below_one_folder(tmp_path: Path) -> None:
    plain = DagsterSqliteStorage.from_local(str(tmp_path / "plain"))
    warm = WarmSqliteStorage.from_config_value(None, {"base_dir": str(tmp_path / "warm")})
    assert isinstance(warm.event_log_storage, WarmSqliteEventLogStorage)
    assert type(warm.run_storage) is type(plain.run_storage)
    assert type(warm.schedule_storage) is type(plain.schedule_storage)
    files = [sorted(str(path.relative_to(folder)) for path in folder.rglob("*.db")) for folder in tmp_path.iterdir()]
    assert files[0] == files[1] != []


def test_configurable_class_data_is_what_a_storage_is_named_by(tmp_path: Path) -> None:
    named = internals.ConfigurableClassData(
        "envfactory_dagster.resources.event_log", "WarmSqliteStorage", f"base_dir: {tmp_path}"
    )
    storage = named.rehydrate(as_type=WarmSqliteStorage)
    assert storage.inst_data == named


def test_asset_check_evaluation_planned_is_the_plan_of_a_check_for_a_whole_range(instance: dg.DagsterInstance) -> None:
    check = dg.AssetCheckSpec(ACCEPTED.name, asset=MADE, partitions_def=KEYS)

    @dg.asset(key=MADE, partitions_def=KEYS, check_specs=[check], backfill_policy=dg.BackfillPolicy.single_run())
    def made() -> Iterator[dg.MaterializeResult[None]]:
        yield dg.MaterializeResult(check_results=[dg.AssetCheckResult(passed=True)])

    job = dg.Definitions([made], jobs=[dg.define_asset_job("planned")]).resolve_job_def("planned")
    run = instance.create_run_for_job(job, tags=RANGE)
    events = [entry.get_dagster_event().event_specific_data for entry in instance.all_logs(run.run_id)]
    (planned,) = [data for data in events if isinstance(data, internals.AssetCheckEvaluationPlanned)]
    assert planned.asset_check_key == ACCEPTED
    assert planned.partitions_subset is not None
    assert set(planned.partitions_subset.get_partition_keys()) == {"one", "two"}
