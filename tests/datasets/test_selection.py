"""The best of the candidates, and the best without what it did not need: nothing that matters is ever left out."""

from dataclasses import replace
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import pytest_asyncio

from envfactory_dagster import examples
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.synthesis import MadeTask, Release
from envfactory_dagster.contracts.trajectory import Reward, Step, Tokens, ToolRequest, Trajectory
from envfactory_dagster.contracts.truth import Verdict
from envfactory_dagster.datasets.building import best, best_of_each, calls
from envfactory_dagster.datasets.shortening import Shortened, shorten
from envfactory_dagster.rollouts.endings import Cause
from envfactory_dagster.rollouts.engine import Engine
from envfactory_dagster.rollouts.model import Model
from envfactory_dagster.rollouts.prompts import STOP
from envfactory_dagster.rollouts.scoring import Rollout
from envfactory_dagster.rollouts.settings import RolloutSettings
from envfactory_dagster.rollouts.store import TrajectoryStore
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.home import Home
from envfactory_dagster.tasks.released import released
from envfactory_dagster.truth.replay import replay
from envfactory_dagster.truth.rewards import RewardSettings
from tests.rollouts.scripted import Line, Scripted, finishes, followed, says
from tests.rollouts.scripted import calls as asks_for
from tests.support.reports import report
from tests.tasks.huts_kit import golds_of, made_tasks

TASKS = ("call_it_off", "best_hut_in_reach", "accounts_of_2026")
MANY = RewardSettings(weights={"outcome": 1.0, "path_and_state": 1.0})


class Ground:
    """The huts' tasks, played as a test says and shortened."""

    def __init__(self, runtime: Runtime, huts: Bundle, made: dict[str, MadeTask]) -> None:
        self.runtime, self.huts, self.made = runtime, huts, made
        release = Release(version=huts.version, tasks=list(made.values()))
        self.assigned = {one.task.id: one for one in released(huts, release, MANY)}

    def script(self, task: str) -> list[Line]:
        gold = self.made[task].solution
        return followed(gold.calls, gold.report)

    async def play(self, task: str, lines: list[Line], user: Model | None = None) -> Rollout:
        settings = RolloutSettings(reward=MANY, setting="conversation" if user else "single")
        with TemporaryDirectory() as folder:
            engine = Engine(self.runtime, Scripted(lines), settings, TrajectoryStore(Home.resolve(folder)), user)
            [rollout] = [rollout async for rollout in engine.roll([self.assigned[task]])]
        return rollout

    async def shorten(self, rollout: Rollout) -> Shortened | None:
        """A shortened episode replays, is worth no less, and makes every call that changed something."""
        task = rollout.trajectory.task
        settings = RolloutSettings(reward=MANY)
        found = await shorten(self.runtime, self.assigned[task], self.made[task], settings, rollout)
        if found is not None:
            self._holds(rollout.trajectory, found.rollout.trajectory)
            assert (await replay(self.runtime, self.huts, found.rollout.trajectory)).reproduced
        return found

    def _holds(self, long: Trajectory, short: Trajectory) -> None:
        assert short.verdict is not None and short.verdict.score == 1.0
        assert long.reward is not None and short.reward is not None and short.reward.total >= long.reward.total
        assert len(requests(short)) < len(requests(long)) or len(short.steps) < len(long.steps)
        assert self._writes(short) == self._writes(long)
        assert short.report == long.report is not None
        assert [step.number for step in short.steps] == list(range(len(short.steps)))

    def _writes(self, trajectory: Trajectory) -> list[tuple[str, object]]:
        read_only = {tool.name for tool in self.huts.tools if tool.annotations.readOnlyHint}
        return [
            (call.name, call.arguments)
            for step in trajectory.steps
            for call, seen in zip(step.calls, step.observations, strict=True)
            if call.name not in read_only and seen.outcome == "ok"
        ]


def requests(trajectory: Trajectory) -> list[ToolRequest]:
    return [call for step in trajectory.steps for call in step.calls]


@pytest_asyncio.fixture(scope="module")
async def ground(runtime: Runtime) -> Ground:
    huts = examples.load("alpine_huts")
    return Ground(runtime, huts, made_tasks(huts, await golds_of(runtime, huts, TASKS)))


# -- the best of the candidates ----------------------------------------------------------------------------------------


def candidate(seed: int, score: float = 1.0, steps: int = 3, cause: Cause = "answered", **more: Any) -> Rollout:
    request = ToolRequest(id="a", name="look", arguments={})
    trajectory = Trajectory(
        environment="tiny-shop",
        bundle_version="v1",
        task=more.get("task", "buy"),
        state="initial",
        clock="2026-03-02T09:00:00",
        protocol="native",
        model="test",
        seed=seed,
        steps=[Step(number=number, calls=[request]) for number in range(steps)],
        ending="answered",
        verdict=Verdict(score=score),
        reward=Reward(total=more.get("reward", score)),
        state_hash="0" * 64,
    )
    return Rollout(trajectory, "single", cause, "", [])


def test_the_highest_reward_wins_then_the_fewest_calls_then_the_lowest_seed() -> None:
    rewarded = [candidate(0, reward=0.8), candidate(1, reward=0.9), candidate(2, reward=0.85)]
    assert best(rewarded) is rewarded[1]
    short = [candidate(0, steps=5), candidate(2, steps=2), candidate(1, steps=2)]
    assert best(short) is short[2]


def test_who_did_not_do_the_task_is_nobodys_best() -> None:
    assert best([candidate(0, score=0.5), candidate(1, cause="step_limit")]) is None
    halves = [candidate(0, score=0.5), candidate(1, score=0.25)]
    assert best(halves, least=0.5) is halves[0]


def test_every_task_has_a_best_of_its_own() -> None:
    found = best_of_each([candidate(1), candidate(0), candidate(0, task="sell"), candidate(0, 0.0, task="give")])
    assert [(one.trajectory.task, one.trajectory.seed) for one in found] == [("buy", 0), ("sell", 0)]


# -- without what was not needed ---------------------------------------------------------------------------------------

LOOK = asks_for(("list_payment_methods", {}))
NO_SUCH_HUT = asks_for(("get_hut", {"hut_id": 4040}))


async def test_what_the_reference_solution_does_has_nothing_needless(ground: Ground) -> None:
    for task in TASKS:
        assert await ground.shorten(await ground.play(task, ground.script(task))) is None


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("task", TASKS)
async def test_what_is_strewn_in_is_left_out_and_nothing_that_matters(ground: Ground, task: str, seed: int) -> None:
    random, gold = Random(seed), ground.made[task].solution.calls
    reads = {tool.name for tool in ground.huts.tools if tool.annotations.readOnlyHint}
    strewn: list[Line] = []
    for line, call in zip(ground.script(task), [*gold, None], strict=True):
        again = call is not None and call.tool in reads and random.random() < 0.7
        strewn += [line, line] if again else [line]
    found = await ground.shorten(await ground.play(task, strewn))
    needless = len(strewn) - len(gold) - 1
    assert (len(found.left_out) if found is not None else 0) == needless


async def test_a_look_at_something_else_is_left_out_where_something_was_to_be_done(ground: Ground) -> None:
    script = ground.script("call_it_off")
    found = await ground.shorten(await ground.play("call_it_off", [LOOK, *script]))
    assert found is not None
    assert "list_payment_methods" not in {call.name for call in requests(found.rollout.trajectory)}


async def test_in_a_question_every_look_may_have_counted(ground: Ground) -> None:
    script = ground.script("best_hut_in_reach")
    assert await ground.shorten(await ground.play("best_hut_in_reach", [LOOK, *script])) is None


async def test_a_failed_call_is_left_out_once_it_worked(ground: Ground) -> None:
    script = ground.script("best_hut_in_reach")
    gold = ground.made["best_hut_in_reach"].solution.calls
    wrong = asks_for((gold[2].tool, gold[2].arguments | {"hut_id": 4040}))
    rollout = await ground.play("best_hut_in_reach", [*script[:2], wrong, *script[2:]])
    assert rollout.trajectory.steps[2].observations[0].outcome == "agent"
    found = await ground.shorten(rollout)
    assert found is not None and calls(found.rollout) == len(gold)
    never_again = await ground.play("best_hut_in_reach", [NO_SUCH_HUT, *script])
    assert await ground.shorten(never_again) is None


async def test_what_is_worth_nothing_is_not_shortened(ground: Ground) -> None:
    rollout = await ground.play("call_it_off", [LOOK, LOOK, finishes(report("impossible", "I gave up."))])
    assert await ground.shorten(rollout) is None


async def test_a_call_out_of_several_goes_alone(ground: Ground) -> None:
    gold = ground.made["call_it_off"].solution.calls
    first = asks_for((gold[0].tool, gold[0].arguments), ("list_payment_methods", {}))
    found = await ground.shorten(await ground.play("call_it_off", [first, *ground.script("call_it_off")[1:]]))
    assert found is not None
    assert [call.name for call in found.rollout.trajectory.steps[0].calls] == [gold[0].tool]
    assert [call.id for call in found.rollout.trajectory.steps[0].calls] == ["call_0_0"]


# -- conversations -----------------------------------------------------------------------------------------------------


def talked(script: list[Line]) -> list[Line]:
    """As it goes where somebody can be spoken to: the report comes when the conversation is over."""
    return [*script[:-1], says("It is done. Is that all right?"), script[-1]]


async def test_a_question_that_brings_nothing_new_is_left_out(ground: Ground) -> None:
    script = ground.script("call_it_off")
    wish = "I cannot come this weekend. Call my stay off, take Marek off it, and tell me what comes back."
    user = Scripted([says(wish), says("Certainly."), says(f"Yes. {STOP}")])
    lines = [says("Shall I really do that for you?"), *talked(script)]
    found = await ground.shorten(await ground.play("call_it_off", lines, user))
    assert found is not None
    assert [part.call for part in found.left_out] == [""]
    assert not any("really" in step.text for step in found.rollout.trajectory.steps)
    assert [bool(step.notice) for step in found.rollout.trajectory.steps[-2:]] == [True, False]


async def test_a_question_whose_answer_says_more_stays(ground: Ground) -> None:
    wish = next(task.text for task in ground.huts.tasks if task.id == "call_it_off")
    begun, rest = wish[: len(wish) // 2], wish[len(wish) // 2 :]
    user = Scripted([says(begun), says(rest), says(STOP)])
    lines = [says("What else is there?"), *talked(ground.script("call_it_off"))]
    assert await ground.shorten(await ground.play("call_it_off", lines, user)) is None


# -- tokens ------------------------------------------------------------------------------------------------------------


async def test_tokens_stay_only_where_the_policy_saw_what_is_recorded(ground: Ground) -> None:
    script = ground.script("call_it_off")
    rollout = await ground.play("call_it_off", [*script[:2], LOOK, *script[2:]])
    tokens = Tokens(ids=[1, 2], mask=[False, True])
    steps = [step.model_copy(update={"tokens": tokens}) for step in rollout.trajectory.steps]
    sampled = replace(rollout, trajectory=rollout.trajectory.model_copy(update={"steps": steps}))
    found = await ground.shorten(sampled)
    assert found is not None
    kept = [step.tokens is not None for step in found.rollout.trajectory.steps]
    assert kept == [True, True, *[False] * (len(kept) - 2)]
