"""Conversations and their variants are played: what the person knows, and which ends complete the task."""

from pathlib import Path
from typing import Any

import pytest

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.reports import Report
from envfactory_dagster.contracts.synthesis import MadeTask
from envfactory_dagster.rollouts.prompts import STOP
from envfactory_dagster.rollouts.reference import ReferencePolicy
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.truth.rewards import RewardSettings
from envfactory_dagster.truth.telling import single_answers
from tests.rollouts.scripted import Scripted, calls, finishes, followed, says
from tests.support.reports import report
from tests.tasks.conversation_kit import NO_WAY, Author, Talks, gateway_to, maker, parents_of, play, told, wish


async def test_a_person_knows_its_goals_and_answers_and_neither_the_wording_nor_anything_else(
    runtime: Runtime, huts: Bundle, talks: Talks, tmp_path: Path
):
    one = talks["last_morning_left_out"]
    user = Scripted([says("Hello!"), says(STOP)], name="user")
    await play(runtime, huts, one, Scripted([says("Yes?")]), user, tmp_path, setting="conversation")
    told = str(user.shown[0][0]["content"])
    conversation = talks.conversation(one.task.id)
    assert all(turn.goal in told for turn in conversation.turns) and conversation.persona in told
    assert not any(turn.request in told for turn in conversation.turns)
    assert conversation.answers[-1] in told and told.count('"when":"next"') == len(conversation.turns)
    assert "write_review" not in told


async def test_turns_are_brought_up_one_by_one_and_the_answers_of_all_of_them_count(
    runtime: Runtime, huts: Bundle, talks: Talks, tmp_path: Path
):
    one = talks["call_it_off_talk"]
    agent, begin = list[Any](), 0
    for number, turn in enumerate(talks.conversation(one.task.id).turns):
        steps = one.solution.calls[begin : begin + turn.calls]
        agent += [*(calls((step.tool, step.arguments)) for step in steps), says(f"Done with {number}.")]
        begin += turn.calls
    agent.append(finishes(one.solution.report))
    lines = [says(f"I would like to {turn.goal}.") for turn in talks.conversation(one.task.id).turns]
    user = Scripted([*lines, says(STOP)], name="user")
    rollout = await play(runtime, huts, one, Scripted(agent), user, tmp_path, setting="conversation")
    assert rollout.trajectory.outcome == "completed"
    assert rollout.trajectory.opening.startswith("I would like to learn what is booked at the Schneelahn Hut")
    assert rollout.remarks == []
    assert rollout.trajectory.answer.startswith("Done with 0.\nDone with 1.\n")


@pytest.mark.parametrize(("name", "passes"), [("reference", True), ("reference:competence=0", False)])
async def test_the_reference_policy_and_its_person_come_to_the_end_of_every_conversation(
    runtime: Runtime, huts: Bundle, talks: Talks, tmp_path: Path, name: str, passes: bool
):
    agent, person = ReferencePolicy.of_name(name), ReferencePolicy.of_name("reference")
    for one in talks.shop.made:
        rollout = await play(runtime, huts, one, agent, person, tmp_path / one.task.id, setting="conversation")
        assert (rollout.trajectory.outcome == "completed") == passes, (one.task.id, rollout)
        assert rollout.trajectory.model == name and "user_scripted" in rollout.remarks


async def test_said_at_once_a_conversation_is_its_text(runtime: Runtime, huts: Bundle, talks: Talks, tmp_path: Path):
    one = talks["call_it_off_talk"]
    agent = Scripted(followed(one.solution.calls, one.solution.report))
    rollout = await play(runtime, huts, one, agent, None, tmp_path, setting="single")
    assert (rollout.trajectory.opening, rollout.trajectory.outcome) == (one.task.text, "completed")


async def test_a_task_that_is_refused_at_once_becomes_a_conversation(
    runtime: Runtime, huts: Bundle, parents: list[MadeTask], tmp_path: Path
):
    """Its few calls are one part or two, and the person takes no first no for an answer."""
    [ankle] = await parents_of(runtime, huts, "sprained_ankle")
    turns = [wish(2, ankle.task.text, ankle.task.text), NO_WAY, NO_WAY]
    author = Author(lambda schema, _, right: {"conversations": [told("sprained_ankle", turns)]})
    async with gateway_to(author, tmp_path) as gateway:
        shop = maker(gateway, runtime, huts, missing_parameter=0, missing_function=0, no_tool=0)
        await shop.work([ankle])
    [talk] = shop.made
    assert talk.conversation is not None and talk.conversation.variant == "refusal"
    assert [turn.kind for turn in talk.conversation.turns] == ["wish", "insist", "insist"]
    assert talk.task.text == ankle.task.text, "said at once, nobody pleads before they have been refused"
    agent = Scripted([*(calls((one.tool, one.arguments)) for one in ankle.solution.calls),
                      says("That cannot be done any more."), says("No, I am sorry."), says("No."),
                      finishes(ankle.solution.report)])  # fmt: skip
    user = Scripted([says("Call it off?"), says("Please!"), says("Really not?"), says(STOP)], name="user")
    rollout = await play(runtime, huts, talk, agent, user, tmp_path, setting="conversation")
    assert rollout.trajectory.outcome == "completed"
    assert str(user.shown[0][0]["content"]).count('"when":"refused"') == 2


@pytest.mark.parametrize("protocol", ["native", "meta_tools"])
async def test_a_withheld_tool_is_as_unknown_as_one_that_never_was(
    runtime: Runtime, huts: Bundle, talks: Talks, tmp_path: Path, protocol: Any
):
    one, thinking = talks["call_it_off_unable"], {"reasoning_content": "Hm."}
    wanted: Any = ("remove_companion", {"person_id": 4})
    lines = [calls(wanted)]
    if protocol == "meta_tools":
        wrapped = ("call_tool", {"tool_name": wanted[0], "arguments": wanted[1]})
        lines = [calls(("list_tools", {}), **thinking), calls(wrapped, **thinking)]
    agent = Scripted([*lines, says("Done.", **thinking)])
    strict = RewardSettings(format_rules="all")
    rollout = await play(runtime, huts, one, agent, None, tmp_path, protocol=protocol, reward=strict)
    assert not any("remove_companion" in str(tools) for tools in agent.tools)
    assert rollout.cause == "format"
    last = rollout.trajectory.steps[-1].observations[-1]
    assert last.outcome == "agent" and "there is no tool called 'remove_companion'" in str(last.error)
    listed = [o.value for step in rollout.trajectory.steps[:-1] for o in step.observations]
    assert "remove_companion" not in str(listed)


@pytest.mark.parametrize(
    ("reported", "outcome"),
    [
        (report("impossible", "I cannot take anybody off: there is no tool for it."), "completed"),
        (report("impossible", "I don't have a tool for that, sorry."), "completed"),
        (report("impossible", "Marek remains on your list."), "completed"),
        (report("done", "Marek is off the list."), "agent_error"),
        (report("needs_information", "Which Marek do you mean?"), "agent_error"),
        (report("refused", "The rules forbid it.", reason="minors_with_guardian"), "agent_error"),
    ],
)
async def test_who_cannot_do_it_reports_it(
    runtime: Runtime, huts: Bundle, talks: Talks, tmp_path: Path, reported: Report, outcome: str
):
    rollout = await play(runtime, huts, talks["call_it_off_unable"], Scripted([finishes(reported)]), None, tmp_path)
    assert rollout.trajectory.outcome == outcome
    assert rollout.trajectory.reward is not None and rollout.trajectory.reward.total == (outcome == "completed")


async def test_a_question_about_the_rules_is_answered_in_its_fields_in_whatever_words(
    runtime: Runtime, huts: Bundle, talks: Talks, tmp_path: Path
):
    question = talks["rules_question_1"]
    [(field, value)] = single_answers(question.solution.form, question.solution.report)
    rules = " ".join(rule.text for rule in huts.theme.rules)
    right = report(message=f"Gladly. The rules say: {rules}", **{field.name: str(value)})
    wrong = report(message=f"Gladly. The rules say: {rules}", **{field.name: 987})
    nothing = report(message=f"Gladly. The rules say: {rules}", **{field.name: None})
    for number, (reported, outcome) in enumerate(
        [(right, "completed"), (wrong, "agent_error"), (nothing, "agent_error")]
    ):
        agent = Scripted([finishes(reported)])
        rollout = await play(runtime, huts, question, agent, None, tmp_path / str(number))
        assert rollout.trajectory.outcome == outcome
