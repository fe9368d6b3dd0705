"""An environment of the real line that a gate does not let through: it looks the same however it was asked for."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import dagster as dg
import pytest

from envfactory_dagster.commands.expand import expand_pool
from envfactory_dagster.commands.runs import home_instance
from envfactory_dagster.contracts.stages import LINE
from envfactory_dagster.definitions import defs
from envfactory_dagster.library.collection import Library
from envfactory_dagster.partitions import environment_keys, range_tags
from envfactory_dagster.resources.store import StoreResource
from envfactory_dagster.sensors.new_environments import Cursor, new_environments
from tests.support.faults import Profile
from tests.support.model import library_model, model_variables, served

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]
NEVER_A_GOOD_SCHEMA = Profile(faults=1, repair=0, only="unknown_column")
JOB = "build_environments"


@pytest.fixture(scope="module")
def proposed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with one theme."""
    home = tmp_path_factory.mktemp("rejected") / "home"
    with pytest.MonkeyPatch.context() as patch:
        at_home(patch, home)
        with home_instance() as instance:
            expand_pool(instance, 0, [], Library().lightest("small")[:1], hidden=True)
    return home


def at_home(patch: pytest.MonkeyPatch, home: Path) -> None:
    patch.setenv("ENVFACTORY_HOME", str(home))
    patch.setenv("DAGSTER_HOME", "")
    patch.setenv("ENVFACTORY_SIZE", "small")


def by_tagged_job(instance: dg.DagsterInstance, key: str) -> None:
    """`dagster job execute --tags …` in a process of its own."""
    command = [sys.executable, "-m", "dagster", "job", "execute", "-m", "envfactory_dagster.definitions", "-j", JOB]
    subprocess.run([*command, "--tags", json.dumps(range_tags((key, key)))], check=True, capture_output=True, cwd=ROOT)


def by_button(instance: dg.DagsterInstance, key: str) -> None:
    """Materialize, for one partition of the assets that were marked."""
    job = defs.resolve_implicit_global_asset_job_def()
    marked = [dg.AssetKey(asset) for asset in LINE]
    assert job.execute_in_process(instance=instance, partition_key=key, asset_selection=marked).success


def by_sensor(instance: dg.DagsterInstance, key: str) -> None:
    context = dg.build_sensor_context(
        instance,
        Cursor(last_key="").model_dump_json(),
        sensor_name=new_environments.name,
        resources={"store": StoreResource()},
    )
    (request,) = new_environments.evaluate_tick(context).run_requests
    job = defs.resolve_job_def(request.job_name or JOB)
    assert job.execute_in_process(instance=instance, tags=dict(request.tags), run_config=request.run_config).success


PATHS: dict[str, Callable[[dg.DagsterInstance, str], None]] = {
    "tagged job": by_tagged_job,
    "button": by_button,
    "sensor": by_sensor,
}


def outcome(instance: dg.DagsterInstance, key: str) -> dict[str, Any]:
    """By asset: its record, and whatever Dagster was told of it in runs of the line."""
    store = StoreResource().records()
    records = {asset: store.latest(asset, key) for asset in LINE}
    found: dict[str, Any] = {
        asset: {"record": record and (record.status, record.reason, record.version), "told": []}
        for asset, record in records.items()
    }
    runs = [run for run in instance.get_runs() if run.job_name != "discover_themes"]
    for run in runs:
        for entry in instance.all_logs(run.run_id):
            event = entry.dagster_event
            if event is not None and (told := telling(event)) and told[0] in found:
                found[told[0]]["told"].append(told[1:])
    return found


def telling(event: dg.DagsterEvent) -> tuple[Any, ...] | None:
    """A materialization, an observation or the verdict of a check: of which asset, and all but when."""
    if event.is_step_materialization:
        made = event.step_materialization_data.materialization
        version, status = made.tags["dagster/data_version"], made.metadata["status"].value
        return made.asset_key.to_user_string(), "materialized", made.partition, version, status
    if event.is_asset_observation:
        seen = event.asset_observation_data.asset_observation
        return seen.asset_key.to_user_string(), "observed", seen.partition
    if event.event_type is dg.DagsterEventType.ASSET_CHECK_EVALUATION:
        said = event.asset_check_evaluation_data
        verdict = (said.passed, said.severity.value, said.description, said.metadata["status"].value)
        return said.asset_key.to_user_string(), "checked", said.partition, *verdict
    return None


@pytest.fixture(scope="module")
def outcomes(proposed: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """Of the same theme, launched in every way, each in a copy of the home."""
    found = {}
    for path, launch in PATHS.items():
        home = shutil.copytree(proposed, tmp_path_factory.mktemp("path") / "home")
        with served(library_model(NEVER_A_GOOD_SCHEMA)) as url, pytest.MonkeyPatch.context() as patch:
            at_home(patch, home)
            for name, value in model_variables(url).items():
                patch.setenv(name, value)
            with home_instance() as instance:
                (key,) = environment_keys(instance)
                launch(instance, key)
                assert {run.status for run in instance.get_runs()} == {dg.DagsterRunStatus.SUCCESS}
                found[path] = outcome(instance, key)
    return found


def test_what_is_kept_and_told_of_it_is_the_same_on_every_path(outcomes: dict[str, dict[str, Any]]) -> None:
    assert outcomes["button"] == outcomes["tagged job"]
    assert outcomes["sensor"] == outcomes["tagged job"]


def test_it_is_rejected_at_one_stage_and_skipped_after_it(outcomes: dict[str, dict[str, Any]]) -> None:
    found = outcomes["sensor"]
    status = {asset: one["record"][0] for asset, one in found.items()}
    stages = list(LINE)
    rejected = stages.index("database_schema")
    assert list(status.values()) == [
        *["ok"] * rejected, "rejected", *["skipped"] * (len(stages) - rejected - 1)
    ]  # fmt: skip
    assert "not accepted after 5 attempts; schema: The foreign key" in found["database_schema"]["record"][1]
    assert found["seed_rows"]["record"][1] == "skipped, because database_schema is rejected"
    for asset, one in found.items():
        kind = status[asset]
        (made, checked) = one["told"]
        assert made[0] == "materialized" and made[2:] == (one["record"][2], kind), "once, with the record's version"
        severity = "ERROR" if kind == "rejected" else "WARN"
        assert checked == ("checked", made[1], kind == "ok", severity, one["record"][1] or None, kind)


def test_a_run_that_is_told_to_fails_over_it_once_everything_is_saved(proposed: Path, tmp_path: Path) -> None:
    home = shutil.copytree(proposed, tmp_path / "home")
    (tmp_path / "run.yaml").write_text(json.dumps({"ops": {LINE[-1]: {"config": {"fail_on": "rejected"}}}}))
    command = [sys.executable, "-m", "dagster", "job", "execute", "-m", "envfactory_dagster.definitions", "-j", JOB]
    with served(library_model(NEVER_A_GOOD_SCHEMA)) as url, pytest.MonkeyPatch.context() as patch:
        at_home(patch, home)
        for name, value in model_variables(url).items():
            patch.setenv(name, value)
        with home_instance() as instance:
            (key,) = environment_keys(instance)
            options = ["-c", str(tmp_path / "run.yaml"), "--tags", json.dumps(range_tags((key, key)))]
            done = subprocess.run([*command, *options], capture_output=True, text=True, check=False, cwd=ROOT)
            told = outcome(instance, key)
    assert done.returncode != 0
    assert f"{key}: rejected, database_schema: " in done.stdout + done.stderr
    assert f"fail_on is `rejected`: {key}" in done.stdout + done.stderr
    assert told["database_schema"]["record"][0] == "rejected"
    assert all(one["record"] is not None and one["told"] for one in told.values())
