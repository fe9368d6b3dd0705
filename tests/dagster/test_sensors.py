"""When things are made: what the sensors and the schedule ask for."""

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

import dagster as dg
import pytest
from dagster._core.definitions.sensor_definition import SensorExecutionData

from envfactory_dagster.contracts.records import StageRecord, Status
from envfactory_dagster.definitions import defs
from envfactory_dagster.partitions import MOST_IN_A_RUN, range_tags
from envfactory_dagster.resources.store import StoreResource
from envfactory_dagster.sensors.failures import failed_runs
from envfactory_dagster.sensors.new_environments import new_environments
from envfactory_dagster.sensors.nightly import nightly_expansion
from envfactory_dagster.store.home import Home
from tests.dagster.site_kit import Site


def tick(sensor: dg.SensorDefinition, site: Site, cursor: str | None) -> SensorExecutionData:
    """What the daemon does at every interval."""
    return sensor.evaluate_tick(
        dg.build_sensor_context(site.instance, cursor, sensor_name=sensor.name, resources={"store": StoreResource()})
    )


@dataclass
class Factory:
    """A home and an instance of their own, the runs that the sensor has asked for, and a clock."""

    instance: dg.DagsterInstance
    patch: pytest.MonkeyPatch
    now: float = field(default_factory=time.time)
    cursor: str | None = None
    said: str = ""

    def add(self, *keys: str) -> list[str]:
        self.instance.add_dynamic_partitions("environments", list(keys))
        return list(keys)

    def keep(self, key: str, **stages: Status) -> None:
        for stage, status in stages.items():
            record = StageRecord(stage=stage, partition=key, status=status, inputs="1", version="1")
            StoreResource().records().keep(record)

    def requests(self) -> Sequence[dg.RunRequest]:
        """One tick of the sensor."""
        context = dg.build_sensor_context(
            self.instance, self.cursor, sensor_name=new_environments.name, resources={"store": StoreResource()}
        )
        with self.patch.context() as patch:
            patch.setattr(time, "time", lambda: self.now)
            told = new_environments.evaluate_tick(context)
        self.cursor, self.said = told.cursor, told.skip_message or ""
        return told.run_requests or []

    def ask(self) -> list[dg.DagsterRun]:
        """One tick, and the runs it asks for are created, as the daemon does it."""
        return [self.start({**request.tags, "dagster/run_key": request.run_key or ""}) for request in self.requests()]

    def start(self, tags: Mapping[str, str]) -> dg.DagsterRun:
        job = defs.resolve_job_def("build_environments")
        return self.instance.create_run_for_job(job, tags=dict(tags), status=dg.DagsterRunStatus.STARTED)

    def wait(self, **time: float) -> None:
        self.now += timedelta(**time).total_seconds()


def spans(runs: Sequence[dg.DagsterRun | dg.RunRequest]) -> list[tuple[str, str]]:
    ends = ("dagster/asset_partition_range_start", "dagster/asset_partition_range_end")
    return [(run.tags[ends[0]], run.tags[ends[1]]) for run in runs]


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[Factory]:
    """The sensor has never ticked."""
    with pytest.MonkeyPatch.context() as patch, dg.DagsterInstance.ephemeral() as instance:
        patch.setenv("ENVFACTORY_HOME", str(tmp_path / "home"))
        yield Factory(instance, patch)


@pytest.fixture
def factory(fresh: Factory) -> Factory:
    """The sensor has ticked once, before there was anything."""
    assert fresh.ask() == []
    return fresh


def test_what_is_there_at_the_first_tick_waits_for_a_person(fresh: Factory) -> None:
    """Opening the UI after `envfactory expand` must not pay for anything."""
    fresh.add("there-1", "there-2")
    assert fresh.ask() == []
    assert "2 were there before and wait for a person" in fresh.said
    assert fresh.ask() == []
    fresh.add("added")
    assert spans(fresh.ask()) == [("added", "added")]


def test_keys_that_are_removed_make_no_others_new(factory: Factory) -> None:
    factory.add("kept", "removed")
    factory.ask()
    factory.instance.delete_dynamic_partition("environments", "removed")
    assert factory.ask() == []
    factory.add("added")
    assert spans(factory.ask()) == [("added", "added")]


def test_a_tick_with_nothing_to_do_reads_no_runs_of_others(factory: Factory) -> None:
    factory.add("by-hand")
    by_hand = [factory.start({"dagster/partition": "by-hand"}) for _ in range(3)]
    factory.ask()
    read: list[str] = []
    found = factory.instance.get_run_records

    def counted(*arguments: Any, **named: Any) -> Sequence[dg.RunRecord]:
        records = found(*arguments, **named)
        read.extend(record.dagster_run.run_id for record in records)
        return records

    with factory.patch.context() as patch:
        patch.setattr(factory.instance, "get_run_records", counted)
        factory.ask()
    assert not {run.run_id for run in by_hand}.intersection(read)


def test_new_keys_are_built_once_by_one_range_run(factory: Factory) -> None:
    factory.add("new-1", "new-2", "new-3")
    (run,) = factory.ask()
    assert spans([run]) == [("new-1", "new-3")]
    assert factory.ask() == [], "it is at work"
    factory.instance.report_run_failed(run)
    assert factory.ask() == [], "it has only just failed"


def test_keys_that_were_added_later_are_built_alone(factory: Factory) -> None:
    factory.add("early-1", "early-2")
    factory.ask()
    factory.add("late-1", "late-2")
    assert spans(factory.ask()) == [("late-1", "late-2")]


def test_more_keys_than_a_run_can_take_become_several_runs(factory: Factory) -> None:
    keys = factory.add(*(f"many-{number}" for number in range(MOST_IN_A_RUN + 1)))
    assert spans(factory.requests()) == [(keys[0], keys[-2]), (keys[-1], keys[-1])]


def test_a_home_that_was_built_elsewhere_is_left_alone(factory: Factory) -> None:
    """No run on record, other settings: the records of the home say that these were tried."""
    factory.add("released", "rejected", "half-made", "sealed")
    factory.keep("released", theme="ok", release="ok")
    factory.keep("rejected", theme="rejected", release="skipped")
    factory.keep("half-made", theme="ok")
    (Home.resolve().bundles / "sealed").mkdir(parents=True)
    assert factory.ask() == []
    factory.patch.setenv("ENVFACTORY_SIZE", "small")
    factory.patch.setenv("ENVFACTORY_AUTHOR_MODEL", "another")
    factory.wait(days=1)
    assert factory.ask() == []
    factory.add("never-tried")
    assert spans(factory.ask()) == [("never-tried", "never-tried")]


def test_a_run_that_failed_is_repeated_twice_after_growing_waits(factory: Factory) -> None:
    factory.add("doomed")
    asked = factory.ask()
    began = factory.now
    for too_early, due in ((9, 11), (55, 65)):
        factory.instance.report_run_failed(asked[-1])
        factory.now = began + 60 * too_early
        assert factory.ask() == []
        factory.now = began + 60 * due
        asked += factory.ask()
    assert len(asked) == 3
    assert len({run.tags["dagster/run_key"] for run in asked}) == 3, "Dagster skips a key it has seen"
    factory.instance.report_run_failed(asked[-1])
    factory.wait(days=9)
    assert factory.ask() == []


def test_what_came_out_of_a_failed_run_is_not_made_again(factory: Factory) -> None:
    factory.add("released", "rejected", "lost", "never-begun")
    (run,) = factory.ask()
    factory.keep("released", theme="ok", release="ok")
    factory.keep("rejected", theme="ok", task_set="rejected", release="skipped")
    factory.keep("lost", theme="ok", release="skipped")
    factory.instance.report_run_failed(run)
    factory.wait(hours=1)
    assert spans(factory.ask()) == [("lost", "never-begun")]


def test_a_run_that_failed_long_ago_waits_for_a_person(factory: Factory) -> None:
    factory.add("forgotten")
    (run,) = factory.ask()
    factory.instance.report_run_failed(run)
    factory.wait(days=8)
    assert factory.ask() == []


def test_what_was_cancelled_waits_for_a_person(factory: Factory) -> None:
    factory.add("stopped")
    (run,) = factory.ask()
    factory.instance.report_run_canceled(run)
    factory.wait(days=1)
    assert factory.ask() == []


def test_what_a_person_started_is_left_to_them(factory: Factory) -> None:
    factory.add("by-hand", "taken-over")
    by_hand = factory.start({"dagster/partition": "by-hand"})
    (run,) = factory.ask()
    assert spans([run]) == [("taken-over", "taken-over")]
    factory.instance.report_run_failed(by_hand)
    factory.instance.report_run_failed(run)
    factory.instance.report_run_failed(factory.start(range_tags(("taken-over", "taken-over"))))
    factory.wait(days=1)
    assert factory.ask() == []


def test_a_run_that_dagster_started_again_counts_as_one_of_the_two(factory: Factory) -> None:
    factory.add("lost-twice")
    (run,) = factory.ask()
    factory.instance.report_run_failed(run)
    factory.instance.report_run_failed(factory.start(run.tags))
    factory.wait(minutes=11)
    assert factory.ask() == []
    factory.wait(hours=1)
    (last,) = factory.ask()
    factory.instance.report_run_failed(last)
    factory.wait(days=1)
    assert factory.ask() == []


def test_a_failed_run_is_written_down_with_its_reason(site: Site) -> None:
    cursor = tick(failed_runs, site, None).cursor
    keys = site.receive(doomed="one")
    site.break_down(keys[0], times=99)
    run_id = site.execute(keys).run_id
    tick(failed_runs, site, cursor)
    report = json.loads((Home.resolve().failures / f"{run_id}.json").read_text())
    assert report["run"] == run_id
    assert set(report["partitions"].values()) == {"doomed"}
    (step,) = report["steps"]
    assert step["step"] == "opened"
    assert "the endpoint is down" in step["error"]


def nightly() -> dict[str, object]:
    with dg.build_schedule_context() as context:
        (request,) = nightly_expansion.evaluate_tick(context).run_requests or []
    return dict(request.run_config["ops"]["theme_pool"]["config"])


def test_the_night_expands_the_pool_as_the_environment_says(monkeypatch: pytest.MonkeyPatch) -> None:
    assert nightly_expansion.cron_schedule == "0 2 * * *"
    assert nightly() == {"count": 10, "categories": []}
    monkeypatch.setenv("ENVFACTORY_NIGHTLY_COUNT", "25")
    monkeypatch.setenv("ENVFACTORY_NIGHTLY_CATEGORIES", "Health, Real estate,")
    assert nightly() == {"count": 25, "categories": ["Health", "Real estate"]}
    assert dg.validate_run_config(
        defs.resolve_job_def("discover_themes"), {"ops": {"theme_pool": {"config": nightly()}}}
    )


def test_a_count_that_is_none_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENVFACTORY_NIGHTLY_COUNT", "many")
    with pytest.raises(Exception, match="nightly_expansion") as refused:
        nightly()
    assert "ENVFACTORY_NIGHTLY_COUNT is 'many'" in str(refused.value.__cause__)
