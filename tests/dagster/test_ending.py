"""What a run says at its end of every partition, to whoever has a terminal or an exit status to go by."""

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import dagster as dg

from tests.dagster import tiny_line
from tests.dagster.site_kit import ASSETS, Site, range_tags

ROOT = Path(__file__).parents[2]
FAIL_ON_REJECTED = {"ops": {"summary": {"config": {"fail_on": "rejected"}}}}


def said(site: Site, run_id: str) -> list[str]:
    """The lines of the run's log that are not Dagster's own events."""
    return [entry.user_message for entry in site.instance.all_logs(run_id) if entry.dagster_event is None]


def execute(site: Site, keys: Sequence[str], config: Mapping[str, Any]) -> dg.ExecuteInProcessResult:
    job = tiny_line.defs.resolve_job_def("build")
    return job.execute_in_process(
        run_config=config, instance=site.instance, tags=range_tags(keys), raise_on_error=False
    )


def test_the_last_step_says_what_became_of_every_partition(site: Site) -> None:
    keys = site.receive(told_1="one", told_2="unreadable", told_3="three")
    site.break_down(keys[2], times=99)
    run = site.execute(keys)
    assert not run.success
    assert said(site, run.run_id)[-4:] == [
        "told-1: accepted",
        "told-2: rejected, counted: it is unreadable",
        "told-3: failed, the endpoint is down",
        "3 environments: 1 accepted, 1 rejected, 0 skipped, 1 failed",
    ]


def test_what_was_never_made_upstream_is_skipped(site: Site) -> None:
    keys = site.receive(bare="one")
    run = site.execute(keys, assets=["summary"])
    assert said(site, run.run_id)[-2:] == [
        "bare: skipped, because opened is not made yet",
        "1 environment: 0 accepted, 0 rejected, 1 skipped, 0 failed",
    ]


def test_a_run_fails_over_a_rejection_only_when_it_is_told_to(site: Site) -> None:
    keys = site.receive(judged_1="one", judged_2="unreadable")
    assert execute(site, keys, {}).success
    told = execute(site, keys, FAIL_ON_REJECTED)
    (failed,) = [event for event in told.all_events if event.is_step_failure]
    assert failed.step_key == "summary"
    assert "fail_on is `rejected`: judged-2" in failed.step_failure_data.error_display_string
    for asset in ASSETS:
        assert set(site.events(asset, keys)) == set(keys), "everything is saved"
    assert execute(site, keys[:1], FAIL_ON_REJECTED).success


def test_the_standing_of_all_is_told_at_the_end_of_every_run_and_its_check_fails_over_a_rejection(site: Site) -> None:
    keys = site.receive(stood_1="one", stood_2="unreadable")
    assert execute(site, keys[:1], {}).success
    before = standing_of(site)
    assert execute(site, keys[1:], {}).success
    after = standing_of(site)
    assert after["accepted"] == before["accepted"]
    assert after["rejected"] == before["rejected"] + 1
    check = site.instance.event_log_storage.get_asset_check_execution_history(
        dg.AssetCheckKey(dg.AssetKey("standing"), "nothing_rejected"), limit=1
    )
    evaluation = check[0].event.dagster_event.asset_check_evaluation_data  # type: ignore[union-attr]
    assert not evaluation.passed
    assert evaluation.metadata["rejected"].value == after["rejected"]


def standing_of(site: Site) -> dict[str, Any]:
    event = site.instance.get_latest_materialization_event(dg.AssetKey("standing"))
    assert event is not None and event.asset_materialization is not None
    return {name: value.value for name, value in event.asset_materialization.metadata.items()}


def test_a_terminal_shows_it_and_its_exit_status_tells(site: Site, tmp_path: Path) -> None:
    keys = site.receive(shown_1="one", shown_2="unreadable")
    (tmp_path / "run.yaml").write_text(json.dumps(FAIL_ON_REJECTED))
    command = [sys.executable, "-m", "dagster", "job", "execute", "-m", "tests.dagster.tiny_line", "-j", "build"]
    options = ["-c", str(tmp_path / "run.yaml"), "--tags", json.dumps(range_tags(keys))]
    done = subprocess.run([*command, *options], capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode != 0
    for line in ("shown-1: accepted", "shown-2: rejected", "2 environments: 1 accepted, 1 rejected"):
        assert line in done.stdout + done.stderr


def test_what_was_rejected_is_made_again_where_the_configuration_says_so(site: Site) -> None:
    keys = site.receive(redone_1="one", redone_2="unreadable")
    for redo in (False, False, True):
        assert site.execute(keys, redo=redo).success
    assert sorted(site.work(keys)) == sorted(
        ["opened redone-1", "counted redone-1", "summary redone-1", "opened redone-2", *["counted redone-2"] * 2]
    )
