"""Variants of conversations: a value is left out, a tool is withheld, or only the rules are asked about."""

from pathlib import Path
from typing import Any

import pytest

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.conversations import RulesQuestionAnswer, RulesQuestionContext, TurnShown
from envfactory_dagster.contracts.domain import Rule, Task
from envfactory_dagster.contracts.reports import AnswerForm
from envfactory_dagster.contracts.requests import CallShown
from envfactory_dagster.contracts.synthesis import MadeTask
from envfactory_dagster.contracts.truth import GatedVerifier, ReferenceSolution
from envfactory_dagster.runtime.facts import load_schema
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.tasks import proving
from envfactory_dagster.tasks.conversations.identifiers import Internals, Unsayable
from envfactory_dagster.tasks.conversations.impossible import WithoutTools, without_tools
from envfactory_dagster.tasks.conversations.making import Talk
from envfactory_dagster.tasks.conversations.refinements import Wording
from envfactory_dagster.tasks.conversations.variants import problems_of_question, reporting
from envfactory_dagster.tasks.verifier_writing import write_verifier
from envfactory_dagster.truth.messages import states
from envfactory_dagster.truth.telling import single_answers
from tests.rollouts.scripted import Scripted, calls, finishes
from tests.support.reports import RETURNED, report
from tests.tasks.conversation_kit import (
    CORRECTED,
    SISTER,
    Answer,
    Author,
    Talks,
    asked_back,
    detail,
    gateway_to,
    ground_of,
    maker,
    parents_of,
    play,
    sister_joins,
    the,
    told,
    wish,
)

# -- a value is said only when asked for -------------------------------------------------------------------------------


def test_a_missing_parameter_is_said_only_when_asked(talks: Talks):
    left_out, talk = talks.conversation("last_morning_left_out"), talks.conversation("last_morning_talk")
    assert left_out.variant == "missing_parameter"
    assert any("five stars" in turn.request for turn in talk.turns)
    assert not any("five" in turn.request for turn in left_out.turns)
    assert left_out.answers == [*talk.answers, "It is five."]
    assert talks["last_morning_left_out"].solution.state_hash == talks["last_morning_talk"].solution.state_hash


async def test_who_has_to_be_asked_has_a_turn_for_it(
    runtime: Runtime, huts: Bundle, parents: list[MadeTask], tmp_path: Path
):
    turns = asked_back(detail("five stars", "Five stars."))
    author = Author(
        lambda schema, _, right: {"conversations": [told("last_morning", turns)]} if schema == "conversation" else right
    )
    async with gateway_to(author, tmp_path) as gateway:
        shop = maker(gateway, runtime, huts, missing_parameter=1, missing_function=0, no_tool=0)
        await shop.work([the(parents, "last_morning")])
    [talk] = shop.made
    assert talk.conversation is not None and talk.conversation.variant == "missing_parameter"
    assert [(turn.kind, turn.calls) for turn in talk.conversation.turns][2:4] == [("wish", 2), ("detail", 0)]
    assert [schema for schema, _ in author.asked] == ["conversation"], "one that asks back is there already"


# -- a value is missing, and nobody can be asked -----------------------------------------------------------------------

ADD_SISTER = "Please add my sister Valerie Brandstätter to the people I travel with."
BIRTHDAY = detail("born on 14 March 1996", "She was born on 14 March 1996.")


async def of_the_sister(
    runtime: Runtime, huts: Bundle, folder: Path, first: str, second: Answer, **settings: int
) -> list[MadeTask]:
    parents = await parents_of(runtime, huts, "sister_joins")
    turns = sister_joins(wish(2, first, first), second)
    author = Author(
        lambda schema, _, right: {"conversations": [told("sister_joins", turns)]} if schema == "conversation" else right
    )
    async with gateway_to(author, folder) as gateway:
        shop = maker(
            gateway, runtime, huts, **{"missing_function": 0, "no_tool": 0, "missing_parameter": 1, **settings}
        )
        await shop.work(parents)
    assert [one.task for one in shop.dropped] == []
    return shop.made


async def test_a_first_message_that_lacks_a_value_is_a_task_for_who_cannot_ask(
    runtime: Runtime, huts: Bundle, tmp_path: Path
):
    talk, twin = await of_the_sister(runtime, huts, tmp_path, ADD_SISTER, BIRTHDAY)
    assert talk.conversation is not None and talk.conversation.turns[0].request == ADD_SISTER
    assert (twin.task.text, twin.task.kind, twin.parent) == (ADD_SISTER, "underspecified", "sister_joins")
    assert (twin.conversation, twin.setting, twin.task.withheld) == (None, "single", [])
    assert (twin.solution.report.outcome, twin.solution.changes) == ("needs_information", [])
    gate = twin.verifier.gate
    assert gate.passed and gate.kill_rate == 1.0 and len(gate.of("mutant")) >= 6
    guessing = [trial for trial in gate.of("mutant") if trial.operator == "extra_write"]
    assert guessing and {trial.score for trial in guessing} == {0.0}, "whoever does something all the same"


async def test_who_reports_that_something_is_missing_completes_it_and_who_guesses_does_not(
    runtime: Runtime, huts: Bundle, tmp_path: Path
):
    _, twin = await of_the_sister(runtime, huts, tmp_path, ADD_SISTER, BIRTHDAY)
    person = {"name": "Valerie Brandstätter", "birth_date": "1990-01-01"}
    ends = [
        ([finishes(twin.solution.report)], "completed"),
        ([calls(("add_companion", person)), finishes(report(message="She is added."))], "agent_error"),
        ([finishes(report("impossible", "I cannot do that."))], "agent_error"),
    ]
    for place, (lines, outcome) in enumerate(ends):
        rollout = await play(runtime, huts, twin, Scripted(lines), None, tmp_path / str(place))
        assert rollout.trajectory.outcome == outcome


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (SISTER, detail(
            "born on 14 March 1996, and her name is Valerie Brandstätter", CORRECTED, "Vroni"
        )),
        (f"{ADD_SISTER} And tell me how many they are then.", BIRTHDAY),
    ],
    ids=["another value is said first", "it asks to be told something as well"],
)  # fmt: skip
async def test_what_may_mean_something_else_becomes_no_such_task(
    runtime: Runtime, huts: Bundle, tmp_path: Path, first: str, second: Answer
):
    [talk] = await of_the_sister(runtime, huts, tmp_path, first, second)
    assert talk.conversation is not None


# -- what is impossible ------------------------------------------------------------------------------------------------


def test_what_no_tool_can_do_changes_nothing_and_is_said(talks: Talks):
    unable = talks["call_it_off_unable"]
    assert unable.task.kind == "unable" and "remove_companion" in unable.task.withheld
    assert (unable.solution.calls, unable.solution.changes) == ([], [])
    assert unable.solution.report.outcome == "impossible"
    assert len(unable.verifier.gate.of("mutant")) >= 6 and unable.verifier.gate.kill_rate == 1.0
    assert talks.conversation("call_it_off_unable").variant == "missing_function"


async def test_no_program_uses_what_is_withheld(runtime: Runtime, huts: Bundle, talks: Talks):
    source = f"def solve(tools):\n    tools.remove_companion(person_id=4)\n    return {RETURNED}\n"
    [problem] = await proving.solve(runtime, huts, talks["call_it_off_unable"].task, source, AnswerForm())
    assert "remove_companion, which is not there for this task" in problem.message


def without(huts: Bundle, talk: Talk) -> list[WithoutTools]:
    return list(without_tools(ground_of(huts), talk))


def talk_about(parent: MadeTask, turns: list[tuple[str, int]]) -> Talk:
    """A task whose calls are divided among these requests."""
    steps = iter(parent.solution.calls)
    shown = tuple(
        TurnShown(
            goal=request,
            request=request,
            calls=[
                CallShown(tool=step.tool, arguments=step.arguments, outcome=step.outcome, result="{}")
                for _, step in zip(range(calls), steps, strict=False)
            ],
        )
        for request, calls in turns
    )
    secrets = Unsayable.of([], Internals(), "", frozenset())
    requests = tuple(request for request, _ in turns)
    return Talk(
        parent, "2026-06-01T09:00:00", "At home.", "Somebody brief.", shown, Wording(requests), secrets, requests
    )


ASKED = "Which hut near the Steinkar Hut is best, what does a vegetarian dinner cost, and who was the last reviewer?"


def test_without_the_tools_that_tell_it_a_question_is_impossible_and_keeps_its_form(huts: Bundle, question: MadeTask):
    [found] = without(huts, talk_about(question, [(ASKED, len(question.solution.calls))]))
    assert found.form == question.solution.form
    assert {"search_huts", "list_meals", "list_reviews"} <= set(found.withheld)
    assert found.report.outcome == "impossible"
    assert found.report.answers == dict.fromkeys(field.name for field in question.solution.form.fields)


def test_a_request_that_asks_for_nothing_that_was_found_out_is_left_as_it_is(huts: Bundle, question: MadeTask):
    assert without(huts, talk_about(question, [("Please look around a little.", 4)])) == []


def test_a_turn_is_left_as_it_is_where_nobody_knows_what_it_asks_to_be_told(
    huts: Bundle, parents: list[MadeTask], question: MadeTask
):
    """An answer that was worked out belongs to no turn in particular."""
    report, form = question.solution.report, question.solution.form
    summed = report.model_copy(update={"answers": report.answers | {"vegetarian_dinner": 987_654}})
    other = question.model_copy(update={"solution": question.solution.model_copy(update={"report": summed})})
    assert without(huts, talk_about(other, [(ASKED, len(form.fields) + 1)])) == []
    many = "Tell me which hut is best. Tell me who reviewed last. Tell me the price of a dinner. Tell me my own name."
    assert without(huts, talk_about(question, [(many, 4)])) == []
    calls_off = the(parents, "call_it_off")
    turns = [("Please cancel our stay in February.", 6), ("Take Marek off my list. How much comes back?", 4)]
    assert all(not found.form.fields for found in without(huts, talk_about(calls_off, turns)))


async def test_what_is_impossible_stands_its_trials_with_a_form(runtime: Runtime, huts: Bundle, question: MadeTask):
    [found] = without(huts, talk_about(question, [(ASKED, len(question.solution.calls))]))
    task = Task(id="which_hut", text=ASKED, kind="unable", withheld=found.withheld)
    gold = await proving.solve(runtime, huts, task, reporting(found.report), found.form)
    assert isinstance(gold, ReferenceSolution), gold
    source = write_verifier(gold, load_schema(huts.schema_sql), huts.states["initial"].clock)
    gated = await proving.verify(runtime, huts, task, gold, source)
    assert isinstance(gated, GatedVerifier), gated
    assert "every_answer" in {trial.operator for trial in gated.gate.of("mutant")}


def test_the_form_of_what_is_impossible_or_refused_is_that_of_what_can_be_done(talks: Talks, parents: list[MadeTask]):
    """Of a conversation that keeps its task, the form is the task's; of what is impossible it is a part of it."""
    forms = {parent.task.id: parent.solution.form for parent in parents}
    for one in talks.shop.made:
        if one.parent is None:
            continue
        whole = forms[one.parent]
        if one.task.kind == "unable":
            assert all(field in whole.fields for field in one.solution.form.fields)
        else:
            assert one.solution.form == whole


# -- questions about the rules -----------------------------------------------------------------------------------------


def test_a_question_about_the_rules_needs_no_tool(talks: Talks):
    question = talks["rules_question_1"]
    assert question.task.kind == "no_tool" and question.solution.calls == []
    assert question.verifier.gate.passed and question.verifier.gate.kill_rate == 1.0
    report, form = question.solution.report, question.solution.form
    assert report.outcome == "done" and report.answers.keys() == {field.name for field in form.fields}
    for field, value in single_answers(form, report):
        assert not states(field, value, question.task.text) and states(field, value, report.message)


RULES = [Rule(id="cancelling", text="A stay can be called off without charge up to 24 hours before it begins.")]
HOURS = {"name": "hours", "type": "duration", "unit": "hours", "description": "How long before it begins"}
RIGHT: dict[str, Any] = {
    "scenario": "Plans may change.",
    "persona": "Somebody careful.",
    "rule": "cancelling",
    "request": "Until when may I call a stay off without paying?",
    "answer_form": [HOURS],
    "answers": {"hours": 24},
    "message": "You may do that up to 24 hours before it begins.",
}


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({}, None),
        ({"answers": {"hours": "24 hours"}}, None),
        ({"rule": "dogs"}, "There is no rule 'dogs'"),
        ({"answers": {"hours": 48}, "message": "Up to 48 hours."}, "The rule does not say 48"),
        ({"request": "May I call a stay off 24 hours before?"}, "The request says 24 itself"),
        ({"message": "You may do that in time."}, "The message does not say 24"),
        ({"message": "Up to 24 hours, and it costs 12 euros later."}, "The message says 12 besides"),
        ({"answers": {"hours": None}}, "nothing is answered in hours"),
        ({"answers": {}}, "'hours'"),
        ({"answers": {"hours": "in time"}}, "cannot be read"),
        ({"answer_form": [HOURS, HOURS]}, "must be unique"),
        ({"request": "What does the booking_code say?"}, "a name inside the service"),
    ],
)
def test_a_question_about_the_rules_is_answered_by_its_rule_and_not_by_itself(
    changed: dict[str, Any], told: str | None
):
    context = RulesQuestionContext(name="Huts", clock="2026-06-01T09:00:00", rules=RULES, asked=[])
    answer = RulesQuestionAnswer.model_validate(RIGHT | changed)
    found = [problem.message for problem in problems_of_question(context, frozenset({"booking_code"}), answer)]
    assert found == [] if told is None else any(told in message for message in found), found
