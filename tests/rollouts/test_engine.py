"""Episodes from beginning to end, with good and bad agents, users, environments: each is classified and stored."""

import asyncio
import errno
import json
import math
import os
import re
import signal
import sys
import time
from collections import deque
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.errors import BudgetExceeded, InfrastructureFault, UsageError
from envfactory_dagster.contracts.trajectory import Criterion
from envfactory_dagster.contracts.truth import ReferenceSolution
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import ChatAnswer, Choice, Role, Usage
from envfactory_dagster.language.settings import LanguageSettings, LimitSettings
from envfactory_dagster.rollouts.assignments import Assignment, assignments
from envfactory_dagster.rollouts.engine import Engine
from envfactory_dagster.rollouts.model import Model
from envfactory_dagster.rollouts.prompts import STOP
from envfactory_dagster.rollouts.results import About, task_results
from envfactory_dagster.rollouts.scoring import Rollout, score
from envfactory_dagster.rollouts.settings import RolloutSettings
from envfactory_dagster.rollouts.store import BATCH, TrajectoryStore
from envfactory_dagster.runtime.facts import analyze_tools
from envfactory_dagster.runtime.pool import SessionPool
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.runtime.session import Session
from envfactory_dagster.runtime.settings import RuntimeSettings
from envfactory_dagster.store.home import Home
from envfactory_dagster.truth.judging import Judge
from envfactory_dagster.truth.replay import replay
from envfactory_dagster.truth.rewards import RewardSettings
from envfactory_dagster.truth.yardstick import Yardstick
from tests.language.played_endpoint import PlayedEndpoint
from tests.language.played_endpoint import says as completion
from tests.rollouts.scripted import ByTask, Hanging, Line, Played, Scripted, answered, calls, followed, says
from tests.support.runtimes import Bereaved, Recovering, Slow
from tests.support.tiny import LETHAL

LOOK = calls(("list_payment_methods", {}))
ASSIGNED = dict[str, Assignment]
GOLDS = dict[str, ReferenceSolution]


def as_object(tool: str, arguments: dict[str, Any]) -> Line:
    """A call whose arguments are no text, as some endpoints send them."""
    return says("", tool_calls=[{"id": "c0", "function": {"name": tool, "arguments": arguments}}])


class Stage:
    """One task of the huts, played by whoever a test brings."""

    def __init__(
        self, runtime: Runtime, store: TrajectoryStore, assignment: Assignment, gold: ReferenceSolution | None = None
    ) -> None:
        self.runtime, self.store, self.assignment, self.gold = runtime, store, assignment, gold

    async def all(self, agent: Model, user: Model | None = None, **settings: Any) -> list[Rollout]:
        engine = Engine(self.runtime, agent, RolloutSettings(**settings), self.store, user)
        return [rollout async for rollout in engine.roll([self.assignment])]

    async def one(self, agent: Model, user: Model | None = None, **settings: Any) -> Rollout:
        """The only episode; it is in the store, and it replays."""
        [rollout] = await self.all(agent, user, **settings)
        assert self.store.read(self.assignment.bundle)[-1] == rollout
        assert (await replay(self.runtime, self.assignment.bundle, rollout.trajectory)).reproduced
        return rollout


@pytest.fixture
def stage(runtime: Runtime, store: TrajectoryStore, assigned: ASSIGNED, golds: GOLDS) -> Stage:
    return Stage(runtime, store, assigned["call_it_off"], golds["call_it_off"])


@pytest.fixture
def gold(golds: GOLDS) -> list[Line]:
    return followed(golds["call_it_off"].calls, golds["call_it_off"].answer)


JUDGED = [{"strategy": "judge_only"}, {"strategy": "code_augmented"}, {"weights": {"checks": 1.0, "rubric": 1.0}}]


@pytest.mark.parametrize("reward", JUDGED, ids=str)
async def test_a_reward_that_needs_a_judge_is_refused_where_there_is_none(
    stage: Stage, runtime: Runtime, store: TrajectoryStore, reward: dict[str, Any]
):
    settings = RolloutSettings(reward=RewardSettings.model_validate(reward))
    named = reward.get("strategy", "rubric")
    with pytest.raises(UsageError, match=f"needs a judge for .*`{named}`.*truth.judging.Judge"):
        Engine(runtime, Scripted([]), settings, store)
    with pytest.raises(UsageError, match=f"needs a judge for .*`{named}`"):
        await score(runtime, stage.assignment, settings, [])


def judging(*answers: dict[str, Any] | str) -> PlayedEndpoint:
    """An endpoint whose model judges so: one answer after the other, the last one for ever."""
    scenes = [completion(one if isinstance(one, str) else json.dumps(one)) for one in answers]
    return PlayedEndpoint(always=scenes[-1], stage=deque(scenes[:-1]))


def classed(outcome: str, **evidence: Any) -> dict[str, Any]:
    evidence = {"step": 0, "shows": "It looked.", **evidence}
    return {"reasoning": "So it is.", "outcome": outcome, "evidence": [evidence]}


async def judged(stage: Stage, agent: Model, endpoint: PlayedEndpoint, folder: Path, **settings: Any) -> list[Rollout]:
    models = LanguageSettings(
        base_url="http://judge/v1", models=dict.fromkeys(Role, "judge"), limits=LimitSettings(backoff_s=0.001)
    )
    reward = RewardSettings.model_validate(settings.pop("reward"))
    bundle, task = stage.assignment.bundle, stage.assignment.task
    facts = analyze_tools(bundle.tools_source, bundle.schema_sql)
    assert stage.gold is not None
    yardstick = Yardstick(bundle, task, stage.gold, facts, reward)
    assignment = replace(stage.assignment, yardstick=yardstick)
    async with Gateway(models, folder / "judge", app=endpoint.app()) as gateway:
        judge = Judge(gateway, "trajectories", bundle.key)
        engine = Engine(stage.runtime, agent, RolloutSettings(reward=reward, **settings), stage.store, judge=judge)
        return [rollout async for rollout in engine.roll([assignment])]


def total(rollout: Rollout) -> float | None:
    return None if rollout.trajectory.reward is None else rollout.trajectory.reward.total


@pytest.mark.parametrize("strategy", ["judge_only", "code_augmented"])
@pytest.mark.parametrize(
    ("outcome", "earned"), [("completed", 1.0), ("partially_completed", 0.1), ("agent_error", 0.0)]
)
async def test_the_judge_decides_what_is_earned(
    stage: Stage, gold: list[Line], tmp_path: Path, strategy: str, outcome: str, earned: float
):
    endpoint = judging(classed(outcome))
    [rollout] = await judged(stage, Scripted(gold), endpoint, tmp_path, reward={"strategy": strategy})
    assert total(rollout) == earned
    asked = endpoint.bodies[0]["messages"][-1]["content"]
    assert ("goal_" in asked) == (strategy == "code_augmented"), "by the steps alone, or with the checks"
    assert ('"success_criteria":["goal_' in asked.replace(" ", "").replace("\n", "")) == (strategy == "code_augmented")


@pytest.mark.parametrize(("met", "earned"), [((True, True), 1.0), ((True, False), 0.0)])
async def test_a_rubric_is_met_whole_or_not_at_all(
    stage: Stage, gold: list[Line], tmp_path: Path, met: tuple[bool, ...], earned: float
):
    names = ("booked_off", "told")
    stage.assignment = replace(stage.assignment, rubric=[Criterion(id=name, text=f"Has {name}.") for name in names])
    criteria = [{"criterion": name, "met": one, "reason": "So."} for name, one in zip(names, met, strict=True)]
    endpoint = judging({"criteria": criteria})
    [rollout] = await judged(stage, Scripted(gold), endpoint, tmp_path, reward={"weights": {"rubric": 1.0}})
    assert total(rollout) == earned


UNFOUNDED: list[dict[str, Any] | str] = [
    "It went well, I think.",
    classed("completed", step=99),
    classed("completed", quote="words that nobody has said"),
    classed("environment_error"),
]


@pytest.mark.parametrize("answer", UNFOUNDED, ids=str)
async def test_without_a_verdict_there_is_no_reward(
    stage: Stage, gold: list[Line], tmp_path: Path, answer: dict[str, Any] | str
):
    endpoint = judging(answer)
    [rollout] = await judged(stage, Scripted(gold), endpoint, tmp_path, reward={"strategy": "code_augmented"})
    assert (total(rollout), rollout.remarks) == (None, ["no_verdict"])
    assert rollout.detail.startswith("no verdict: ")
    assert endpoint.calls == 2, "it is asked once more"
    assert rollout.trajectory.outcome == "completed", "what the verifier says is kept"
    assert stage.store.read(stage.assignment.bundle) == [rollout]
    about = {(rollout.trajectory.environment, rollout.trajectory.task): About("action", 1, "task_set")}
    [result] = task_results([rollout], about)
    assert (result.reward, result.unscored) == (None, 1)


async def test_a_judge_that_mends_its_answer_is_heard(stage: Stage, gold: list[Line], tmp_path: Path):
    said = gold[-1]
    assert isinstance(said, dict)
    words = {"step": len(gold) - 1, "quote": said["content"][:30]}
    endpoint = judging(classed("completed", quote="made up"), classed("completed", **words))
    [rollout] = await judged(stage, Scripted(gold), endpoint, tmp_path, reward={"strategy": "judge_only"})
    assert total(rollout) == 1.0


async def test_the_same_episode_is_judged_once_and_what_code_settles_never(
    stage: Stage, gold: list[Line], tmp_path: Path
):
    endpoint = judging(classed("completed"))
    agent, reward = ByTask({stage.assignment.task.text: gold}), {"strategy": "code_augmented"}
    rollouts = [one for _ in range(2) for one in await judged(stage, agent, endpoint, tmp_path, reward=reward)]
    rollouts += await judged(stage, agent, endpoint, tmp_path, reward=reward, candidates=3)
    assert [total(one) for one in rollouts] == [1.0, 1.0, 1.0]
    assert endpoint.calls == 1
    stage.store = TrajectoryStore(Home.resolve(tmp_path / "other"))
    [silent] = await judged(stage, Scripted([says("")]), endpoint, tmp_path, reward=reward)
    assert (total(silent), endpoint.calls) == (0.0, 1)


# -- agents that do what they should -----------------------------------------------------------------------------------


async def test_who_does_what_the_reference_solution_did_completes_the_task(stage: Stage, gold: list[Line]):
    rollout = await stage.one(Scripted(gold))
    assert (rollout.cause, rollout.trajectory.ending, rollout.trajectory.outcome) == (
        "answered",
        "answered",
        "completed",
    )
    assert rollout.trajectory.reward is not None and rollout.trajectory.reward.total == 1.0
    assert all(step.timing is not None for step in rollout.trajectory.steps)


async def test_the_meta_tools_reach_the_same_tools(stage: Stage, golds: GOLDS):
    thinking = {"reasoning_content": "Next."}
    wrapped = [
        calls(("call_tool", {"tool_name": step.tool, "arguments": step.arguments}), **thinking)
        for step in golds["call_it_off"].calls
    ]
    answer = says(str(golds["call_it_off"].answer), **thinking)
    rollout = await stage.one(
        Scripted([calls(("list_tools", {}), **thinking), *wrapped, answer]), protocol="meta_tools"
    )
    assert rollout.trajectory.outcome == "completed"


async def test_thoughts_that_an_endpoint_keeps_to_itself_are_no_error_of_form(stage: Stage, golds: GOLDS):
    """Neither shown nor counted, as many endpoints do it."""
    wrapped = [
        calls(("call_tool", {"tool_name": step.tool, "arguments": step.arguments}))
        for step in golds["call_it_off"].calls
    ]
    lines = [calls(("list_tools", {})), *wrapped, says(str(golds["call_it_off"].answer))]
    rollout = await stage.one(Scripted(lines), protocol="meta_tools")
    assert (rollout.cause, rollout.trajectory.outcome) == ("answered", "completed")
    assert rollout.trajectory.reward is not None and rollout.trajectory.reward.total == 1.0


async def test_calls_have_ids_of_their_own_though_an_endpoint_numbers_those_of_every_message_anew(
    stage: Stage, gold: list[Line]
):
    agent = Scripted(gold)  # whose calls are all c0
    rollout = await stage.one(agent, window=None)
    asked = [call.id for step in rollout.trajectory.steps for call in step.calls]
    assert len(asked) > 2 and len(set(asked)) == len(asked) and asked[0] == "c0"
    shown = agent.shown[-1]
    assert [call["id"] for message in shown for call in message.get("tool_calls", [])] == asked  # type: ignore[union-attr, index, call-overload]
    assert [message["tool_call_id"] for message in shown if message["role"] == "tool"] == asked


async def test_calls_of_one_message_are_made_in_their_order(stage: Stage, golds: GOLDS):
    steps = golds["call_it_off"].calls
    together = calls(*((step.tool, step.arguments) for step in steps))
    rollout = await stage.one(Scripted([together, says(str(golds["call_it_off"].answer))]))
    assert rollout.trajectory.outcome == "completed"
    assert [one.name for one in rollout.trajectory.steps[0].calls] == [step.tool for step in steps]


async def test_only_the_first_and_the_latest_exchanges_are_shown(stage: Stage):
    agent = Scripted([*[calls(("list_payment_methods", {}), text=str(n)) for n in range(6)], says("Done.")])
    await stage.one(agent)
    said = [message["content"] for message in agent.shown[-1] if message["role"] == "assistant"]
    assert said == ["0", "3", "4", "5"]


async def test_candidates_differ_in_their_seed_and_are_played_once(stage: Stage, gold: list[Line]):
    agent = ByTask({stage.assignment.task.text: gold})
    assert sorted(one.trajectory.seed for one in await stage.all(agent, candidates=3)) == [0, 1, 2]
    assert await stage.all(agent, candidates=3) == []
    assert [one.trajectory.seed for one in await stage.all(agent, candidates=4)] == [3]


async def test_tokens_are_kept_as_they_were_sampled(stage: Stage):
    class Sampling(Scripted):
        async def answer(self, *asked: Any) -> ChatAnswer:
            choice = Choice({"role": "assistant", "content": "No."}, "stop", (7, 8), (-0.5, -0.25))
            return ChatAnswer((choice,), (1, 2, 3), Usage(), False, "sampling")

    tokens = (await stage.one(Sampling([]))).trajectory.steps[0].tokens
    assert tokens is not None
    assert tokens.ids == [1, 2, 3, 7, 8]
    assert tokens.mask == [False, False, False, True, True]
    assert tokens.logprobs == [0.0, 0.0, 0.0, -0.5, -0.25]


# -- agents that do not ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "cause", "remark"),
    [
        ([LOOK], "step_limit", None),
        ([says("x" * 200_000, finish_reason="length", tool_calls=LOOK["tool_calls"])], "token_limit", "cut_off"),
        ([says('<tool_call>{"name": "list_payment_methods", "arguments": {}}</tool_call>')], "answered", "prose_call"),
        ([says("")], "answered", "empty_message"),
        ([LOOK, says("")], "answered", "empty_message"),
        ([says("这个我不会。")], "answered", None),
        ([LOOK, calls(("pay_everything", {}))], "format", None),
        ([LOOK, calls(("list_payment_methods", '{"half": '))], "format", None),
        ([LOOK, calls(("list_charges", {"status": "unheard of"}))], "format", None),
        ([LOOK, calls(("list_charges", '{"status": ' + "[" * 250 + "]" * 250 + "}"))], "format", None),
        ([LOOK, as_object("list_charges", {"status": 10**30})], "format", None),
        ([LOOK, as_object("list_charges", {"status": float("nan")})], "format", None),
        ([LOOK, calls(("\ud800", {}))], "format", None),
        ([LOOK, calls(("list_charges", '{"status": "\ud800"}'))], "format", None),
        ([says("Half \ud800.", reasoning_content="\udc00")], "answered", None),
    ],
)
async def test_a_bad_agent_gets_nothing_and_is_kept(stage: Stage, lines: list[Any], cause: str, remark: str | None):
    rollout = await stage.one(Scripted(lines))
    assert rollout.cause == cause
    assert rollout.trajectory.outcome == "agent_error"
    assert rollout.trajectory.reward is not None and rollout.trajectory.reward.total <= 0.0
    assert remark is None or remark in rollout.remarks


@pytest.mark.parametrize("message", [says(""), says("<think>So let me"), says("", reasoning_content="So let me")])
async def test_a_model_that_thinks_up_to_the_length_limit_is_told_apart_from_one_that_is_silent(
    stage: Stage, message: dict[str, Any]
):
    rollout = await stage.one(Scripted([LOOK, message | {"finish_reason": "length"}]))
    assert (rollout.cause, rollout.trajectory.ending, len(rollout.trajectory.steps)) == ("token_limit", "limit", 1)
    assert "its reasoning used up all tokens (ENVFACTORY_LLM_MAX_OUTPUT_TOKENS)" in rollout.detail


async def test_who_is_trained_on_its_tokens_keeps_the_message_that_was_cut_off(stage: Stage):
    class Sampling(Scripted):
        async def answer(self, *asked: Any) -> ChatAnswer:
            choice = Choice({"role": "assistant", "content": "<think>So let me"}, "length", (7, 8), None)
            return ChatAnswer((choice,), (1,), Usage(), False, "sampling")

    rollout = await stage.one(Sampling([]))
    assert rollout.cause == "answered" and rollout.remarks == ["cut_off"]
    assert rollout.trajectory.steps[0].tokens is not None


async def test_a_breach_of_form_ends_the_episode_at_its_step(stage: Stage):
    rollout = await stage.one(Scripted([LOOK, calls(("pay_everything", {})), says("Done.")]))
    assert len(rollout.trajectory.steps) == 2
    assert rollout.trajectory.reward is not None and rollout.trajectory.reward.steps == [0.0, -1.0]


async def test_calls_without_ids_of_their_own_get_some(stage: Stage):
    line = calls(*[("list_payment_methods", {})] * 3)
    for call, identity in zip(line["tool_calls"], ("call_0_1", "", "call_0_1"), strict=True):
        call["id"] = identity
    rollout = await stage.one(Scripted([line, says("Done.")]))
    assert len({one.id for one in rollout.trajectory.steps[0].calls}) == 3


async def test_nested_arguments_of_a_meta_tool_end_the_episode_and_no_other(stage: Stage):
    thinking = {"reasoning_content": "Next."}
    deep = calls(("call_tool", {"tool_name": "list_charges", "arguments": '{"a":' * 300 + "1" + "}" * 300}), **thinking)
    rollout = await stage.one(Scripted([calls(("list_tools", {}), **thinking), deep]), protocol="meta_tools")
    assert (rollout.cause, rollout.trajectory.outcome) == ("format", "agent_error")


async def test_log_probabilities_that_are_no_numbers_are_not_kept(stage: Stage):
    class Sampling(Scripted):
        async def answer(self, *asked: Any) -> ChatAnswer:
            choice = Choice({"role": "assistant", "content": "No."}, "stop", (7,), (-math.inf,))
            return ChatAnswer((choice,), (1,), Usage(), False, "sampling")

    tokens = (await stage.one(Sampling([]))).trajectory.steps[0].tokens
    assert tokens is not None and tokens.logprobs is None


# -- models and environments that fail ---------------------------------------------------------------------------------


async def test_a_model_that_hangs_is_not_the_agents_fault_and_is_played_again(stage: Stage, gold: list[Line]):
    rollout = await stage.one(Hanging(name="same"), step_seconds=0.05)
    assert (rollout.cause, rollout.trajectory.outcome) == ("model_timeout", "environment_error")
    assert (await stage.one(Scripted(gold, name="same"))).trajectory.outcome == "completed"
    assert len(stage.store.read(stage.assignment.bundle)) == 1


async def test_a_model_that_fails_in_the_middle_leaves_what_was_done(stage: Stage, gold: list[Line]):
    rollout = await stage.one(Scripted([*gold[:2], InfrastructureFault("The endpoint is down.")]))
    assert (rollout.cause, rollout.detail) == ("model_failed", "The endpoint is down.")
    assert len(rollout.trajectory.steps) == 2


async def test_a_spent_budget_stops_the_batch_and_keeps_what_is_finished(runtime, store, assigned, golds):
    gold = golds["best_hut_in_reach"]
    broke = [BudgetExceeded("The next call could pass the budget.")]
    tasks = [assigned["best_hut_in_reach"], assigned["call_it_off"]]
    agent = ByTask({tasks[0].task.text: followed(gold.calls, gold.answer), tasks[1].task.text: broke})
    engine = Engine(runtime, agent, RolloutSettings(in_flight=1), store)
    with pytest.raises(BudgetExceeded):
        _ = [rollout async for rollout in engine.roll(tasks)]
    assert [one.trajectory.task for one in store.read(tasks[0].bundle)] == ["best_hut_in_reach"]


async def test_an_environment_that_errs_at_the_seventh_step_ends_the_episode_there(
    runtime: Runtime, store: TrajectoryStore, huts: Bundle, golds: GOLDS
):
    head, _, body = huts.tools_source.partition("def list_payment_methods(")
    signature, _, rest = body.partition("\n    ")
    broken = replace(huts, tools_source=f"{head}def list_payment_methods({signature}\n    return 1 // 0\n    {rest}")
    work = next(one for one in assignments(broken, golds, huts.verifiers, RolloutSettings().reward))
    lines = [*[calls(("list_payments", {}))] * 6, LOOK, says("Done.")]
    rollout = await Stage(runtime, store, work).one(Scripted(lines))
    assert (rollout.cause, rollout.trajectory.outcome) == ("environment", "environment_error")
    assert len(rollout.trajectory.steps) == 7
    assert "ZeroDivisionError" in rollout.detail


async def test_a_session_that_is_lost_ends_its_episode_and_no_other(stage: Stage, monkeypatch: pytest.MonkeyPatch):
    async def lost(*_: Any, **__: Any) -> Any:
        raise InfrastructureFault("The session was lost with its worker.")

    monkeypatch.setattr(Session, "call_many", lost)
    [rollout] = await stage.all(Scripted([LOOK]))
    assert (rollout.cause, rollout.trajectory.outcome) == ("environment", "environment_error")
    assert stage.store.read(stage.assignment.bundle) == [rollout]


async def test_a_spent_budget_keeps_the_other_candidates_of_its_task(stage: Stage):
    class BrokeAtSecond(Scripted):
        async def answer(self, messages: Any, tools: Any, seed: int) -> ChatAnswer:
            if seed == 1:
                raise BudgetExceeded("The next call could pass the budget.")
            await asyncio.sleep(0)
            return answered(says("Done."))

    with pytest.raises(BudgetExceeded):
        await stage.all(BrokeAtSecond([]), candidates=4)
    assert {one.trajectory.seed for one in stage.store.read(stage.assignment.bundle)} == {0, 2, 3}


async def test_a_full_disk_stops_the_batch_and_loses_nothing_that_is_finished(
    stage: Stage, gold: list[Line], monkeypatch: pytest.MonkeyPatch
):
    write, full = Path.write_bytes, [True, True]

    def full_for_a_while(path: Path, data: Any) -> int:
        if ".jsonl." in path.name and full:
            full.pop()
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(path, data)

    monkeypatch.setattr(Path, "write_bytes", full_for_a_while)
    agent = ByTask({stage.assignment.task.text: gold})
    with pytest.raises(InfrastructureFault, match="no room left"):
        await stage.all(agent, candidates=BATCH)
    stage.store.flush()
    assert len(stage.store.read(stage.assignment.bundle)) == BATCH
    assert await stage.all(agent, candidates=BATCH) == []


async def test_an_environment_whose_worker_dies_at_load_ends_its_episodes_and_no_other(
    runtime: Runtime, store: TrajectoryStore, assigned: ASSIGNED, huts: Bundle, golds: GOLDS, gold: list[Line]
):
    lethal = replace(huts, tools_source=f"{huts.tools_source}\n\n{LETHAL}")
    works = {one.task.id: one for one in assignments(lethal, golds, huts.verifiers, RolloutSettings().reward)}
    tasks = [works["call_it_off"], assigned["call_it_off"]]
    engine = Engine(runtime, ByTask({tasks[0].task.text: gold}), RolloutSettings(), store)
    found = {one.trajectory.bundle_version: one async for one in engine.roll(tasks)}
    assert found[huts.version].trajectory.outcome == "completed"
    dead = found[lethal.version]
    assert (dead.cause, dead.trajectory.outcome) == ("environment", "environment_error")
    assert "died 3 times in a row" in dead.detail


async def test_a_machine_that_starts_no_process_any_more_ends_the_batch(
    store: TrajectoryStore, assigned: ASSIGNED, gold: list[Line], monkeypatch: pytest.MonkeyPatch
):
    async with Runtime() as runtime:
        monkeypatch.setattr(sys, "executable", "/bin/false")
        os.kill(runtime.pids[0], signal.SIGKILL)
        task = assigned["call_it_off"]
        engine = Engine(runtime, ByTask({task.task.text: gold}), RolloutSettings(), store)
        with pytest.raises(InfrastructureFault):
            _ = [one async for one in engine.roll([task])]
    assert store.read(task.bundle) == [], "nothing is said about an environment that was not tried"


@pytest.mark.parametrize("with_a_worker", [False, True])
async def test_the_death_of_the_process_that_starts_workers_is_held_against_no_environment(
    store: TrajectoryStore, assigned: ASSIGNED, gold: list[Line], with_a_worker: bool
):
    task = assigned["call_it_off"]
    async with Bereaved(with_a_worker=with_a_worker) as runtime:
        zygote = runtime.pids[0]
        engine = Engine(runtime, ByTask({task.task.text: gold}), RolloutSettings(candidates=3), store)
        found = [one async for one in engine.roll([task])]
        assert runtime.pids[0] != zygote
    assert [one.trajectory.outcome for one in found] == ["completed"] * 3


async def test_sessions_that_failed_to_open_ahead_are_opened_when_they_are_wanted(
    store: TrajectoryStore, assigned: ASSIGNED, gold: list[Line]
):
    """What passed meanwhile is nobody's fault, however many had been opened ahead for others."""
    task = assigned["call_it_off"]
    async with Recovering(failures=4) as runtime, SessionPool(runtime) as sessions:
        sessions.prefetch(task.bundle, 4, state=task.task.state)
        agent = ByTask({task.task.text: gold})
        engine = Engine(runtime, agent, RolloutSettings(candidates=2), store, sessions=sessions)
        found = [one async for one in engine.roll([task])]
    assert [one.trajectory.outcome for one in found] == ["completed"] * 2


async def test_more_episodes_than_sessions_are_no_fault_of_the_environments(
    store: TrajectoryStore, assigned: ASSIGNED, gold: list[Line]
):
    task = assigned["call_it_off"]
    async with Runtime(RuntimeSettings(most_sessions=1)) as runtime:
        engine = Engine(runtime, ByTask({task.task.text: gold}), RolloutSettings(candidates=2), store)
        with pytest.raises(InfrastructureFault, match="All 1 sessions are in use"):
            _ = [one async for one in engine.roll([task])]
    assert [one.trajectory.outcome for one in store.read(task.bundle)] == ["completed"]


async def test_who_may_take_its_time_is_waited_for(stage: Stage, gold: list[Line]):
    class Slow(Scripted):
        async def answer(self, *asked: Any) -> ChatAnswer:
            await asyncio.sleep(0.05)
            return await super().answer(*asked)

    assert (await stage.one(Slow(gold, name="late"), step_seconds=0.01)).cause == "model_timeout"
    assert (await stage.one(Slow(gold), step_seconds=None)).trajectory.outcome == "completed"


@pytest.mark.parametrize(("in_flight", "at_once"), [(1, 1), (3, 3)])
async def test_the_wait_for_every_session_is_counted_and_no_moment_twice(
    store: TrajectoryStore, assigned: ASSIGNED, in_flight: int, at_once: int
):
    tasks = list(assigned.values())
    async with Slow() as runtime:
        engine = Engine(runtime, Played(lambda messages: says("No.")), RolloutSettings(in_flight=in_flight), store)
        started = time.perf_counter()
        assert len([one async for one in engine.roll(tasks)]) == 3
        assert 0.3 / at_once <= engine.waiting.seconds < time.perf_counter() - started


# -- conversations -----------------------------------------------------------------------------------------------------


async def test_a_conversation_goes_on_until_the_user_stops(stage: Stage, gold: list[Line]):
    user = Scripted([says("Our weekend is off."), says("Yes, cancel it."), says(STOP)], name="user")
    rollout = await stage.one(Scripted([says("Shall I cancel it?"), *gold]), user, setting="conversation")
    assert rollout.trajectory.outcome == "completed"
    assert rollout.trajectory.opening == "Our weekend is off."
    assert rollout.trajectory.steps[0].reply == "Yes, cancel it."


async def test_the_user_has_tools_of_its_own_in_the_same_database(runtime, store, assigned):
    stage = Stage(runtime, store, assigned["arrival_on_skis"])
    checks_in = calls(("confirm_payment", {"payment_code": "PAY-00001"}))
    user = Scripted([says("Check us in."), checks_in, says("I did."), says(STOP)], name="user")
    rollout = await stage.one(Scripted([says("Please confirm."), says("Thank you.")]), user, setting="conversation")
    first = rollout.trajectory.steps[0]
    assert [(one.name, one.principal) for one in first.calls] == [("confirm_payment", "user")]
    assert user.tools[0] == [] and len(user.tools[1]) > 1


@pytest.mark.parametrize(
    ("lines", "cause"),
    [
        ([says("Cancel it.")], "user_loops"),
        ([says(f"Number {n}.") for n in range(40)], "user_loops"),
        ([says("Cancel it."), calls(("confirm_payment", {"payment_code": "PAY-00001"}))], "user_loops"),
        ([says("Cancel it."), says("")], "user_silent"),
        ([says(STOP)], "user_silent"),
        ([InfrastructureFault("down")], "user_failed"),
        ([says("", finish_reason="length")], "user_failed"),
    ],
)
async def test_a_bad_user_is_not_the_agents_fault(stage: Stage, lines: list[Any], cause: str):
    agent = Scripted([says(f"Anything else? I asked {n} times.") for n in range(40)])
    rollout = await stage.one(agent, Scripted(lines, name="user"), setting="conversation")
    assert (rollout.cause, rollout.trajectory.outcome) == (cause, "environment_error")


@pytest.mark.parametrize("lines", [[says("I said it all.")], [says(f"What, for the {n}th time?") for n in range(40)]])
async def test_an_agent_cannot_talk_its_way_out_of_an_episode(stage: Stage, lines: list[Any]):
    rollout = await stage.one(Scripted([says("")]), Scripted(lines, name="user"), setting="conversation")
    assert (rollout.cause, rollout.trajectory.outcome) == ("agent_loops", "agent_error")


PAYS = calls(("confirm_payment", {"payment_code": "PAY-00001"}))


@pytest.mark.parametrize(
    ("lines", "cause", "made"),
    [
        ([says("Check us in."), PAYS, InfrastructureFault("down")], "user_failed", 1),
        ([says("Check us in."), PAYS, says("")], "user_silent", 1),
        ([says("Check us in."), PAYS], "user_loops", 3),
        ([PAYS, says("Check us in.")], "user_silent", 0),
    ],
)
async def test_what_a_user_did_is_told_however_it_ends(
    runtime, store, assigned, lines: list[Any], cause: str, made: int
):
    stage = Stage(runtime, store, assigned["arrival_on_skis"])
    rollout = await stage.one(Scripted([says("Please confirm.")]), Scripted(lines, name="user"), setting="conversation")
    assert rollout.cause == cause
    assert sum(len(step.calls) for step in rollout.trajectory.steps) == made


async def test_a_user_that_reveals_everything_or_invents_is_noted(stage: Stage, gold: list[Line]):
    user = Scripted([says(stage.assignment.task.text), says("My booking is BK-77777."), says(STOP)], name="user")
    rollout = await stage.one(Scripted([says("Which booking?"), *gold]), user, setting="conversation")
    assert rollout.remarks == ["user_reveals_everything", "user_invents"]
    assert rollout.trajectory.outcome == "completed"


# -- the store ---------------------------------------------------------------------------------------------------------


async def test_the_store_counts_as_columns_what_it_keeps_as_lines(stage: Stage, gold: list[Line], tmp_path: Path):
    await stage.all(ByTask({stage.assignment.task.text: gold}), candidates=2)
    frame = pl.read_parquet(tmp_path / "trajectories/*/*/*.parquet")
    assert frame["outcome"].to_list() == ["completed", "completed"]
    assert frame["calls"].to_list() == [len(gold) - 1] * 2
    assert sorted(frame["seed"].to_list()) == [0, 1]


async def test_trajectories_of_another_format_are_refused_with_the_file_they_are_in(
    stage: Stage, gold: list[Line], tmp_path: Path
):
    await stage.one(Scripted(gold))
    (file,) = tmp_path.glob("trajectories/*/*/*.jsonl")
    file.write_text(file.read_text().replace('"format":1', '"format":2'))
    with pytest.raises(UsageError, match=rf"{re.escape(str(file))}: Trajectory .* format 2"):
        stage.store.read(stage.assignment.bundle)
