"""Reports that end episodes: taken, sent back with a sentence, asked for, or never handed in."""

from dataclasses import replace
from typing import Any

import pytest

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.reports import Report
from envfactory_dagster.contracts.trajectory import Protocol
from envfactory_dagster.rollouts.assignments import assignments
from envfactory_dagster.rollouts.history import exchange
from envfactory_dagster.rollouts.prompts import STOP
from envfactory_dagster.rollouts.settings import RolloutSettings
from envfactory_dagster.rollouts.store import TrajectoryStore
from envfactory_dagster.runtime.reports import TAKEN
from envfactory_dagster.runtime.runtime import Runtime
from tests.rollouts.scripted import Line, Scripted, calls, finishes, says
from tests.rollouts.stage import GOLDS, LOOK, Stage
from tests.support.tiny import tool

THINKS = {"reasoning_content": "Next."}
LIST = calls(("list_tools", {}), **THINKS)
DUE = "Now hand in your report with `finish`"


@pytest.fixture
def right(golds: GOLDS) -> Report:
    return golds["call_it_off"].report


def offered(agent: Scripted, place: int = -1) -> list[str]:
    """The tools that the agent was given for one of its messages."""
    return [str(one["function"]["name"]) for one in agent.tools[place]]  # type: ignore[index, call-overload]


def total(rollout: Any) -> float | None:
    return None if rollout.trajectory.reward is None else rollout.trajectory.reward.total


async def test_a_report_is_taken_and_ends_the_episode(stage: Stage, gold: list[Line], right: Report):
    agent = Scripted(gold)
    rollout = await stage.one(agent)
    assert (rollout.cause, rollout.trajectory.report, total(rollout)) == ("answered", right, 1.0)
    assert rollout.trajectory.steps[-1].observations[0].value == TAKEN
    assert rollout.trajectory.steps[-1].calls[0].is_report
    assert offered(agent)[-1] == "finish" and len(offered(agent)) > 10


async def test_the_schema_is_that_of_the_task_and_all_rules_are_named(stage: Stage, gold: list[Line]):
    agent = Scripted(gold)
    await stage.one(agent)
    schema = agent.tools[0][-1]["function"]["parameters"]  # type: ignore[index, call-overload]
    assert schema["properties"]["answers"]["required"] == ["money_back"]
    rules = [rule.id for rule in stage.assignment.bundle.theme.rules]
    assert schema["properties"]["reason"]["enum"] == [*rules, None]
    told = str(agent.shown[0][0]["content"])
    assert all(f"- {rule}: " in told for rule in rules)


@pytest.mark.parametrize("inside", [False, True])
async def test_beside_the_meta_tools_it_is_a_third(stage: Stage, golds: GOLDS, right: Report, inside: bool):
    wrapped = [
        calls(("call_tool", {"tool_name": step.tool, "arguments": step.arguments}), **THINKS)
        for step in golds["call_it_off"].calls
    ]
    given = right.model_dump(mode="json")
    report = calls(("call_tool", {"tool_name": "finish", "arguments": given})) if inside else finishes(right)
    agent = Scripted([LIST, *wrapped, report])
    rollout = await stage.one(agent, protocol="meta_tools")
    assert (rollout.trajectory.report, total(rollout)) == (right, 1.0)
    assert offered(agent) == ["list_tools", "call_tool", "finish"]


@pytest.mark.parametrize("protocol", ["native", "meta_tools"])
async def test_who_reports_without_looking_breaks_no_rule_of_form(stage: Stage, right: Report, protocol: Protocol):
    rollout = await stage.one(Scripted([finishes(right)]), protocol=protocol)
    assert (rollout.cause, total(rollout)) == ("answered", 0.0)
    assert rollout.trajectory.report == right


async def test_a_tool_of_the_environment_that_is_called_finish_keeps_its_name(
    runtime: Runtime, store: TrajectoryStore, huts: Bundle, golds: GOLDS, gold: list[Line], right: Report
):
    own = "\n\ndef finish(env) -> dict:\n    return {}\n"
    with_own = replace(huts, tools=[*huts.tools, tool("finish", read_only=True)], tools_source=huts.tools_source + own)
    works = {one.task.id: one for one in assignments(with_own, golds, huts.verifiers, RolloutSettings().reward)}
    agent = Scripted([calls(("finish", {})), *gold[:-1], finishes(right, "finish_task")])
    rollout = await Stage(runtime, store, works["call_it_off"]).one(agent)
    assert (rollout.trajectory.report, rollout.trajectory.outcome) == (right, "completed")
    assert offered(agent)[-2:] == ["finish", "finish_task"]
    assert [call.is_report for call in rollout.trajectory.steps[0].calls] == [False]


# -- reports that are sent back ----------------------------------------------------------------------------------------

BAD: list[tuple[dict[str, Any] | str, str]] = [
    ({"confidence": 1}, "confidence"),
    ({"answers": {"money_back": 3, "colour": "red"}}, "colour"),
    ({"answers": {}}, "money_back"),
    ({"answers": [1]}, "answers"),
    ({"answers": {"money_back": {"amount": 3}}}, "money_back"),
    ({"answers": {"money_back": "some"}}, "money_back"),
    ({"outcome": "finished"}, "outcome"),
    ({"outcome": "refused", "reason": "no_such_rule"}, "reason"),
    ({"outcome": "refused"}, "names the rule"),
    ({"reason": "members_first"}, "only a refused request names a rule"),
    ({"message": " "}, "the person is told nothing"),
    ({"message": "x" * 1_000_000}, "message"),
    ('{"outcome": "done", "answers": {"money_back": NaN}, "reason": null, "message": "Done."}', "no JSON object"),
    ('{"outcome": ', "no JSON object"),
]


@pytest.mark.parametrize(("change", "says_why"), BAD, ids=[why for _, why in BAD])
async def test_what_is_wrong_with_a_report_is_said_in_a_sentence_and_another_may_follow(
    stage: Stage, gold: list[Line], right: Report, change: dict[str, Any] | str, says_why: str
):
    bad = finishes(change if isinstance(change, str) else right.model_dump(mode="json") | change)
    rollout = await stage.one(Scripted([*gold[:-1], bad, gold[-1]]))
    seen = rollout.trajectory.steps[-2].observations[0]
    assert seen.outcome == "agent" and says_why in str(seen.error) and len(str(seen.error)) < 600
    assert (rollout.trajectory.report, rollout.trajectory.outcome, total(rollout)) == (right, "completed", 1.0)


async def test_one_that_is_unreadable_inside_the_meta_tool_is_sent_back_as_well(stage: Stage, right: Report):
    inside = calls(("call_tool", {"tool_name": "finish", "arguments": "all done", "more": 1}))
    rollout = await stage.one(Scripted([LIST, inside, finishes(right)]), protocol="meta_tools")
    assert "no JSON object" in str(rollout.trajectory.steps[1].observations[0].error)
    assert rollout.trajectory.report == right


async def test_a_report_beside_other_calls_is_not_taken_and_the_others_are_made(
    stage: Stage, gold: list[Line], right: Report
):
    given = right.model_dump(mode="json")
    for beside, outcomes in ((("list_payment_methods", {}), ["ok", "agent"]), (("finish", given), ["agent", "agent"])):
        agent = Scripted([calls(beside, ("finish", given)), *gold], name=beside[0])
        rollout = await stage.one(agent)
        seen = rollout.trajectory.steps[0].observations
        assert [one.outcome for one in seen] == outcomes
        assert "by itself" in str(seen[1].error)
        assert rollout.trajectory.outcome == "completed"


async def test_who_never_hands_in_a_readable_one_ends_without(stage: Stage, gold: list[Line]):
    rollout = await stage.one(Scripted([*gold[:-1], finishes({"outcome": "done"})]))
    assert (rollout.cause, rollout.trajectory.report, total(rollout)) == ("answered", None, 0.0)
    assert len(rollout.trajectory.steps) == len(gold) + 2
    assert rollout.trajectory.verdict is not None and "There is no report." in rollout.trajectory.verdict.reasons
    assert "arguments" in rollout.detail


# -- reports that are asked for ----------------------------------------------------------------------------------------


async def test_who_ends_in_plain_text_is_asked_once_more(stage: Stage, gold: list[Line], right: Report):
    agent = Scripted([*gold[:-1], says("It is all off."), gold[-1]])
    rollout = await stage.one(agent)
    assert (rollout.trajectory.report, total(rollout)) == (right, 1.0)
    assert offered(agent) == ["finish"]
    spoken = rollout.trajectory.steps[-2]
    assert spoken.notice.startswith(DUE)
    assert agent.shown[-1][-2:] == exchange(spoken), "what is read again is what was shown"
    assert agent.shown[-1][-1] == {"role": "user", "content": spoken.notice}
    assert rollout.trajectory.answer == f"It is all off.\n{right.message}"


@pytest.mark.parametrize("protocol", ["native", "meta_tools"])
async def test_text_again_is_no_report(stage: Stage, protocol: Protocol):
    agent = Scripted([says("It cannot be done.", **THINKS), says("As I said."), says("Never asked.")])
    rollout = await stage.one(agent, protocol=protocol)
    assert (rollout.cause, rollout.trajectory.report, total(rollout)) == ("answered", None, 0.0)
    assert rollout.trajectory.verdict is not None and rollout.trajectory.verdict.reasons == ["There is no report."]
    assert rollout.trajectory.outcome == "agent_error"
    assert len(agent.shown) == 2


async def test_nothing_else_can_be_called_once_the_report_is_due(stage: Stage, right: Report):
    both = calls(("cancel_booking", {"booking_code": "BK-00211"}), ("finish", right.model_dump(mode="json")))
    rollout = await stage.one(Scripted([says("It is all off."), both]))
    assert [call.name for call in rollout.trajectory.steps[-1].calls] == ["finish"]
    assert rollout.trajectory.report == right


async def test_steps_leave_room_for_the_report(stage: Stage, gold: list[Line], right: Report):
    agent = Scripted([*gold[:-1], finishes({"outcome": "done"}), gold[-1]])
    rollout = await stage.one(agent, most_steps=len(gold) - 1)
    assert (rollout.cause, total(rollout)) == ("answered", 1.0)
    assert rollout.trajectory.steps[-3].notice.startswith(DUE) and offered(agent) == ["finish"]
    too_long = await stage.one(Scripted([LOOK], name="endless"), most_steps=3)
    assert (too_long.cause, len(too_long.trajectory.steps), too_long.trajectory.ending) == ("step_limit", 4, "limit")


# -- conversations -----------------------------------------------------------------------------------------------------


async def test_in_a_conversation_the_report_is_asked_for_when_the_person_has_stopped(
    stage: Stage, gold: list[Line], right: Report
):
    agent = Scripted([*gold[:-1], says("It is all off; 149 euros come back."), gold[-1]])
    user = Scripted([says("Our weekend is off."), says(f"Thank you. {STOP}")], name="user")
    rollout = await stage.one(agent, user, setting="conversation")
    assert (rollout.cause, rollout.trajectory.report, rollout.trajectory.outcome) == ("answered", right, "completed")
    assert all("finish" not in offered(agent, place) for place in range(len(gold) - 1))
    assert offered(agent) == ["finish"]
    assert agent.shown[-1][-1]["content"] == f"Thank you.\n\n{rollout.trajectory.steps[-2].notice}"
    assert DUE not in str(user.shown), "the person does not see it"


async def test_what_was_told_stays_in_sight_until_the_report(stage: Stage, gold: list[Line]):
    told = [says(f"Told {n}.") for n in range(3)]
    user = Scripted([says("Hello."), says("And?"), says("And then?"), says("Cancel it."), says(STOP)], name="user")
    agent = Scripted([*told, *[LOOK] * 5, says("Told 3."), gold[-1]])
    await stage.one(agent, user, setting="conversation", window=1)
    own = [message for message in agent.shown[-1] if message["role"] == "assistant"]
    assert [message["content"] for message in own] == ["Told 0.", "Told 1.", "Told 2.", "Told 3."]


async def test_a_report_before_the_person_has_stopped_is_sent_back(stage: Stage, gold: list[Line], right: Report):
    agent = Scripted([gold[-1], *gold[:-1], says("It is all off."), gold[-1]])
    user = Scripted([says("Our weekend is off."), says(STOP)], name="user")
    rollout = await stage.one(agent, user, setting="conversation")
    assert "when the conversation is over" in str(rollout.trajectory.steps[0].observations[0].error)
    assert (rollout.trajectory.report, rollout.trajectory.outcome) == (right, "completed")


async def test_reports_before_the_person_has_stopped_are_none_of_the_three(
    stage: Stage, gold: list[Line], right: Report
):
    agent = Scripted([*[gold[-1]] * 4, *gold[:-1], says("It is all off."), finishes("no report"), gold[-1]])
    user = Scripted([says("Our weekend is off."), says(STOP)], name="user")
    rollout = await stage.one(agent, user, setting="conversation")
    assert (rollout.trajectory.report, rollout.trajectory.outcome) == (right, "completed")


async def test_who_only_reports_while_the_person_speaks_comes_to_the_step_limit(stage: Stage, gold: list[Line]):
    user = Scripted([says("Our weekend is off."), says(STOP)], name="user")
    rollout = await stage.one(Scripted([*[gold[-1]] * 6, says("No.")]), user, setting="conversation", most_steps=6)
    assert rollout.cause == "step_limit" and len(rollout.trajectory.steps) == 7


async def test_a_person_that_calls_finish_is_told_that_there_is_no_such_tool(
    runtime: Runtime, store: TrajectoryStore, assigned: Any, right: Report
):
    user = Scripted([says("Check us in."), finishes(right), says(STOP)], name="user")
    stage = Stage(runtime, store, assigned["arrival_on_skis"])
    rollout = await stage.one(Scripted([says("Please confirm.")]), user, setting="conversation")
    [seen] = rollout.trajectory.steps[0].observations
    assert "there is no tool called 'finish'" in str(seen.error)
    assert not rollout.trajectory.steps[0].calls[0].is_report
    assert rollout.trajectory.report is None
