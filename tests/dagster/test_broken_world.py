"""Broken worlds, sudden ends and people who change their mind: nothing lost, nothing done twice."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import dagster as dg

from tests.dagster import queries
from tests.dagster.site_kit import ASSETS, Site, range_tags, wait

ROOT = Path(__file__).parents[2]


def retries_of(site: Site, run_id: str) -> int:
    return len(site.instance.all_logs(run_id, of_type=dg.DagsterEventType.STEP_UP_FOR_RETRY))


def test_an_endpoint_that_was_down_for_a_moment_is_tried_again(site: Site) -> None:
    keys = site.receive(down_1="one", down_2="one two", down_3="one two three")
    site.break_down(keys[1], times=1)
    result = site.execute(keys)
    assert result.success
    assert retries_of(site, result.run_id) == 1
    assert sorted(site.work(keys)) == sorted([f"{asset} {key}" for asset in ASSETS for key in keys] + ["opened down-2"])
    for asset in ASSETS:
        assert sorted(site.events(asset, keys)) == keys, "announced once, although the step ran twice"


def test_an_endpoint_that_stays_down_fails_the_run_and_what_was_finished_is_kept(site: Site) -> None:
    keys = site.receive(dead_1="one", dead_2="one two")
    site.break_down(keys[1], times=99)
    result = site.execute(keys)
    assert not result.success
    assert retries_of(site, result.run_id) == 2
    assert site.events("opened", keys) == ["dead-1"]
    (failure,) = [event for event in result.all_events if event.event_type_value == "STEP_FAILURE"]
    assert "the endpoint is down" in str(failure.step_failure_data.error)
    assert "while making opened of dead-2" in str(failure.step_failure_data.error)
    site.break_down(keys[1], times=0)
    assert site.execute(keys).success
    assert site.work(["dead-1"]) == [f"{asset} dead-1" for asset in ASSETS]


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
