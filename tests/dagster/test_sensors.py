"""When things are made: what the sensors and the schedule ask for."""

import json

import dagster as dg
import pytest
from dagster._core.definitions.sensor_definition import SensorExecutionData

from envfactory_dagster.contracts.records import StageRecord
from envfactory_dagster.definitions import defs
from envfactory_dagster.partitions import MOST_IN_A_RUN, environment_keys, range_tags
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


def test_new_keys_are_built_by_one_range_run(site: Site) -> None:
    last = environment_keys(site.instance)[-1:] or [None]
    keys = site.receive(new_1="one", new_2="two", new_3="three")
    found = tick(new_environments, site, last[0])
    (request,) = found.run_requests
    assert request.tags.items() >= range_tags((keys[0], keys[-1])).items()
    assert tick(new_environments, site, found.cursor).skip_message == "No environment was added since the last run."


def test_more_keys_than_a_run_can_take_become_several_runs(site: Site) -> None:
    last = site.receive(before_many="one")[0]
    keys = [f"many-{number}" for number in range(MOST_IN_A_RUN + 1)]
    site.instance.add_dynamic_partitions("environments", keys)
    requests = tick(new_environments, site, last).run_requests
    assert [(request.run_key, request.tags["dagster/asset_partition_range_end"]) for request in requests] == [
        (f"{keys[0]}...{keys[-2]}", keys[-2]),
        (f"{keys[-1]}...{keys[-1]}", keys[-1]),
    ]


def test_a_cursor_that_was_deleted_has_everything_looked_at_again(site: Site) -> None:
    site.receive(still_there="one")
    everything = environment_keys(site.instance)
    requests = tick(new_environments, site, "gone").run_requests
    assert requests[0].tags["dagster/asset_partition_range_start"] == everything[0]
    assert requests[-1].tags["dagster/asset_partition_range_end"] == everything[-1]


def test_what_was_ever_tried_is_not_made_again(site: Site) -> None:
    """A home that was built by the command line, or under another code location, has no cursor here."""
    tried = site.receive(tried_1="one", tried_2="two")
    for key, status in zip(tried, ("ok", "rejected"), strict=True):
        site.store().keep(StageRecord(stage="theme", partition=key, status=status, inputs="1", version="1", parents={}))
    new = site.receive(never_tried="three")
    spans = [request.tags for request in tick(new_environments, site, None).run_requests]
    ends = {span[f"dagster/asset_partition_range_{end}"] for span in spans for end in ("start", "end")}
    assert new[0] in ends and not ends & set(tried)
    everything = environment_keys(site.instance)
    assert not any(
        everything.index(span["dagster/asset_partition_range_start"])
        <= everything.index(key)
        <= everything.index(span["dagster/asset_partition_range_end"])
        for span in spans
        for key in tried
    )


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
