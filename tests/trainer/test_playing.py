"""Playing batches for GRPO: how long the sessions took, and batches that say nothing about the policy."""

import asyncio
import json
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import pytest
import torch

import trainer.sampling
from envfactory_dagster.contracts.errors import InfrastructureFault
from envfactory_dagster.datasets.assigned import load_tasks, read_tasks
from envfactory_dagster.rollouts.assignments import Assignment
from envfactory_dagster.rollouts.reference import ReferencePolicy
from envfactory_dagster.runtime.pool import SessionPool
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.home import Home
from envfactory_dagster.truth.rewards import RewardSettings, needs_judge
from tests.support.runtimes import Counting, Slow
from tests.support.tiny import LETHAL
from tests.trainer.shop import Shop, out_of_order
from tests.trainer.training import RECIPE, recipe
from trainer.__main__ import main
from trainer.failures import EnvironmentsDown, RecipeError
from trainer.people import judge_of, with_a_person
from trainer.playing import REWARDS, Played, play, rollout_settings
from trainer.policies import LoadedPolicy
from trainer.recipe import Grpo, Recipe
from trainer.sampling import Sampling, Written

SETTINGS = rollout_settings(Recipe.model_validate(RECIPE).grpo.model_copy(update={"group": 2, "in_flight": 2}))


@pytest.fixture(scope="module")
def policy(untaught: LoadedPolicy) -> LoadedPolicy:
    return untaught


def tasks_of(home: Path, data: Path, number: int) -> list[Assignment]:
    return load_tasks(read_tasks(data)[:number], Home.resolve(home), SETTINGS.reward)


def played(policy: LoadedPolicy, tasks: list[Assignment], folder: Path, runtime: Runtime) -> Played:
    async def work() -> Played:
        async with runtime, SessionPool(runtime) as sessions:
            return await batch(policy, tasks, [], folder, runtime, sessions)

    return asyncio.run(work())


async def batch(
    policy: LoadedPolicy,
    tasks: list[Assignment],
    ahead: list[Assignment],
    folder: Path,
    runtime: Runtime,
    sessions: SessionPool,
) -> Played:
    sampling = Sampling(most_new_tokens=4, longest=1000)
    return await play(
        runtime, policy, sampling, SETTINGS, tasks, sessions, ahead=ahead, folder=folder, seed=0, name="policy"
    )


def spoken(tasks: list[Assignment]) -> list[Assignment]:
    """The same as conversations, in which the person brings up what the task's text says."""
    return [replace(one, setting="conversation") for one in tasks]


def test_a_conversation_is_played_with_the_person(
    shop: Shop, policy: LoadedPolicy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beside a task that is none, in one batch: each as an evaluation plays it."""
    alone, other = tasks_of(shop.home, shop.rl, 2)
    asks = policy.tokenizer.encode("Which one?<|im_end|>", add_special_tokens=False)

    def write(policy: LoadedPolicy, batch: Any, sampling: Sampling) -> list[Written]:
        return [Written(asks, [-1.0] * len(asks), True) for _ in batch]

    monkeypatch.setattr(trainer.sampling, "generate", write)

    async def work() -> Played:
        async with Runtime() as runtime, SessionPool(runtime) as sessions:
            return await play(
                runtime, policy, Sampling(longest=4_000), SETTINGS, [alone, *spoken([other])], sessions, ahead=[],
                folder=tmp_path, seed=0, name="policy", person=ReferencePolicy.of_name("reference"),
            )  # fmt: skip

    single, conversation = asyncio.run(work()).groups
    assert [one.setting for one in (*single, *conversation)] == ["single"] * 2 + ["conversation"] * 2
    assert {one.trajectory.task for one in conversation} == {other.task.id}
    assert all(one.trajectory.opening == other.task.text for one in conversation), "the person has said it"
    assert {remark for one in conversation for remark in one.remarks} == {"user_scripted"}
    assert not any(one.remarks for one in single)


def test_conversations_are_left_out_where_nobody_plays_the_person(
    shop: Shop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tasks = tasks_of(shop.home, shop.rl, 3)
    mixed = [*spoken(tasks[:1]), tasks[1], *spoken(tasks[2:])]
    assert with_a_person(tasks) == ([0, 1, 2], "")
    kept, said = with_a_person(mixed)
    assert (kept, "a script that understands nothing" in said) == ([0, 1, 2], True), "as in an evaluation"
    monkeypatch.setenv("ENVFACTORY_LLM_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("ENVFACTORY_SOLVER_MODEL", "some-model")
    kept, said = with_a_person(mixed)
    assert kept == [1]
    assert said.startswith("2 of 3 tasks are conversations and left out, since nobody plays the person.")
    rows = [json.loads(line) | {"setting": "conversation"} for line in shop.rl.read_text().splitlines()]
    data = tmp_path / "talks.jsonl"
    data.write_text("".join(json.dumps(row) + "\n" for row in rows))
    given = ["grpo", "--recipe", recipe(tmp_path), "--data", data, "--home", shop.home, "--out", tmp_path / "out"]
    assert main([*map(str, given)]) == RecipeError.exit_status
    assert "ENVFACTORY_USER_MODEL" in capsys.readouterr().err


def test_a_wrong_argument_ends_an_episode_only_where_the_reward_says_so() -> None:
    usual = rollout_settings(Grpo()).reward.format_rules["native"]
    strict = Grpo.model_validate({"reward": {"weights": {"outcome": 1.0}, "format_rules": "all"}})
    assert {*rollout_settings(strict).reward.format_rules["native"]} - {*usual} == {"tool_name", "arguments"}


class Failing(torch.nn.Module):
    """A model whose device is gone."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = torch.nn.Parameter(torch.zeros(1))

    def forward(self, *given: Any, **more: Any) -> Any:
        raise InfrastructureFault("The device is gone.")


def test_a_policy_of_this_process_may_write_as_long_as_it_takes() -> None:
    assert SETTINGS.step_seconds is None


def test_rewards_are_chosen_by_name_or_by_their_weights() -> None:
    weights = {"checks": 3.0, "path_and_state": 1.0}
    chosen = Grpo.model_validate({"reward": {"weights": weights, "alpha": {"start": 0.2, "end": 0.8, "steps": 10}}})
    assert rollout_settings(chosen, step=5).reward.alpha.at(0) == pytest.approx(0.5), "it moves with the steps"
    assert rollout_settings(chosen).reward.weights == weights
    assert rollout_settings(Grpo(reward="verdict")).reward.weights == {"checks": 1.0}


def test_every_reward_that_a_recipe_may_name_is_known_and_no_other() -> None:
    named = {name for choice in get_args(Grpo.model_fields["reward"].annotation) for name in get_args(choice)}
    assert named == set(REWARDS)


AWM = Recipe.read(Path(__file__).parents[2] / "trainer/recipes/agent-world-model.yaml").grpo.reward
assert isinstance(AWM, RewardSettings)


def test_the_recipe_of_agent_world_model_has_a_judge_read_what_the_checks_found() -> None:
    assert AWM.strategy == "code_augmented"
    assert needs_judge(rollout_settings(Grpo(reward=AWM)).reward)


@pytest.mark.parametrize(
    ("settings", "reward", "asked"),
    [
        ({"ENVFACTORY_JUDGE_MODEL": "reader"}, {}, True),
        ({"ENVFACTORY_JUDGE_MODEL": "reader"}, {"message_words": False}, False),
        ({"ENVFACTORY_SOLVER_MODEL": "player"}, {}, False),
    ],
    ids=str,
)
async def test_a_judge_that_is_set_reads_messages_by_default(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: dict[str, str], reward: dict[str, Any], asked: bool
) -> None:
    for name, value in {"ENVFACTORY_LLM_BASE_URL": "http://127.0.0.1:9/v1", **settings}.items():
        monkeypatch.setenv(name, value)
    async with AsyncExitStack() as opened:
        judge = await judge_of(RewardSettings.model_validate(reward), "x", Home.resolve(tmp_path), opened)
    assert (judge is not None) is asked


@pytest.mark.parametrize(
    "judged",
    [{"strategy": "judge_only"}, {"weights": {"rubric": 1.0}}, AWM.model_dump()],
    ids=["judge_only", "rubric", "awm"],
)
@pytest.mark.parametrize("command", ["grpo", "evaluate"])
def test_a_reward_that_needs_a_judge_is_refused_where_no_model_is_set_for_one(
    shop: Shop,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    judged: dict[str, Any],
    command: str,
) -> None:
    monkeypatch.setenv("ENVFACTORY_LLM_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("ENVFACTORY_SOLVER_MODEL", "some-model")
    how = recipe(tmp_path, grpo={"reward": judged})
    out = tmp_path / "out"
    given = [command, "--recipe", how, "--data", shop.rl, "--home", shop.home, "--out", out, "--policy", tmp_path]
    assert main([*map(str, given)]) == RecipeError.exit_status
    assert "ENVFACTORY_JUDGE_MODEL" in capsys.readouterr().err
    assert not (out / "rollouts").exists() and not (out / "episodes").exists()


def test_the_wait_for_all_sessions_is_told(shop: Shop, policy: LoadedPolicy, tmp_path: Path) -> None:
    """All are opened at once, though only two episodes are played at a time."""
    found = played(policy, tasks_of(shop.home, shop.rl, 2), tmp_path, Slow())
    assert [len(group) for group in found.groups] == [2, 2]
    assert 0.1 <= found.session_seconds < found.seconds


def test_environments_of_the_next_batch_start_while_this_one_is_played(
    shop: Shop, policy: LoadedPolicy, tmp_path: Path
) -> None:
    other = out_of_order(shop, tmp_path, "# Only another one: nothing is wrong with it.\n")
    (now,), (later,) = tasks_of(shop.home, shop.rl, 1), tasks_of(*other, 1)
    runtime = Counting()

    async def work() -> list[int]:
        async with runtime, SessionPool(runtime) as sessions:
            await batch(policy, [now], [later], tmp_path / "now", runtime, sessions)
            opened = [runtime.opened]
            await batch(policy, [later], [], tmp_path / "later", runtime, sessions)
            return [*opened, runtime.opened]

    assert asyncio.run(work()) == [4, 4], "those that were opened ahead are played in"


def test_one_environment_that_cannot_be_opened_does_not_end_the_batch(
    shop: Shop, policy: LoadedPolicy, tmp_path: Path
) -> None:
    home, data = out_of_order(shop, tmp_path, LETHAL)
    tasks = [*tasks_of(home, data, 1), *tasks_of(shop.home, shop.rl, 1)]
    lost, fine = played(policy, tasks, tmp_path / "out", Runtime()).groups
    assert {one.trajectory.outcome for one in lost} == {"environment_error"}
    assert all("died 3 times in a row" in one.detail for one in lost)
    assert not {one.trajectory.outcome for one in fine} & {"environment_error"}


def test_a_batch_in_which_nothing_but_the_surroundings_failed_is_not_one_without_differences(
    shop: Shop, policy: LoadedPolicy, tmp_path: Path
) -> None:
    """For several reasons at once: one environment does not load, and in the other the policy cannot write."""
    broken = LoadedPolicy(Failing(), policy.tokenizer, policy.renderer)  # type: ignore[arg-type]
    home, data = out_of_order(shop, tmp_path)
    tasks = [*tasks_of(shop.home, shop.rl, 1), *tasks_of(home, data, 1)]
    with pytest.raises(EnvironmentsDown, match="The device is gone"):
        played(broken, tasks, tmp_path / "out", Runtime())


def test_a_policy_without_limits_of_its_own_sees_everything_and_works_as_long_as_its_task_needs() -> None:
    settings = rollout_settings(Grpo())
    assert (settings.window, settings.steps_for(40)) == (None, 120)
    assert rollout_settings(Grpo(most_turns=8)).steps_for(40) == 8


def test_turns_are_trained_on_in_place_of_whole_conversations(shop: Shop, tmp_path: Path) -> None:
    whole = [json.loads(line) for line in shop.rl.read_text().splitlines()[:2]]
    turns = [row | {"turn": 0, "verifier": None} for row in whole]
    data = tmp_path / "turns.jsonl"
    data.write_text("".join(json.dumps(row) + "\n" for row in (*whole, *turns)))
    grpo = {"turns": True, "reward": "env_factory", "tasks": 2, "group": 2, "steps": 1, "patience": 1}
    how, out = recipe(tmp_path, grpo=grpo), tmp_path / "out"
    main(["grpo", "--recipe", str(how), "--data", str(data), "--home", str(shop.home), "--out", str(out)])
    episodes = [
        json.loads(line)["trajectory"]
        for file in out.rglob("trajectories/**/*.jsonl")
        for line in file.read_text().splitlines()
    ]
    assert {one["task"] for one in episodes} == {f"{row['trace']['task']}_turn_0" for row in whole}
    assert all(one["reward"] is not None and one["report"] is None for one in episodes)
