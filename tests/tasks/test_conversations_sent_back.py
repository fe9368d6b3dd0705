"""Conversations that are sent back to their author: what is wrong with one is said, and what is right passes."""

from typing import Any

import pytest

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.conversations import ToldConversation
from envfactory_dagster.contracts.synthesis import MadeTask
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.tasks.conversations.planning import problems_of
from tests.tasks.conversation_kit import (
    CORRECTED,
    NO_WAY,
    REVIEW,
    SISTER,
    TURNS,
    Answer,
    asked_back,
    detail,
    insist,
    parents_of,
    plan_of,
    sister_joins,
    the,
    told,
    wish,
)


def found_in(huts: Bundle, parent: MadeTask, turns: list[Answer], *answers: str) -> str:
    given = ToldConversation.model_validate(told(parent.task.id, turns, *answers))
    return " ".join(problem.message for problem in problems_of(plan_of(huts, parent), given))


def changed(task: str, number: int, **fields: Any) -> list[Answer]:
    """The hand-written turns, one of them with other fields."""
    return [turn | fields if place == number else turn for place, turn in enumerate(TURNS[task], 1)]


@pytest.mark.parametrize(
    ("turns", "problem"),
    [
        (changed("call_it_off", 4, parts=1), "The turns take 7 parts; there are 8"),
        (TURNS["call_it_off"][:2], "There are 2 turns; there must be 3 to 8"),
        ([wish(8, "all", "All of it.")], "There are 1 turns"),
        ([wish(1, "more", "More.") for _ in range(9)], "There are 9 turns"),
        (changed("call_it_off", 4, kind="detail"), "Turn 4 is a detail and takes 2 parts"),
        (changed("call_it_off", 4, parts=0), "The turns take 6 parts; there are 8"),
        (changed("call_it_off", 1, request="Our weekend is off."), "is said in no request and in no answer"),
        (changed("call_it_off", 1, goal="learn what is booked in February"), "is in no goal and in no answer"),
        (changed("call_it_off", 1, goal="booking 4; Schneelahn Hut, Lisbon, 5 February"), "4 is known to the service"),
        (changed("call_it_off", 4, request="How much of the 88 euros comes back?"), "'88' comes from nowhere"),
        (changed("call_it_off", 4, request="Tell me total_cents of it."), "a name inside the service"),
        (changed("call_it_off", 4, request=f"How much? {'Please. ' * 200}"), "Request 4 has 202 words"),
        (changed("call_it_off", 4, instead_of="five"), "only in a detail somebody has changed their mind"),
        ([wish(4, "a", "Do it."), wish(1, "b", "And that."), wish(3, "c", "How much?")], None),
        ([wish(6, "a", "Do it."), wish(1, "b", "And that."), wish(1, "c", "How much?")], "Turn 1 takes 6 different"),
    ],
)
def test_what_is_wrong_with_a_conversation_is_said(
    huts: Bundle, parents: list[MadeTask], turns: list[Answer], problem: str | None
):
    found = found_in(huts, the(parents, "call_it_off"), turns)
    assert problem in found if problem is not None else "different tools" not in found


def test_what_was_written_by_hand_passes(huts: Bundle, parents: list[MadeTask]):
    assert {task: found_in(huts, the(parents, task), turns) for task, turns in TURNS.items()} == dict.fromkeys(
        TURNS, ""
    )


@pytest.mark.parametrize(
    "torn",
    [
        "Otherwise tell me how old he would have to be.",
        "Please, otherwise book nothing.",
        "If not, book nothing and tell me how old he must be.",
        "Should it not; and how many clinics there are.",
        "Please tell me both; and if the first one is larger;",
        "And if the club doesn't take him alone.",
    ],
)
def test_a_condition_that_is_cut_in_two_is_sent_back(huts: Bundle, parents: list[MadeTask], torn: str):
    turns = TURNS["nephew_alone"]
    last = turns[2]["request"].partition(". If")[0]
    split = [turns[1], turns[2] | {"request": f"{last}."}, turns[2] | {"request": torn}]
    assert "tears a condition apart" in found_in(huts, the(parents, "nephew_alone"), split)


@pytest.mark.parametrize(
    "whole",
    [
        "If the club takes him alone, sign him up; otherwise tell me how old he must be.",
        "Please sign him up on his own if they take him alone.",
        "Should they refuse, book nothing.",
        "Sign him up for both now, or else book nothing.",
        "Tell me if he may go alone.",
        "Sign him up on the outings where he is taken alone, otherwise book nothing.",
    ],
)
def test_a_condition_that_is_whole_passes(huts: Bundle, parents: list[MadeTask], whole: str):
    turns = changed("nephew_alone", 3, request=whole, goal=whole)
    assert "tears a condition apart" not in found_in(huts, the(parents, "nephew_alone"), turns)


def test_a_value_may_be_kept_until_the_assistant_asks_for_it(huts: Bundle, parents: list[MadeTask]):
    morning = the(parents, "last_morning")
    [held] = plan_of(huts, morning).shown.held_back
    assert (held.part, held.written) == (7, ["five"])
    assert found_in(huts, morning, asked_back(detail("five stars", "Five stars."))) == ""
    nothing = found_in(huts, morning, asked_back(detail("stars", "Good ones.")))
    assert "must say a value that `held_back` lists" in nothing
    late = asked_back(detail("five stars", "Five stars."))
    assert "follow the turn" in found_in(huts, morning, [*late[:3], late[4], late[3]])
    said = asked_back(detail("five stars", "Five stars."), f"{REVIEW} Five stars.")
    assert "which was said before: nobody has to ask for it" in found_in(huts, morning, said)
    in_the_goal = asked_back(detail("five stars", "Five stars."), goal="a review with five stars")
    assert "which was said before" in found_in(huts, morning, in_the_goal)


def test_a_value_that_several_calls_need_is_kept_once(huts: Bundle, parents: list[MadeTask]):
    morning = the(parents, "last_morning")
    [held] = plan_of(huts, morning).shown.held_back
    review = next(call for call in morning.solution.calls if call.tool == "write_review")
    again = morning.solution.model_copy(update={"calls": [*morning.solution.calls, review]})
    twice = morning.model_copy(update={"solution": again})
    assert plan_of(huts, twice).shown.held_back == [held]


WITH_OTHERWISE = insist("beg for an exception", "Please, he would be so sad otherwise.")


@pytest.mark.parametrize(
    ("task", "turns", "problem"),
    [
        ("nephew_alone", [wish(3, "", ""), NO_WAY, NO_WAY], ""),
        ("nephew_alone", [*TURNS["nephew_alone"], NO_WAY], ""),
        ("nephew_alone", [*TURNS["nephew_alone"], WITH_OTHERWISE], ""),
        ("nephew_alone", [*TURNS["nephew_alone"][:2], NO_WAY, TURNS["nephew_alone"][2]], "Turn 3 insists"),
        ("nephew_alone", [*TURNS["nephew_alone"], NO_WAY, NO_WAY, NO_WAY], "More than 2 turns insist"),
        ("nephew_alone", [NO_WAY, *TURNS["nephew_alone"]], "The first turn is of kind 'insist'"),
        ("call_it_off", [*TURNS["call_it_off"], NO_WAY], "only who has been refused does"),
    ],
)
def test_who_is_refused_may_insist(huts: Bundle, parents: list[MadeTask], task: str, turns: list[Answer], problem: str):
    whole = the(parents, task).task.text
    said = [one | {field: one[field] or whole for field in ("goal", "request")} for one in turns]
    found = found_in(huts, the(parents, task), said)
    assert problem in found if problem else found == ""


@pytest.mark.parametrize(
    ("asking", "corrected", "instead_of", "problem"),
    [
        (SISTER, CORRECTED, "Vroni", ""),
        ("Please add my sister.", CORRECTED, "Vroni", "takes 'Vroni' back, which the request before does not say"),
        (SISTER, "She was born on 14 March 1996.", "Vroni", "says none of ['Valerie Brandstätter'] in its place"),
        (f"{SISTER} Valerie Brandstätter.", CORRECTED, "Valerie Brandstätter", "is what the task wants"),
    ],
)
async def test_a_person_may_change_their_mind_while_nothing_can_be_done_yet(
    runtime: Runtime, huts: Bundle, asking: str, corrected: str, instead_of: str, problem: str
):
    [sister] = await parents_of(runtime, huts, "sister_joins")
    turns = sister_joins(
        wish(2, "add a sister, under the name Vroni", asking),
        detail("born on 14 March 1996, and her name is Valerie Brandstätter", corrected, instead_of),
    )
    found = found_in(huts, sister, turns)
    assert problem in found if problem else found == ""
