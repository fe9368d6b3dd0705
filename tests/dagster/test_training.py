"""Policies as assets: a real process, started and followed through Pipes, gone on with after a kill."""

import asyncio
import json
import shutil
import signal
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import dagster as dg
import psutil
import pytest
import yaml
from dagster._core.errors import DagsterPipesExecutionError
from dagster._utils import tail_file

from envfactory_dagster.assets.training import POLICIES, _what_happened, policy_evaluation, rl_policy, sft_policy
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.resources.store import StoreResource
from envfactory_dagster.runtime.runtime import Runtime
from tests.dagster.site_kit import wait
from tests.trainer.shop import Shop, build
from tests.trainer.test_training import RECIPE, environment

VERSION = "0123456789abcdef"


@dataclass(frozen=True)
class School:
    """A home with both datasets, a recipe, and a Dagster instance."""

    home: Path
    recipe: Path
    instance: dg.DagsterInstance

    def materialize(
        self, asset: dg.AssetsDefinition, *, recipe: Path | None = None, **config: Any
    ) -> dg.ExecuteInProcessResult:
        given = {"recipe": str(recipe or self.recipe), **config}
        return dg.materialize(
            [asset],
            instance=self.instance,
            resources={
                "store": StoreResource(home=str(self.home)),
                "trainer": dg.PipesSubprocessClient(env=environment()),
            },
            run_config={"ops": {asset.key.to_user_string(): {"config": given}}},
            raise_on_error=False,
        )

    def materialize_all(self, **recipes: Path) -> dg.ExecuteInProcessResult:
        """As the job `train_policy` does it, with a recipe for each asset."""
        return dg.materialize(
            POLICIES,
            instance=self.instance,
            resources={
                "store": StoreResource(home=str(self.home)),
                "trainer": dg.PipesSubprocessClient(env=environment()),
            },
            run_config={"ops": {name: {"config": {"recipe": str(recipe)}} for name, recipe in recipes.items()}},
            raise_on_error=False,
        )

    def runs(self, asset: str) -> list[Path]:
        return list((self.home / "policies" / asset).glob("*"))

    def processes(self) -> list[psutil.Process]:
        """The trainers at work in this home."""
        children = psutil.Process().children(recursive=True)
        return [one for one in children if str(self.home) in " ".join(one.cmdline()) and "trainer" in one.cmdline()]


def told(result: dg.ExecuteInProcessResult) -> dict[str, Any]:
    assert result.success, [event.step_failure_data.error for event in result.all_events if event.is_step_failure]
    (event,) = result.get_asset_materialization_events()
    return {name: value.value for name, value in event.materialization.metadata.items()}


def failure(result: dg.ExecuteInProcessResult) -> str:
    (event,) = [event for event in result.all_events if event.is_step_failure]
    error, said = event.step_failure_data.error, ""
    while error is not None:
        error, said = error.cause, said + error.message
    return said


@pytest.fixture(scope="module")
def school(tmp_path_factory: pytest.TempPathFactory) -> Iterator[School]:
    folder = tmp_path_factory.mktemp("school")
    shop = asyncio.run(_built(folder))
    for name, rows in (("sft", shop.sft), ("rl", shop.rl)):
        dataset = shop.home / "datasets" / name
        (dataset / VERSION / "rows").mkdir(parents=True)
        (dataset / "LATEST").write_text(VERSION)
        shutil.copy(rows, dataset / VERSION / "rows" / "tiny-shop.jsonl")
    recipe = folder / "recipe.yaml"
    sft = {**RECIPE["sft"], "epochs": 40}
    recipe.write_text(yaml.safe_dump(RECIPE | {"sft": sft, "save_every": 10, "log_every": 1}))
    with dg.DagsterInstance.local_temp(str(tmp_path_factory.mktemp("instance"))) as instance:
        yield School(shop.home, recipe, instance)


async def _built(folder: Path) -> Shop:
    async with Runtime() as runtime:
        return await build(runtime, folder)


@pytest.fixture(scope="module")
def taught(school: School) -> dict[str, Any]:
    """What is told of a run whose process was killed in its middle."""
    killer = threading.Thread(target=kill_after_a_checkpoint, args=(school,))
    killer.start()
    shown = told(school.materialize(sft_policy))
    killer.join()
    return shown


def kill_after_a_checkpoint(school: School) -> None:
    wait(lambda: list((school.home / "policies").glob("sft_policy/*/checkpoints/checkpoint-10/trainer_state.json")))
    for process in school.processes():
        process.send_signal(signal.SIGKILL)


def test_a_killed_run_goes_on_from_its_checkpoint(school: School, taught: dict[str, Any]) -> None:
    assert (taught["finished"], taught["examples"], taught["left_out_as_too_long"]) == (True, 8, 0)
    (run,) = school.runs("sft_policy")
    lines = [json.loads(line) for line in (run / "progress.jsonl").read_text().splitlines()]
    numbers = [line["step"] for line in lines if "loss" in line]
    assert numbers.count(1) == 1, "it did not begin again"
    assert sorted(set(numbers)) == list(range(1, 41)), "no step is missing"
    assert (run / "policy" / "model.safetensors").is_file()


def test_figures_come_in_the_log_as_they_are_measured(school: School, taught: dict[str, Any]) -> None:
    logs = [entry.user_message for run in school.instance.get_runs() for entry in school.instance.all_logs(run.run_id)]
    assert [said for said in logs if said.startswith("step 1, loss")]


def test_curves_are_shown(taught: dict[str, Any]) -> None:
    assert taught["curves_plot"].startswith("![curves](data:image/png;base64,iVBOR")


def test_what_is_finished_is_not_trained_again(school: School, taught: dict[str, Any]) -> None:
    (run,) = school.runs("sft_policy")
    before = (run / "policy" / "model.safetensors").stat().st_mtime_ns
    again = told(school.materialize(sft_policy))
    assert again == taught
    assert (run / "policy" / "model.safetensors").stat().st_mtime_ns == before


def test_the_policy_plays_and_is_evaluated(school: School, taught: dict[str, Any]) -> None:
    played = told(school.materialize(rl_policy))
    assert (played["steps"], played["tasks"], played["environments"]) == (2, 8, 1)
    assert played["curves_plot"]
    shown = told(school.materialize(policy_evaluation, k=2, splits=["rl"]))
    assert 0 <= shown["rl greedy pass@1"] <= 1
    assert "| rl | sampled | 8 | 1 |" in shown["table"]
    assert shown["results_plot"].startswith("![results](data:image/png;base64,iVBOR")


def test_what_follows_goes_on_with_the_policy_that_was_materialized_last(
    school: School, taught: dict[str, Any], tmp_path: Path
) -> None:
    """One recipe, then another, then the first again: its run is finished already, and older than the other's."""
    other = tmp_path / "other.yaml"
    whole = yaml.safe_load(school.recipe.read_text())
    other.write_text(yaml.safe_dump(whole | {"seed": 1, "sft": {**whole["sft"], "epochs": 1}}))
    second = told(school.materialize(sft_policy, recipe=other))
    assert second["run"] != taught["run"]
    assert told(school.materialize(sft_policy))["run"] == taught["run"]
    shown = told(school.materialize(policy_evaluation, k=2, splits=["rl"], policy="sft_policy"))
    assert shown["given_policy"] == taught["policy"]
    versions = [
        str(event.asset_materialization.tags["dagster/data_version"])
        for event in school.instance.fetch_materializations(sft_policy.key, limit=3).records
        if event.asset_materialization is not None and event.asset_materialization.tags is not None
    ]
    assert versions == [taught["run"], second["run"], taught["run"]], "so that Dagster sees what is stale"


def test_a_policy_of_another_home_is_not_gone_on_with(school: School, taught: dict[str, Any], tmp_path: Path) -> None:
    moved = School(tmp_path / "home", school.recipe, school.instance)
    (moved.home / "datasets").mkdir(parents=True)
    shutil.copytree(school.home / "datasets" / "rl", moved.home / "datasets" / "rl")
    assert "materialize it again" in failure(moved.materialize(rl_policy))


def test_tasks_under_another_protocol_are_noticed_before_anything_is_trained(school: School, tmp_path: Path) -> None:
    """As with the recipes of Qwen3, while `rl_dataset` is as it is by default."""
    wants = tmp_path / "wants-meta-tools.yaml"
    wants.write_text(yaml.safe_dump(RECIPE | {"grpo": {**RECIPE["grpo"], "protocol": "meta_tools"}}))
    before = school.runs("sft_policy")
    said = failure(school.materialize_all(sft_policy=wants, rl_policy=wants, policy_evaluation=wants))
    assert "rl_policy is to play under the protocol meta_tools" in said
    assert "Materialize rl_dataset with `protocols: [meta_tools]`" in said
    assert school.runs("sft_policy") == before


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_messages_that_dagster_reads_half_written_do_not_hide_the_outcome(
    school: School, taught: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def halves(path: str, should_stop: Callable[[], bool]) -> Iterator[str]:
        for line in tail_file(path, should_stop):
            yield line[: len(line) // 2]

    monkeypatch.setattr("dagster._core.pipes.utils.tail_file", halves)
    shown = told(school.materialize(policy_evaluation, k=1, splits=["rl"], policy="sft_policy"))
    assert 0 <= shown["rl greedy pass@1"] <= 1
    assert shown["results_plot"]


def test_a_recipe_that_does_not_fit_ends_the_run_at_once(school: School, tmp_path: Path) -> None:
    recipe = tmp_path / "wrong.yaml"
    recipe.write_text(yaml.safe_dump(RECIPE | {"sft": {"batch": 0}}))
    result = school.materialize(sft_policy, recipe=recipe)
    assert not [event for event in result.all_events if event.is_step_up_for_retry]
    assert "sft.batch" in failure(result), "the process's own sentence"


def test_a_sentence_ends_the_step_and_a_traceback_is_a_defect(tmp_path: Path) -> None:
    ended = DagsterPipesExecutionError("The process ended with code 1")
    assert _what_happened(ended, tmp_path) is ended
    (tmp_path / "failure.json").write_text(json.dumps({"sentence": "The budget is spent.", "status": 1}))
    told = _what_happened(ended, tmp_path)
    assert isinstance(told, dg.Failure)
    assert (told.description, told.allow_retries) == ("The budget is spent.", False)


def test_a_recipe_that_nobody_knows(school: School) -> None:
    result = school.materialize(sft_policy, recipe=Path("nowhere"))
    assert "neither a file nor one of" in failure(result)


def test_without_a_dataset_there_is_nothing_to_train_on(tmp_path: Path) -> None:
    with dg.DagsterInstance.ephemeral() as instance, pytest.raises(UsageError, match="materialize sft_dataset first"):
        dg.materialize(
            [sft_policy],
            instance=instance,
            resources={"store": StoreResource(home=str(tmp_path)), "trainer": dg.PipesSubprocessClient()},
        )
