"""The sensor `next_round`: it goes on with an experiment for as long as its first run said."""

from pathlib import Path
from typing import Any, cast

import dagster as dg
import pytest

from envfactory_dagster.arena.round_evaluation import STAGE
from envfactory_dagster.contracts.records import StageRecord, Status
from envfactory_dagster.jobs import co_evolution
from envfactory_dagster.resources.store import StoreResource
from envfactory_dagster.sensors.next_round import ROUNDS_TAG, next_round
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.records import RecordStore

CONFIG = {"resources": {"arena": {"config": {"policy": "simulated_learner"}}}}


def started(
    instance: dg.DagsterInstance, tags: dict[str, str], status: dg.DagsterRunStatus = dg.DagsterRunStatus.SUCCESS
) -> dg.DagsterRun:
    return instance.create_run(
        run_id=None,
        job_name=co_evolution.name,
        run_config=CONFIG,
        status=status,
        tags=tags,
        root_run_id=None,
        parent_run_id=None,
        step_keys_to_execute=None,
        execution_plan_snapshot=None,
        job_snapshot=None,
        parent_job_snapshot=None,
        asset_selection=None,
        asset_check_selection=None,
        resolved_op_selection=None,
        op_selection=None,
        remote_job_origin=None,
        job_code_origin=None,
        asset_graph=None,
    )


def told_of(home: Path, instance: dg.DagsterInstance, run: dg.DagsterRun) -> Any:
    """What the sensor makes of a finished run."""
    context = dg.build_run_status_sensor_context(
        sensor_name=next_round.name,
        dagster_event=dg.DagsterEvent("PIPELINE_SUCCESS", co_evolution.name),
        dagster_instance=instance,
        dagster_run=run,
    )
    return cast(Any, next_round)(context, store=StoreResource(home=str(home)))


def told(home: Path, tags: dict[str, str]) -> Any:
    with dg.DagsterInstance.ephemeral() as instance:
        return told_of(home, instance, started(instance, tags))


def evaluated(home: Path, key: str, status: Status) -> None:
    artifact = {} if status == "ok" else None
    record = StageRecord(stage=STAGE, partition=key, status=status, inputs="1", version="1", artifact=artifact)
    RecordStore(Home.resolve(home)).keep(record)


def test_the_next_round_is_asked_for_as_the_one_before(tmp_path: Path):
    evaluated(tmp_path, "shop-r00", "ok")
    result = told(tmp_path, {"dagster/partition": "shop-r00", ROUNDS_TAG: "2"})
    [request] = result.run_requests
    assert request.tags["dagster/partition"] == "shop-r01" and request.tags[ROUNDS_TAG] == "2"
    assert request.run_config == CONFIG
    [added] = result.dynamic_partitions_requests
    assert added.partition_keys == ["shop-r01"]


@pytest.mark.parametrize(
    ("tags", "status", "why"),
    [
        ({"dagster/partition": "shop-r00"}, "ok", "has no tag"),
        ({"dagster/partition": "shop-r00", ROUNDS_TAG: "1"}, "ok", "was the last of 1 rounds"),
        ({"dagster/partition": "shop-r00", ROUNDS_TAG: "two"}, "ok", "is no number of rounds"),
        ({"dagster/partition": "shop-r00", ROUNDS_TAG: "2"}, None, "no record of an evaluation"),
        ({"dagster/partition": "shop-r00", ROUNDS_TAG: "2"}, "skipped", "nothing to practise"),
    ],
)
def test_else_it_is_said_why_not(tmp_path: Path, tags: dict[str, str], status: Status | None, why: str):
    if status is not None:
        evaluated(tmp_path, "shop-r00", status)
    result = told(tmp_path, tags)
    assert isinstance(result, dg.SkipReason) and why in (result.skip_message or "")


def test_a_round_is_asked_for_once_by_each_run_before_it_and_never_while_it_is_under_way(tmp_path: Path):
    evaluated(tmp_path, "shop-r00", "ok")
    first, second = ({"dagster/partition": f"shop-r0{number}", ROUNDS_TAG: "2"} for number in range(2))

    with dg.DagsterInstance.ephemeral() as instance:

        def key_after(run: dg.DagsterRun) -> str:
            [request] = told_of(tmp_path, instance, run).run_requests
            return str(request.run_key)

        run = started(instance, first)
        assert key_after(run) == key_after(run)
        started(instance, second, dg.DagsterRunStatus.FAILURE)
        again = started(instance, first)
        assert key_after(again) != key_after(run), (
            "the failed round is asked for again when the one before is run again"
        )
        going = started(instance, second, dg.DagsterRunStatus.STARTED)
        result = told_of(tmp_path, instance, again)
        assert isinstance(result, dg.SkipReason) and going.run_id in (result.skip_message or "")
