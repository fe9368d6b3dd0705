"""Policies as assets: a real process, started and followed through Pipes, gone on with after a kill."""

import asyncio
import json
import shutil
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import dagster as dg
import psutil
import pytest
import yaml
from dagster._core.errors import DagsterPipesExecutionError
from dagster._utils import tail_file

from envfactory_dagster.assets.evolution import round_policy
from envfactory_dagster.assets.trainer_runs import what_happened
from envfactory_dagster.assets.training import POLICIES, policy_evaluation, rl_policy, sft_policy
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.contracts.evolution import ArmPractice, PractisedTask, RoundPractice
from envfactory_dagster.contracts.records import StageRecord
from envfactory_dagster.measuring.recipes import view_of
from envfactory_dagster.resources.arena import ArenaResource
from envfactory_dagster.resources.store import StoreResource
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.objects import Objects
from envfactory_dagster.store.records import RecordStore
from tests.dagster.site_kit import wait
from tests.trainer.clerk import MODEL, clerk
from tests.trainer.shop import Shop, build, save_policy
from tests.trainer.training import RECIPE, environment
from trainer.recipe import Recipe

pytestmark = pytest.mark.long

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

    def materialize_all(
        self, assets: Sequence[dg.AssetsDefinition] = POLICIES, **recipes: Any
    ) -> dg.ExecuteInProcessResult:
        """As the job `train_policy` does it, with a recipe for each asset."""
        return dg.materialize(
            assets,
            instance=self.instance,
            resources={
                "store": StoreResource(home=str(self.home)),
                "trainer": dg.PipesSubprocessClient(env=environment()),
            },
            run_config={"ops": {name: {"config": {"recipe": recipe}} for name, recipe in recipes.items()}},
            raise_on_error=False,
        )

    def runs(self, asset: str) -> list[Path]:
        return [one for one in (self.home / "policies" / asset).glob("*") if one.is_dir()]

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
    begun = {"policy": {"base": str(save_policy(folder / "base"))}}
    sft = {**RECIPE["sft"], "epochs": 20}
    recipe.write_text(yaml.safe_dump(RECIPE | begun | {"sft": sft, "save_every": 10, "log_every": 1}))
    with dg.DagsterInstance.local_temp(str(tmp_path_factory.mktemp("instance"))) as instance:
        yield School(shop.home, recipe, instance)


async def _built(folder: Path) -> Shop:
    async with Runtime() as runtime:
        return await build(runtime, folder)


@dataclass(frozen=True)
class FarSchool(School):
    """The same in an object store."""

    home: str  # type: ignore[assignment]


def test_a_policy_is_trained_on_after_a_round_and_the_next_round_goes_on_with_it(
    school: School, tmp_path: Path
) -> None:
    """What is practised after these rounds is all that the shop has."""
    home = Path(shutil.copytree(school.home, tmp_path / "home"))
    begun = home / "policies" / "rl_policy" / "given"
    save_policy(begun / "policy")
    (begun / "result.json").write_text('{"finished": true}')
    (begun.parent / "LATEST").write_text("given")
    recipe, given = tmp_path / "short.yaml", {}
    short = yaml.safe_load(school.recipe.read_text())
    recipe.write_text(yaml.safe_dump(short | {"grpo": {**short["grpo"], "tasks": 2, "group": 4, "steps": 1}}))
    for key in ("x-r00", "x-r01"):
        data = home / "arena" / key / "practice" / "targeted" / VERSION
        for room in ("records", "bundles", "datasets"):
            shutil.copytree(school.home / room, data / room)
        RecordStore(Home.resolve(home)).keep(practised(key))
        school.instance.add_dynamic_partitions("rounds", [key])
        result = dg.materialize(
            [round_policy],
            instance=school.instance,
            partition_key=key,
            resources={
                "store": StoreResource(home=str(home)),
                "arena": ArenaResource(recipe=str(recipe)),
                "trainer": dg.PipesSubprocessClient(env=environment()),
            },
            raise_on_error=False,
        )
        shown = told(result)
        given[key] = shown["given_policy"]
        [because] = shown["because"].records
        assert because.data["sentence"] == "The policy ends too early." and because.data["tasks"] == 1
        assert not shown["simulated"]
    assert given["x-r00"] == str(begun / "policy")
    latest = (home / "policies" / "round_policy-x-r00" / "LATEST").read_text()
    assert given["x-r01"] == str(home / "policies" / "round_policy-x-r00" / latest / "policy")


def practised(key: str) -> StageRecord:
    task = PractisedTask(
        environment="tiny-shop", task="order_2_of_3", kind="action", origin="target",
        because="The policy ends too early.",
    )  # fmt: skip
    artifact = RoundPractice(arms=[ArmPractice(arm="targeted", dataset=VERSION, tasks=[task])]).model_dump(mode="json")
    return StageRecord(stage="round_practice", partition=key, status="ok", inputs="1", version="1", artifact=artifact)


def test_an_object_store_is_read_and_keeps_what_was_trained(
    school: School, bucket: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    objects = Objects(Home.resolve(bucket).root)
    for file in school.home.rglob("*"):
        if file.is_file() and not file.is_relative_to(school.home / "policies"):
            objects.upload(file, file.relative_to(school.home).as_posix())
    far = FarSchool(bucket, school.recipe, school.instance)
    told_by = {}
    for machine in ("one", "another"):
        (tmp_path / machine).mkdir()
        monkeypatch.chdir(tmp_path / machine)
        told_by[machine] = told(far.materialize(sft_policy))
        written = {path.name: path.stat().st_mtime_ns for path in Path(".envfactory/policies").rglob("result.json")}
        assert written
    assert told_by["one"] == told_by["another"]
    logs = [entry.user_message for entry in school.instance.all_logs(_last_run(school.instance))]
    assert any("this run is finished already" in message for message in logs), "it is not done again"
    shown = told(far.materialize(policy_evaluation, k=1, policy="sft_policy", splits=["rl"]))
    assert shown["run"] in objects.names("policies/policy_evaluation")


def _last_run(instance: dg.DagsterInstance) -> str:
    return instance.get_runs(limit=1)[0].run_id


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
    assert (taught["finished"], taught["examples"], taught["dropped"]) == (True, 8, 0)
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


def test_an_endpoint_is_evaluated(school: School, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ask = {"k": 1, "splits": ["rl"], "policy": "endpoint"}
    assert "There is no endpoint to evaluate" in failure(school.materialize(policy_evaluation, **ask))
    with clerk(items=[3, 5]) as (url, endpoint):
        monkeypatch.setenv("ENVFACTORY_LLM_BASE_URL", url)
        monkeypatch.setenv("ENVFACTORY_SOLVER_MODEL", MODEL)
        shown = told(school.materialize(policy_evaluation, **ask))
        asked = len(endpoint.bodies)
        assert told(school.materialize(policy_evaluation, **ask)) == shown
        assert len(endpoint.bodies) == asked, "what is finished is not paid for again"
        before = len(school.runs("policy_evaluation"))
        monkeypatch.setenv("ENVFACTORY_USER_MODEL", MODEL)
        told(school.materialize(policy_evaluation, **ask))
        assert len(school.runs("policy_evaluation")) == before + 1, "with another person it is another evaluation"
    assert (shown["rl greedy pass@1"], shown["given_policy"]) == (0.5, f"{MODEL} at {url}")


def test_a_curriculum_says_which_tasks_are_played(school: School, taught: dict[str, Any], tmp_path: Path) -> None:
    rows = school.home / "datasets" / "rl" / VERSION / "rows" / "tiny-shop.jsonl"
    traces = [json.loads(line)["trace"] for line in rows.read_text().splitlines()][:3]
    named = [{"environment": t["environment"], "version": t["bundle_version"], "task": t["task"]} for t in traces]
    curriculum = tmp_path / "curriculum.jsonl"
    curriculum.write_text("".join(json.dumps(one) + "\n" for one in named))
    before = len(school.runs("rl_policy"))
    assert told(school.materialize(rl_policy, curriculum=str(curriculum)))["tasks"] == 3
    assert len(school.runs("rl_policy")) == before + 1, "another curriculum makes another policy"
    assert "envfactory calibrate" in failure(school.materialize(rl_policy, curriculum="nowhere.jsonl"))


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
    assert "There is no finished sft_policy in" in failure(moved.materialize(rl_policy))
    shutil.copytree(school.home / "policies", moved.home / "policies")
    shutil.rmtree(moved.home / "policies" / "sft_policy" / taught["run"])
    assert "materialize it again" in failure(moved.materialize(rl_policy))


def test_the_home_tells_which_policy_is_gone_on_with(school: School, taught: dict[str, Any]) -> None:
    """To Dagster another instance is new; the home is not."""
    with dg.DagsterInstance.ephemeral() as instance:
        elsewhere = School(school.home, school.recipe, instance)
        shown = told(elsewhere.materialize(policy_evaluation, k=2, splits=["rl"], policy="sft_policy"))
    assert shown["given_policy"] == taught["policy"]


@pytest.fixture
def of_another_protocol(tmp_path: Path) -> str:
    """A recipe like those of Qwen3; `rl_dataset` is as it is by default."""
    wants = tmp_path / "wants-meta-tools.yaml"
    wants.write_text(yaml.safe_dump(RECIPE | {"grpo": {**RECIPE["grpo"], "protocol": "meta_tools"}}))
    return str(wants)


@pytest.mark.parametrize("by_variable", [False, True])
def test_tasks_under_another_protocol_are_noticed_before_anything_is_trained(
    school: School, of_another_protocol: str, by_variable: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RECIPE", of_another_protocol)
    wants: Any = {"env": "RECIPE"} if by_variable else of_another_protocol
    before = school.runs("sft_policy")
    said = failure(school.materialize_all(sft_policy=wants, rl_policy=wants, policy_evaluation=wants))
    assert "rl_policy is to play under the protocol meta_tools" in said
    assert "Materialize rl_dataset with `protocols: [meta_tools]`" in said
    assert school.runs("sft_policy") == before


def test_a_curriculum_that_is_not_there_is_noticed_before_anything_is_trained(school: School, tmp_path: Path) -> None:
    before = school.runs("sft_policy")
    result = dg.materialize(
        [sft_policy, rl_policy],
        instance=school.instance,
        resources={"store": StoreResource(home=str(school.home)), "trainer": dg.PipesSubprocessClient()},
        run_config={
            "ops": {
                "sft_policy": {"config": {"recipe": str(school.recipe)}},
                "rl_policy": {"config": {"recipe": str(school.recipe), "curriculum": str(tmp_path / "none.jsonl")}},
            }
        },
        raise_on_error=False,
    )
    assert "There is no curriculum" in failure(result)
    assert school.runs("sft_policy") == before


def test_before_the_policy_plays_it_is_looked_at_how_it_is_evaluated(school: School, of_another_protocol: str) -> None:
    before = school.runs("rl_policy")
    following = [rl_policy, policy_evaluation]
    recipes = {"rl_policy": str(school.recipe), "policy_evaluation": of_another_protocol}
    said = failure(school.materialize_all(following, **recipes))
    assert "policy_evaluation is to play under the protocol meta_tools" in said
    assert school.runs("rl_policy") == before


def test_tasks_that_the_same_run_makes_are_not_looked_at_before_they_are_there(
    school: School, taught: dict[str, Any], of_another_protocol: str
) -> None:
    @dg.asset
    def rl_dataset() -> None:
        """Makes what is there already."""

    recipes = {"sft_policy": str(school.recipe), "rl_policy": of_another_protocol}
    result = school.materialize_all([rl_dataset, sft_policy, rl_policy], **recipes)
    made = {event.materialization.asset_key.to_user_string() for event in result.get_asset_materialization_events()}
    assert made == {"rl_dataset", "sft_policy"}
    assert "rl_policy is to play under the protocol meta_tools" in failure(result)


def test_a_recipe_that_names_no_protocol_is_taken_as_the_trainer_takes_it(tmp_path: Path) -> None:
    for name, parts in (("nothing", {}), ("other things", {"grpo": {"tasks": 2}})):
        recipe = tmp_path / f"{name}.yaml"
        recipe.write_text(yaml.safe_dump({"name": name, "policy": {"base": "somewhere"}, **parts}))
        assert view_of(recipe).protocol == Recipe.read(recipe).grpo.protocol


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
    assert what_happened(ended, tmp_path) is ended
    (tmp_path / "failure.json").write_text(json.dumps({"sentence": "The budget is spent.", "status": 1}))
    told = what_happened(ended, tmp_path)
    assert isinstance(told, dg.Failure)
    assert (told.description, told.allow_retries) == ("The budget is spent.", False)


@pytest.mark.parametrize("given", [{}, {"sft_policy": "one that is there"}])
def test_without_a_recipe_nothing_is_trained_and_the_setting_is_named(school: School, given: dict[str, str]) -> None:
    before = school.runs("sft_policy")
    said = failure(school.materialize_all(**dict.fromkeys(given, str(school.recipe))))
    assert "No recipe is set" in said
    assert "sft_policy: {config: {recipe:" in said and "envfactory" in said
    assert school.runs("sft_policy") == before


def test_a_recipe_that_nobody_knows(school: School) -> None:
    result = school.materialize(sft_policy, recipe=Path("nowhere"))
    assert "neither a file nor one of" in failure(result)


def test_without_a_dataset_there_is_nothing_to_train_on(tmp_path: Path) -> None:
    with dg.DagsterInstance.ephemeral() as instance, pytest.raises(UsageError, match="There is no sft_dataset in"):
        dg.materialize(
            [sft_policy],
            instance=instance,
            resources={"store": StoreResource(home=str(tmp_path)), "trainer": dg.PipesSubprocessClient()},
        )
