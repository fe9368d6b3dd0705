"""Broken worlds, sudden ends and people who change their mind: nothing lost, nothing done twice."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import dagster as dg
import pytest

from tests.dagster import queries
from tests.dagster.site_kit import ASSETS, Site, range_tags, wait

ROOT = Path(__file__).parents[2]


def retries_of(site: Site, run_id: str) -> int:
    return len(site.instance.all_logs(run_id, of_type=dg.DagsterEventType.STEP_UP_FOR_RETRY))


def failures_of(result: dg.ExecuteInProcessResult) -> list[str]:
    failed = [event for event in result.all_events if event.event_type_value == "STEP_FAILURE"]
    return [str(event.step_failure_data.error) for event in failed]


def test_an_endpoint_that_was_down_for_a_moment_is_tried_again(site: Site) -> None:
    keys = site.receive(down_1="one", down_2="one two", down_3="one two three")
    site.break_down(keys[1], times=1)
    result = site.execute(keys)
    assert result.success
    assert retries_of(site, result.run_id) == 1
    assert sorted(site.work(keys)) == sorted([f"{asset} {key}" for asset in ASSETS for key in keys] + ["opened down-2"])
    for asset in ASSETS:
        assert sorted(site.events(asset, keys)) == keys, "announced once, although the step ran twice"


def test_an_endpoint_that_stays_down_fails_the_run(site: Site) -> None:
    keys = site.receive(dead_1="one", dead_2="one two")
    for key in keys:
        site.break_down(key, times=99)
    result = site.execute(keys)
    assert not result.success
    assert retries_of(site, result.run_id) == 2
    assert "while making opened of dead-" in failures_of(result)[0]
    assert sorted(site.work(keys)) == sorted([f"opened {key}" for key in keys] * 3)


def test_what_a_defect_quotes_reaches_no_log_as_it_is(site: Site, caplog: pytest.LogCaptureFixture) -> None:
    keys = site.receive(plain="one", shouting="\x1b]52;c;cm0gLXJmIH4=\x07")
    result = site.execute(keys)
    assert not result.success
    logged = [record.getMessage() + str(record.exc_info) for record in caplog.records]
    told = [*logged, *failures_of(result), *(str(look) for look in site.looks("opened", keys).values())]
    assert any(r"\u001b]52;c;" in one and "Traceback" in one for one in logged)
    assert not [one for one in told if "\x1b" in one]


def test_partitions_that_always_fail_stop_no_other_and_are_asked_again_by_the_next_run(site: Site) -> None:
    keys = site.receive(**{f"twelve_{n:02}": f"letter number {n}" for n in range(12)})
    bad = [keys[0], keys[7]]
    good = [key for key in keys if key not in bad]
    for key in bad:
        site.break_down(key, times=99)
    result = site.execute(keys)
    assert not result.success
    assert retries_of(site, result.run_id) == 2
    (failure,) = failures_of(result)
    for key in bad:
        assert f"opened of {key} (the endpoint is down)" in failure
    assert sorted(site.work(good)) == sorted(f"{asset} {key}" for asset in ASSETS for key in good), "made, and once"
    assert sorted(site.events("opened", keys)) == good
    statuses = {key: looks.check for key, looks in site.looks("opened", keys).items()}
    assert statuses == {key: "failedPartitions" if key in bad else "succeededPartitions" for key in keys}
    assert [site.store().latest("summary", key).status for key in bad] == ["skipped"] * 2  # type: ignore[union-attr]
    failed = site.ask(queries.ASSET, key={"path": ["opened"]}, partitions=keys)["assetPartitionStatuses"]
    assert set(failed["failedPartitions"]) & set(keys) == set(bad)
    before = len(site.work(keys))
    for key in bad:
        site.break_down(key, times=0)
    assert site.execute(keys).success
    assert sorted(site.work(keys)[before:]) == sorted(f"{asset} {key}" for asset in ASSETS for key in bad)
    assert {looks.check for looks in site.looks("summary", keys).values()} == {"succeededPartitions"}


def test_three_that_fail_first_are_asked_again_after_the_others(site: Site) -> None:
    keys = site.receive(**{f"first_{n}": f"letter number {n}" for n in range(6)})
    for key in keys[:3]:
        site.break_down(key, times=99)
    result = site.execute(keys, ["opened"], concurrency=1)
    assert "These failed" in failures_of(result)[0]
    assert sorted(site.events("opened", keys)) == keys[3:]
    assert site.work(keys)[:6] == [f"opened {key}" for key in (*keys[:3], *keys[3:])]


def start_job(site: Site, keys: list[str]) -> "subprocess.Popen[str]":
    one_at_a_time = site.world / "one_at_a_time.yaml"
    one_at_a_time.write_text(json.dumps({"ops": {asset: {"config": {"concurrency": 1}} for asset in ASSETS}}))
    command = [sys.executable, "-m", "dagster", "job", "execute", "-m", "tests.dagster.tiny_line", "-j", "build"]
    arguments = ["--tags", json.dumps(range_tags(keys)), "-c", str(one_at_a_time)]
    pipe = subprocess.PIPE
    return subprocess.Popen([*command, *arguments], stdout=pipe, stderr=pipe, text=True, cwd=ROOT)


def test_kill_in_the_middle_of_a_range_then_the_same_command(site: Site) -> None:
    keys = site.receive(**{f"killed_{n}": f"letter number {n}" for n in range(4)})
    with site.held("counted", keys[2]):
        run = start_job(site, keys)
        wait(lambda: f"counted {keys[2]}" in site.work(keys) or run.poll() is not None)
        run.send_signal(signal.SIGKILL)
        run.communicate()
    assert run.returncode == -signal.SIGKILL
    again = start_job(site, keys)
    _, said = again.communicate()
    assert again.returncode == 0, said
    every = [f"{asset} {key}" for asset in ASSETS for key in keys]
    assert sorted(site.work(keys)) == sorted([*every, f"counted {keys[2]}"]), "only the killed piece is done again"
    for asset in ASSETS:
        looks = site.looks(asset, keys)
        assert {shown.check for shown in looks.values()} == {"succeededPartitions"}
        assert {shown.stale for shown in looks.values()} == {"FRESH"}


def test_terminate_stops_a_step_that_waits(site: Site) -> None:
    keys = site.receive(ended_1="one", ended_2="one two", ended_3="one two three")
    with site.held("counted", keys[1]):
        run = site.launch(range_tags(keys))
        site.until(lambda: f"counted {keys[1]}" in site.work(keys) and len(site.events("counted", keys)) == 2)
        site.ask(queries.TERMINATE, runId=run)
        assert site.finish(run) == dg.DagsterRunStatus.CANCELED
    assert retries_of(site, run) == 0
    assert sorted(site.events("counted", keys)) == [keys[0], keys[2]], "what was finished was announced"
    assert site.execute(keys).success
    assert site.work(keys).count(f"counted {keys[1]}") == 2
    assert site.work(keys).count(f"counted {keys[0]}") == 1
