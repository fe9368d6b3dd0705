"""One episode from beginning to end, with good and bad agents and users: each is classified and stored."""

import math
from typing import Any

import orjson
import pytest

from envfactory_dagster.contracts.errors import InfrastructureFault
from envfactory_dagster.language.messages import ChatAnswer, ChatChoice, Usage
from envfactory_dagster.rollouts.prompts import OWN_WORDS, STOP
from envfactory_dagster.rollouts.settings import RolloutSettings
from envfactory_dagster.truth.withholding import beyond
from tests.rollouts.scripted import Line, Scripted, calls, finishes, says
from tests.rollouts.stage import GOLDS, LOOK, Stage


def as_object(tool: str, arguments: dict[str, Any]) -> Line:
    """A call whose arguments are no text, as some endpoints send them."""
    return says("", tool_calls=[{"id": "c0", "function": {"name": tool, "arguments": arguments}}])


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


async def test_tools_told_in_short_are_the_same_tools(stage: Stage, gold: list[Line]):
    """Half as long, and everything that a call needs is in them: it is checked as before."""
    agent, short = Scripted(gold), Scripted([calls(("cancel_booking", {"booking": 1})), *gold])
    await stage.one(agent)
    rollout = await stage.one(short, protocol="compact")
    assert rollout.trajectory.outcome == "completed"
    assert rollout.trajectory.steps[0].observations[0].outcome == "agent"
    long, told = ([dict(tool)["function"] for tool in one.tools[0][:-1]] for one in (agent, short))
    assert len(orjson.dumps(told)) < 0.6 * len(orjson.dumps(long))
    assert agent.tools[0][-1] == short.tools[0][-1], "the report says what its answers are"
    for one, other in zip(told, long, strict=True):
        assert isinstance(one, dict) and isinstance(other, dict)
        assert one["name"] == other["name"] and str(other["description"]).startswith(one["description"])
        parameters, whole = one["parameters"], other["parameters"]
        assert parameters["properties"].keys() == whole["properties"].keys()
        assert parameters.get("required") == whole.get("required")
        for name, schema in parameters["properties"].items():
            assert [schema.get(word) for word in ("type", "enum")] == [
                whole["properties"][name].get(word) for word in ("type", "enum")
            ]
    strict = stage.strict
    assert (await strict.one(Scripted([LOOK, calls(("fly", {}))], "strict"), protocol="compact")).cause == "format"


async def test_an_agent_that_is_shown_few_tools_knows_no_others(stage: Stage, gold: list[Line], golds: GOLDS):
    one, called = stage.assignment, {call.tool for call in golds["call_it_off"].calls}
    hidden = beyond(len(called) + 2, one.bundle, one.task, one.solution)
    few = Stage(stage.runtime, stage.store, one.without(hidden), stage.gold)
    agent = Scripted([calls((hidden[0], {})), *gold])
    rollout = await few.one(agent)
    shown = {tool["function"]["name"] for tool in agent.tools[0] if isinstance(tool["function"], dict)}
    assert shown > called | {"finish"} and len(shown) == len(called) + 3
    assert rollout.trajectory.withheld == hidden == beyond(len(called) + 2, one.bundle, one.task, one.solution)
    assert rollout.trajectory.steps[0].observations[0].outcome == "agent", "as unknown as one that never was"
    assert rollout.trajectory.outcome == "completed"
    assert called.isdisjoint(beyond(1, one.bundle, one.task, one.solution)), "never fewer than the solution calls"
    assert beyond(None, one.bundle, one.task, one.solution) == []


async def test_a_call_of_what_is_kept_from_the_agent_breaks_the_rules_of_form(stage: Stage, gold: list[Line]):
    strict = stage.strict
    few = Stage(stage.runtime, stage.store, strict.assignment.without(["list_payment_methods"]), stage.gold)
    assert (await few.one(Scripted([LOOK, *gold]))).cause == "format"


async def test_the_meta_tools_reach_the_same_tools(stage: Stage, golds: GOLDS):
    thinking = {"reasoning_content": "Next."}
    wrapped = [
        calls(("call_tool", {"tool_name": step.tool, "arguments": step.arguments}), **thinking)
        for step in golds["call_it_off"].calls
    ]
    report = finishes(golds["call_it_off"].report)
    rollout = await stage.one(
        Scripted([calls(("list_tools", {}), **thinking), *wrapped, report]), protocol="meta_tools"
    )
    assert rollout.trajectory.outcome == "completed"


async def test_thoughts_that_an_endpoint_keeps_to_itself_are_no_error_of_form(stage: Stage, golds: GOLDS):
    """Neither shown nor counted, as many endpoints do it."""
    wrapped = [
        calls(("call_tool", {"tool_name": step.tool, "arguments": step.arguments}))
        for step in golds["call_it_off"].calls
    ]
    lines = [calls(("list_tools", {})), *wrapped, finishes(golds["call_it_off"].report)]
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
    assert [call["id"] for message in shown for call in message.get("tool_calls", [])] == asked[:-1]  # type: ignore[union-attr, index, call-overload]
    assert [message["tool_call_id"] for message in shown if message["role"] == "tool"] == asked[:-1]


async def test_calls_of_one_message_are_made_in_their_order(stage: Stage, golds: GOLDS):
    steps = golds["call_it_off"].calls
    together = calls(*((step.tool, step.arguments) for step in steps))
    rollout = await stage.one(Scripted([together, finishes(golds["call_it_off"].report)]))
    assert rollout.trajectory.outcome == "completed"
    assert [one.name for one in rollout.trajectory.steps[0].calls] == [step.tool for step in steps]


async def test_only_the_first_and_the_latest_exchanges_are_shown(stage: Stage):
    agent = Scripted([*[calls(("list_payment_methods", {}), text=str(n)) for n in range(6)], says("Done.")])
    await stage.one(agent, window=3)
    said = [message["content"] for message in agent.shown[6] if message["role"] == "assistant"]
    assert said == ["0", "3", "4", "5"]
    assert "Few of the latest messages stay visible" in str(agent.shown[0][0]["content"])


async def test_an_agent_is_shown_everything_unless_its_policy_has_a_window(stage: Stage):
    agent = Scripted([*[calls(("list_payment_methods", {}), text=str(n)) for n in range(6)], says("Done.")])
    await stage.one(agent)
    said = [message["content"] for message in agent.shown[6] if message["role"] == "assistant"]
    assert said == ["0", "1", "2", "3", "4", "5"]
    assert "stay visible" not in str(agent.shown[0][0]["content"])


@pytest.mark.parametrize(("calls_of_gold", "limit"), [(0, 20), (6, 20), (7, 21), (40, 120)])
def test_an_agent_may_take_three_steps_for_each_call_of_the_solution(calls_of_gold: int, limit: int):
    assert RolloutSettings().steps_for(calls_of_gold) == limit
    assert RolloutSettings(most_steps=4).steps_for(calls_of_gold) == 4


async def test_tokens_are_kept_as_they_were_sampled(stage: Stage):
    class Sampling(Scripted):
        async def answer(self, *asked: Any) -> ChatAnswer:
            choice = ChatChoice({"role": "assistant", "content": "No."}, "stop", (7, 8), (-0.5, -0.25))
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
    rollout = await stage.strict.one(Scripted(lines))
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


async def test_a_thought_that_began_in_the_prompt_is_none_of_what_is_said(stage: Stage):
    """Many chat templates write `<think>` themselves."""
    rollout = await stage.one(Scripted([LOOK, says("Let me see.\n</think>\nAll is well.")]))
    said = next(step for step in rollout.trajectory.steps if step.text)
    assert (said.reasoning, said.text) == ("Let me see.", "All is well.")


async def test_who_is_trained_on_its_tokens_keeps_the_message_that_was_cut_off(stage: Stage):
    class Sampling(Scripted):
        async def answer(self, *asked: Any) -> ChatAnswer:
            choice = ChatChoice({"role": "assistant", "content": "<think>So let me"}, "length", (7, 8), None)
            return ChatAnswer((choice,), (1,), Usage(), False, "sampling")

    rollout = await stage.one(Sampling([]))
    assert rollout.cause == "answered" and rollout.remarks == ["cut_off"]
    assert rollout.trajectory.steps[0].tokens is not None


async def test_a_breach_of_form_ends_the_episode_at_its_step(stage: Stage):
    rollout = await stage.strict.one(Scripted([LOOK, calls(("pay_everything", {})), says("Done.")]))
    assert len(rollout.trajectory.steps) == 2
    assert rollout.trajectory.reward is not None and rollout.trajectory.reward.steps == [0.0, -1.0]


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (("pay_everything", {}), "pay_everything"),
        (("list_charges", {"status": "unheard of"}), "unheard of"),
        (("list_charges", '{"half": '), "no JSON object"),
    ],
)
async def test_a_wrong_call_is_an_error_that_the_agent_sees(stage: Stage, gold: list[Line], call: Any, said: str):
    agent = Scripted([calls(call), *gold])
    rollout = await stage.one(agent)
    assert rollout.trajectory.outcome == "completed"
    assert rollout.trajectory.reward is not None and rollout.trajectory.reward.total == 1.0
    assert said in str(agent.shown[1][-1]["content"])


async def test_calls_without_ids_of_their_own_get_some(stage: Stage):
    line = calls(*[("list_payment_methods", {})] * 3)
    for call, identity in zip(line["tool_calls"], ("call_0_1", "", "call_0_1"), strict=True):
        call["id"] = identity
    rollout = await stage.one(Scripted([line, says("Done.")]))
    assert len({one.id for one in rollout.trajectory.steps[0].calls}) == 3


async def test_nested_arguments_of_a_meta_tool_end_the_episode_and_no_other(stage: Stage):
    thinking = {"reasoning_content": "Next."}
    deep = calls(("call_tool", {"tool_name": "list_charges", "arguments": '{"a":' * 300 + "1" + "}" * 300}), **thinking)
    rollout = await stage.strict.one(Scripted([calls(("list_tools", {}), **thinking), deep]), protocol="meta_tools")
    assert (rollout.cause, rollout.trajectory.outcome) == ("format", "agent_error")


async def test_log_probabilities_that_are_no_numbers_are_not_kept(stage: Stage):
    class Sampling(Scripted):
        async def answer(self, *asked: Any) -> ChatAnswer:
            choice = ChatChoice({"role": "assistant", "content": "No."}, "stop", (7,), (-math.inf,))
            return ChatAnswer((choice,), (1,), Usage(), False, "sampling")

    tokens = (await stage.one(Sampling([]))).trajectory.steps[0].tokens
    assert tokens is not None and tokens.logprobs is None


# -- conversations -----------------------------------------------------------------------------------------------------


async def test_a_conversation_goes_on_until_the_user_stops(stage: Stage, gold: list[Line]):
    user = Scripted([says("Our weekend is off."), says("Yes, cancel it."), says(STOP)], name="user")
    agent = Scripted([says("Shall I cancel it?"), *gold[:-1], says("It is all off."), gold[-1]])
    rollout = await stage.one(agent, user, setting="conversation")
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
    text = stage.assignment.task.text
    user = Scripted([says(text), says(text), says("My booking is BK-77777."), says(STOP)], name="user")
    agent = Scripted([says("Which booking?"), *gold[:-1], says("It is all off."), gold[-1]])
    rollout = await stage.one(agent, user, setting="conversation")
    assert rollout.remarks == ["user_reveals_everything", "user_recites", "user_invents"]
    assert rollout.trajectory.outcome == "completed"


async def test_a_user_that_reads_out_what_it_wants_says_it_once_more_in_words_of_its_own(
    stage: Stage, gold: list[Line]
):
    own = "Marek moved to Lisbon: please call off the Schneelahn Hut and the course, and take him off my list."
    user = Scripted([says(stage.assignment.task.text), says(own), says(STOP)], name="user")
    agent = Scripted([*gold[:-1], says("It is all off."), gold[-1]])
    rollout = await stage.one(agent, user, setting="conversation")
    assert (rollout.trajectory.opening, rollout.remarks) == (own, [])
    assert [message["content"] for message in user.shown[1]][-2:] == [stage.assignment.task.text, OWN_WORDS]
    assert [message["role"] for message in user.shown[2]] == ["system", "user", "assistant", "user"]
    assert user.shown[2][2]["content"] == own, "what was read out is forgotten"


async def test_a_user_that_can_only_read_out_what_it_wants_has_said_it(stage: Stage, gold: list[Line]):
    text = stage.assignment.task.text
    user = Scripted([says(text), says(STOP), says(STOP)], name="user")
    rollout = await stage.one(Scripted([*gold[:-1], says("It is all off."), gold[-1]]), user, setting="conversation")
    assert (rollout.trajectory.opening, rollout.trajectory.outcome) == (text, "completed")
    assert user.shown[2][2]["content"] == text and "user_recites" in rollout.remarks


@pytest.mark.parametrize(
    "said",
    [
        "Please take Marek off the list of people I travel with.",
        "Marek has taken a job, so the hut is off.",
    ],
)
async def test_a_few_words_in_common_are_no_reading_out(stage: Stage, gold: list[Line], said: str):
    user = Scripted([says(said), says(STOP)], name="user")
    rollout = await stage.one(Scripted([says("It is all off."), gold[-1]]), user, setting="conversation")
    assert (rollout.trajectory.opening, rollout.remarks) == (said, [])
