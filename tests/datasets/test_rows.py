"""A row shows what an agent is shown when it plays, to the letter, and says where it came from."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.dataset import ChatMessage, RlRow, SftRow, calls_of
from envfactory_dagster.contracts.reports import Report
from envfactory_dagster.contracts.synthesis import MadeTask
from envfactory_dagster.contracts.truth import ReferenceSolution, TracedStep
from envfactory_dagster.datasets.rows import (
    SETTLED,
    RlSettings,
    SftSettings,
    Source,
    rl_rows,
    sft_rows,
    with_turn_changes,
)
from envfactory_dagster.rollouts.assignments import Assignment
from envfactory_dagster.rollouts.engine import Engine
from envfactory_dagster.rollouts.prompts import STOP, report_due
from envfactory_dagster.rollouts.reporting import finish_tool
from envfactory_dagster.rollouts.settings import RolloutSettings
from envfactory_dagster.rollouts.store import TrajectoryStore
from envfactory_dagster.runtime.facts import analyze_tools
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.home import Home
from envfactory_dagster.truth.execution import Run, run_calls
from envfactory_dagster.truth.reward_basis import RewardBasis
from envfactory_dagster.truth.rewards import RewardSettings, reward
from envfactory_dagster.truth.withholding import beyond
from tests.datasets.conftest import TALK, Play
from tests.rollouts.scripted import Line, Scripted, calls, finishes, followed, says
from tests.support.reports import report
from tests.truth.episodes import recorded

MADE = dict[str, MadeTask]
TASK = "call_it_off"
LOOK = calls(("list_payment_methods", {}))


def script(made: MADE, **more: Any) -> list[Line]:
    gold = made[TASK].solution
    return [line | more for line in followed(gold.calls, gold.report)]


def talked(made: MADE) -> list[Line]:
    """As it goes where somebody can be spoken to: the report comes when the conversation is over."""
    *done, report = script(made)
    return [*done, says("All of it is called off."), report]


def rows_of(source: Source, *rollouts: Any, **settings: Any) -> list[SftRow]:
    rows, left_out = sft_rows(source, rollouts, SftSettings(**settings))
    assert left_out == []
    return rows


def why_not(source: Source, rollout: Any) -> str:
    rows, [left_out] = sft_rows(source, [rollout], SftSettings())
    assert rows == [] and left_out.what.startswith(f"{source.bundle.key}/")
    return left_out.reason


# -- SFT ---------------------------------------------------------------------------------------------------------------


async def test_an_episode_is_shown_as_its_agent_saw_it(source: Source, made: MADE, play: Play):
    agent = Scripted(script(made))
    [row] = rows_of(source, await play(TASK, agent, window=None))
    assert row.step is None
    assert row.messages[:-1] == agent.shown[-1]
    assert row.tools == agent.tools[-1]
    assert [call["function"]["name"] for call in calls_of(row.messages[-1])] == ["finish"]


async def test_a_row_can_be_traced_to_its_trajectory(source: Source, made: MADE, play: Play):
    rollout = await play(TASK, Scripted(script(made)))
    [row] = rows_of(source, rollout)
    one = rollout.trajectory
    assert (row.trace.environment, row.trace.bundle_version, row.trace.task) == (
        one.environment,
        one.bundle_version,
        one.task,
    )
    assert (row.trajectory.model, row.trajectory.seed, row.trajectory.protocol) == (one.model, one.seed, "native")
    assert row.trace.difficulty == made[TASK].difficulty and row.trace.split == "sft"


async def test_every_step_is_shown_through_the_window_it_was_played_through(source: Source, made: MADE, play: Play):
    agent = Scripted([*[LOOK] * 5, *script(made)])
    rows = rows_of(source, await play(TASK, agent), by_step="always")
    assert [row.messages[:-1] for row in rows] == agent.shown[: len(rows)]
    assert [row.step for row in rows] == list(range(len(agent.lines)))


async def test_only_the_last_message_of_a_step_keeps_its_reasoning(source: Source, made: MADE, play: Play):
    rows = rows_of(source, await play(TASK, Scripted(script(made, reasoning_content="Let me see."))))
    assert len(rows) == len(made[TASK].solution.calls) + 1
    for row in rows:
        assert row.messages[-1]["reasoning_content"] == "Let me see."
        assert not any("reasoning_content" in message for message in row.messages[:-1])


async def test_the_meta_tools_are_shown_as_they_are(source: Source, made: MADE, play: Play):
    gold, thinks = made[TASK].solution, {"reasoning_content": "Next."}
    wrapped = [
        calls(("call_tool", {"tool_name": one.tool, "arguments": one.arguments}), **thinks) for one in gold.calls
    ]
    agent = Scripted([calls(("list_tools", {}), **thinks), *wrapped, finishes(gold.report, **thinks)])
    rows = rows_of(source, await play(TASK, agent, protocol="meta_tools"))
    assert [row.messages[:-1] for row in rows] == agent.shown
    assert [tool["function"]["name"] for tool in rows[0].tools] == ["list_tools", "call_tool", "finish"]


async def test_a_conversation_is_shown_with_what_the_person_said(source: Source, made: MADE, play: Play):
    user = Scripted([says("Our weekend is off."), says("Yes, all of it."), says(STOP)], name="user")
    agent = Scripted([says("Shall I cancel it?"), *talked(made)])
    [row] = rows_of(source, await play(TASK, agent, user, window=None))
    assert row.messages[:-1] == agent.shown[-1]
    said = [str(message["content"]) for message in row.messages if message["role"] == "user"]
    assert said[:2] == ["Our weekend is off.", "Yes, all of it."] and said[2:] == [report_due("finish")]


async def test_only_verified_successes_are_learned_from(source: Source, made: MADE, play: Play):
    assert why_not(source, await play(TASK, Scripted([LOOK, finishes(report())]))) == "not a verified success"
    assert why_not(source, await play(TASK, Scripted([LOOK], name="endless"))) == "not a verified success"


async def test_a_task_that_is_no_longer_released_is_not_learned_from(source: Source, made: MADE, play: Play):
    rollout = await play(TASK, Scripted(script(made)))
    del source.tasks[TASK]
    assert why_not(source, rollout) == "its task is not in the release"


# -- reports -----------------------------------------------------------------------------------------------------------


def told(messages: Sequence[ChatMessage], role: str) -> list[str]:
    return [str(message["content"]) for message in messages if message["role"] == role]


async def test_a_row_ends_with_the_report_and_its_schema_is_among_the_tools(source: Source, made: MADE, play: Play):
    for task in ("best_hut_in_reach", "nephew_alone"):
        gold = made[task].solution
        [row] = rows_of(source, await play(task, Scripted(followed(gold.calls, gold.report))))
        [handed_in] = calls_of(row.messages[-1])
        assert Report.model_validate_json(handed_in["function"]["arguments"]) == gold.report
        assert row.form == "report" and row.tools[-1] == finish_tool(source.bundle, gold.form)


async def test_a_row_in_words_ends_with_what_the_report_says(source: Source, made: MADE, play: Play):
    for task in ("best_hut_in_reach", "nephew_alone"):
        gold = made[task].solution
        [row] = rows_of(source, await play(task, Scripted(followed(gold.calls, gold.report))), form="text")
        assert row.messages[-1] == {"role": "assistant", "content": gold.report.message}
        assert row.form == "text" and "finish" not in str(row.tools) and "finish" not in str(row.messages)


async def test_words_that_nobody_judged_give_way_to_those_of_the_report(source: Source, made: MADE, play: Play):
    *done, handed_in = script(made)
    rollout = await play(TASK, Scripted([*done, says("I believe it is done."), handed_in]))
    [row] = rows_of(source, rollout)
    assert told(row.messages, "user")[1:] == [report_due("finish")]
    [row] = rows_of(source, rollout, form="text")
    assert len(told(row.messages, "user")) == 1
    assert told(row.messages, "assistant")[len(done) :] == [made[TASK].solution.report.message]


async def test_a_report_that_was_not_taken_is_not_shown(source: Source, made: MADE, play: Play):
    for task in (TASK, "nephew_alone"):
        gold = made[task].solution
        *done, right = followed(gold.calls, gold.report)
        unreadable = finishes(gold.report.model_dump() | {"answers": {"no_such_field": 1}})
        too_early = calls(("list_payment_methods", {}), ("finish", gold.report.model_dump(mode="json")))
        [row] = rows_of(source, await play(task, Scripted([too_early, *done, unreadable, right])))
        assert row.removed_calls == 2
        asked = [call["function"]["name"] for message in row.messages for call in calls_of(message)]
        assert asked == ["list_payment_methods", *(call.tool for call in gold.calls), "finish"]


@pytest.mark.parametrize("in_conversation", [True, False])
async def test_every_step_is_shown_the_tools_that_it_had(source: Source, made: MADE, play: Play, in_conversation: bool):
    user = Scripted([says("Our weekend is off."), says("Yes, all of it."), says(STOP)], name="user")
    agent = Scripted([*([says("Shall I cancel it?")] if in_conversation else []), *talked(made)])
    rows = rows_of(
        source, await play(TASK, agent, user if in_conversation else None, window=1), by_step="always", window=1
    )
    assert [row.tools for row in rows] == agent.tools
    assert [row.messages[:-1] for row in rows] == agent.shown
    assert len(agent.tools[0]) == len(agent.tools[-2]) and len(agent.tools[-1]) == 1


@pytest.mark.parametrize("by_step", ["never", "always"])
async def test_a_conversation_in_words_ends_with_what_the_person_is_told(
    source: Source, made: MADE, play: Play, by_step: str
):
    user = Scripted([says("Our weekend is off."), says("Yes, all of it."), says(STOP)], name="user")
    rollout = await play(TASK, Scripted([says("Shall I cancel it?"), *talked(made)]), user)
    row = rows_of(source, rollout, form="text", by_step=by_step)[-1]
    assert told(row.messages, "user") == ["Our weekend is off.", "Yes, all of it."]
    assert row.messages[-1]["content"] == made[TASK].solution.report.message
    assert "finish" not in str(row.tools) and "finish" not in str(row.messages)
    last = rows_of(source, rollout, by_step=by_step)[-1]
    assert [call["function"]["name"] for call in calls_of(last.messages[-1])] == ["finish"]
    assert last.messages[-2]["content"] == report_due("finish")


def test_a_task_says_what_its_report_has_to_answer_and_a_turn_has_no_report(source: Source, made: MADE):
    for name, row in rl_rows_of(source).items():
        if row.turn is None:
            assert row.answer_form == made[name.split("/")[0]].solution.form
            assert "finish" in [tool["function"]["name"] for tool in row.tools]
        else:
            assert row.answer_form is None and "finish" not in str(row.tools) and "finish" not in str(row.messages)


# -- failed calls ------------------------------------------------------------------------------------------------------

NO_SUCH = ("get_booking", {"booking_code": "BK-99999"})


async def test_a_failed_call_that_nothing_rests_on_is_not_shown(source: Source, made: MADE, play: Play):
    rollout = await play(TASK, Scripted([calls(NO_SUCH), calls(("list_payment_methods", {}), NO_SUCH), *script(made)]))
    [row] = rows_of(source, rollout)
    assert row.removed_calls == 2
    assert "BK-99999" not in str(row.messages)
    assert len(calls_of(row.messages[2])) == 1
    assert [one["role"] for one in row.messages[2:4]] == ["assistant", "tool"]


async def test_an_episode_that_speaks_of_a_failed_call_is_not_learned_from(source: Source, made: MADE, play: Play):
    again = calls(("list_payments", {}), text="That failed, so I look at the list.")
    rollout = await play(TASK, Scripted([calls(NO_SUCH), again, *script(made)]))
    assert why_not(source, rollout) == "a failed call in it cannot be left out"


async def test_a_refusal_keeps_the_call_that_was_refused(source: Source, made: MADE, play: Play):
    gold = made["nephew_alone"].solution
    assert any(call.outcome == "agent" for call in gold.calls)
    [row] = rows_of(source, await play("nephew_alone", Scripted(followed(gold.calls, gold.report))))
    assert row.removed_calls == 0
    assert '"error"' in str([message["content"] for message in row.messages if message["role"] == "tool"])


# -- RL ----------------------------------------------------------------------------------------------------------------


def rl_rows_of(source: Source, **settings: Any) -> dict[str, RlRow]:
    rows, left_out = rl_rows(source, RlSettings(**settings))
    assert left_out == []
    return {row.id.split("/", 2)[2]: row for row in rows}


async def test_a_task_begins_as_it_does_for_whoever_plays_it(source: Source, made: MADE, play: Play):
    agent = Scripted(script(made))
    await play(TASK, agent)
    row = rl_rows_of(source)[f"{TASK}/single/native"]
    assert row.messages == agent.shown[0] and row.tools == agent.tools[0]
    assert row.verifier is not None and row.verifier.file in source.bundle.files()
    assert row.verifier.sha256 == source.bundle.manifest().files[row.verifier.file]


async def test_a_turn_begins_with_the_database_as_it_stood_in_the_middle(
    runtime: Runtime, source: Source, huts: Bundle, made: MADE
):
    rows, gold = rl_rows_of(source), made[TALK].solution
    first, second = rows[f"{TALK}/turn/0"], rows[f"{TALK}/turn/1"]
    assert first.prefix_calls == [] and len(first.target_calls) == 2
    assert second.prefix_calls == first.target_calls and second.verifier is None
    again = [
        TracedStep(tool=one.tool, principal=one.principal, arguments=one.arguments)
        for one in [*second.prefix_calls, *second.target_calls]
    ]
    assert (await run_calls(runtime, huts, made[TALK].task, again, None)).state_hash == gold.state_hash


async def test_a_turn_can_be_scored_by_its_row(runtime: Runtime, source: Source, huts: Bundle, made: MADE):
    one = made[TALK].model_copy(update={"masked": {"send_message": ["body"]}})
    row = rl_rows_of(await with_turn_changes(runtime, replace(source, tasks={TALK: one})))[f"{TALK}/turn/1"]
    prefix, target = (
        [TracedStep(tool=call.tool, principal=call.principal, arguments=call.arguments) for call in calls]
        for calls in (row.prefix_calls, row.target_calls)
    )
    assert row.masked == one.masked
    settings = RewardSettings.model_validate(row.reward)
    task, facts = one.task, analyze_tools(huts.tools_source, huts.schema_sql)

    async def run(calls: list[TracedStep]) -> Run:
        found = await run_calls(runtime, huts, task, [*prefix, *calls], report())
        return replace(found, calls=found.calls[len(prefix) :])

    assert row.target_changes == made[TALK].solution.changes, "it is the last turn"
    gold = ReferenceSolution(
        task=task.id, source="…", report=report(), calls=target, changes=row.target_changes, state_hash="",
        volatile=row.volatile, relative=row.relative, dictated=row.dictated,
    )  # fmt: skip
    masked = {tool: frozenset(names) for tool, names in row.masked.items()}
    basis = RewardBasis(huts, task, gold, facts, settings, masked)

    async def earned(calls: list[TracedStep]) -> float:
        done = await run(calls)
        return reward(settings, basis.known(recorded(huts, task, done), done)).total

    assert await earned(target) == 1.0
    assert await earned(target[:-1]) < 1.0


def test_a_turn_shows_the_conversation_so_far(source: Source, made: MADE):
    messages = rl_rows_of(source)[f"{TALK}/turn/1"].messages
    assert [message["role"] for message in messages] == [
        "system", "user", "assistant", "tool", "assistant", "tool", "assistant", "user",
    ]  # fmt: skip
    assert messages[1]["content"] == "What do I have booked?" and messages[-1]["content"] == "Cancel all of it."
    assert messages[-2]["content"] == SETTLED


def test_a_conversation_in_which_something_has_to_be_asked_has_no_turns(source: Source, made: MADE):
    talk = made[TALK].conversation
    assert talk is not None
    asks = talk.model_copy(update={"answers": ["The one in February."]})
    source.tasks[TALK] = made[TALK].model_copy(update={"conversation": asks})
    rows = rl_rows_of(source)
    assert f"{TALK}/conversation/native" in rows and f"{TALK}/turn/0" not in rows


def test_withheld_tools_are_not_offered_and_tasks_that_need_them_are_left_out(huts: Bundle, made: MADE):
    needed = made[TASK].solution.calls[0].tool
    spared = next(tool.name for tool in huts.tools if all(tool.name not in str(one.solution) for one in made.values()))
    rows, left_out = rl_rows(Source(huts, dict(made), "held_out_modules", [needed, spared]), RlSettings())
    gone = {one.task.id for one in made.values() if any(call.tool == needed for call in one.solution.calls)}
    assert {one.what for one in left_out} == {f"{huts.key}/{task}" for task in gone}
    for row in rows:
        assert {needed, spared} <= set(row.withheld)
        assert {needed, spared}.isdisjoint(tool["function"]["name"] for tool in row.tools)


async def test_few_tools_are_the_same_ones_in_rollouts_and_in_rows(
    source: Source, made: MADE, assigned: dict[str, Assignment], runtime: Runtime, tmp_path: Path
):
    """The row shows what the agent was shown, and a row of the task to be played shows it too."""
    one, agent = assigned[TASK], Scripted(script(made))
    few = one.without(beyond(10, one.bundle, one.task, one.solution))
    engine = Engine(runtime, agent, RolloutSettings(), TrajectoryStore(Home.resolve(tmp_path)))
    [rollout] = [rollout async for rollout in engine.roll([few])]
    [learned] = rows_of(source, rollout)
    rows, _ = rl_rows(source, RlSettings(most_tools=10))
    [played] = [row for row in rows if row.trace.task == TASK]
    assert learned.tools == played.tools == agent.tools[0]
    assert len(played.tools) == 10 + 1, "the report beside them"
    assert len(played.tools) + len(played.withheld) == len(source.bundle.tools_of("assistant")) + 1
    assert {call.tool for call in played.target_calls}.isdisjoint(played.withheld)


async def test_rows_say_about_how_many_tokens_they_take(source: Source, made: MADE, play: Play):
    rows, _ = rl_rows(source, RlSettings(protocols=("native", "compact", "meta_tools")))
    [native, compact, meta] = [row.tokens for row in rows if row.trace.task == TASK]
    assert native > 1.5 * compact > 1.5 * meta > 0
    [short] = rows_of(source, await play(TASK, Scripted(script(made)), protocol="compact"))
    assert short.tools == next(row.tools for row in rows if row.trace.task == TASK and row.protocol == "compact")
    said = sum(len(str(message["content"])) for message in short.messages) // 4
    assert short.tokens > compact + said // 2, "an episode is longer than how it begins"


def test_a_row_whose_calls_are_not_answered_is_no_row(source: Source):
    row = next(iter(rl_rows_of(source).values()))
    spoiled = [*row.messages, {"role": "tool", "tool_call_id": "x", "content": "{}"}]
    with pytest.raises(ValidationError, match="not the next one"):
        RlRow.model_validate(row.model_dump() | {"messages": spoiled})
