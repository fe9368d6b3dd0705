"""Words are proved before they are released: what the runs of a model that sees nothing else say about a task."""

import json

import pytest

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.contracts.synthesis import Conversation, MadeTask, Turn
from envfactory_dagster.rollouts.settings import LEAST_STEPS
from envfactory_dagster.tasks.naming import renamed
from envfactory_dagster.tasks.proof_of_words import ProofSettings
from tests.rollouts.scripted import calls, finishes, says
from tests.tasks.proof_kit import (
    ACTION,
    NOWHERE,
    QUESTION,
    REFUSAL,
    Desk,
    Lines,
    Solver,
    always,
    costing,
    in_turn,
    right,
    without,
)


async def test_words_that_lead_to_the_end_of_the_solution_twice_are_accepted(desk: Desk) -> None:
    solver = Solver(desk.rightly)
    found = await desk.proofs(solver)
    assert {(one.verdict, one.solver, one.runs, one.at_gold, one.pass_rate) for one in found.values()} == {
        ("accepted", "solver", 2, 2, 1.0)
    }
    assert {solver.runs(words) for words in desk.rightly} == {2}
    steps = 1 + len(desk.made[ACTION].solution.calls)
    shown = [sum(message["role"] == "assistant" for message in asked["messages"]) for asked in solver.shown]
    assert max(shown) == steps - 1 > 5, "it sees all that it has done"


def of_a_family(one: MadeTask, number: int) -> MadeTask:
    return renamed(one.model_copy(update={"source": "family"}), f"dinners_s0_{number}")


@pytest.mark.parametrize(("lines", "verdicts"), [(None, ["accepted", "not_played"]), (700, ["disputed", "disputed"])])
async def test_of_a_family_one_task_is_played_for_all(desk: Desk, lines: Json, verdicts: list[str]) -> None:
    one = desk.made[QUESTION]
    solver = Solver(desk.rightly | ({desk.text(QUESTION): always(costing(lines))} if lines else {}))
    found = await desk.proofs(solver, of_a_family(one, 1), of_a_family(one, 2), desk.made[REFUSAL])
    assert [proof.verdict for proof in found.values()] == [*verdicts, "accepted"]
    assert solver.runs(desk.text(QUESTION)) == (2 if lines is None else 5)


async def test_two_of_five_at_the_end_of_the_solution_are_enough(desk: Desk) -> None:
    correct = right(desk.made[QUESTION])
    proof = await desk.proof(QUESTION, in_turn(costing(101), costing(202), correct, costing(303), correct))
    assert (proof.verdict, proof.runs, proof.at_gold, proof.pass_rate) == ("accepted", 5, 2, 0.4)
    assert sorted(end.seeds for end in proof.ends) == [[0], [1], [3]]


async def test_nobody_plays_on_when_two_have_come_to_the_end(desk: Desk) -> None:
    correct = right(desk.made[QUESTION])
    proof = await desk.proof(QUESTION, in_turn(correct, costing(101), correct))
    assert (proof.verdict, proof.runs, desk.solver.runs(desk.text(QUESTION))) == ("accepted", 3, 3)


async def test_words_on_which_no_two_runs_agree_are_unproven(desk: Desk) -> None:
    wrong = (costing(number) for number in (101, 202, 303, 404))
    proof = await desk.proof(QUESTION, in_turn(right(desk.made[QUESTION]), *wrong))
    assert (proof.verdict, proof.runs, proof.at_gold) == ("unproven", 5, 1)


async def test_runs_that_agree_on_another_report_dispute_the_solution(desk: Desk) -> None:
    """The same values, in whatever form and words."""
    worded = [
        costing(700, message="It costs 7 euros."),
        costing("7.00", message="Seven euros, as far as I see."),
        costing("7 euros", best_hut="the falkenrast hut"),
    ]
    proof = await desk.proof(QUESTION, lambda seed: worded[seed % 3])
    assert (proof.verdict, proof.at_gold) == ("disputed", 0)
    assert [end.seeds for end in proof.ends] == [[0, 1, 2, 3, 4]]


async def test_an_end_is_what_was_changed_as_well_as_what_was_reported(desk: Desk) -> None:
    """The reports are equal in all runs. In two of them the same is left undone."""
    action = desk.made[ACTION]
    forgets, keeps = without(action, "remove_companion"), without(action, "cancel_tour_signup")
    nothing: Lines = [finishes(action.solution.report)]
    proof = await desk.proof(ACTION, in_turn(forgets, keeps, nothing, forgets, right(action)))
    assert (proof.verdict, proof.at_gold) == ("disputed", 1)
    assert [end.seeds for end in proof.ends] == [[0, 3], [1], [2]]
    assert proof.ends[2].changed == 0 < proof.ends[0].changed


async def test_words_that_mean_two_things_are_disputed(desk: Desk) -> None:
    """As many runs come to another end as to that of the solution."""
    correct = right(desk.made[QUESTION])
    proof = await desk.proof(QUESTION, in_turn(costing(700), correct, costing(700), correct, costing(101)))
    assert (proof.verdict, proof.at_gold) == ("disputed", 2)


async def test_a_call_of_a_wrong_form_is_told_and_says_nothing_about_the_words(desk: Desk) -> None:
    malformed = calls(("list_bookings", {"no_such_argument": True}))
    proof = await desk.proof(QUESTION, always([malformed, *right(desk.made[QUESTION])]))
    assert (proof.verdict, proof.runs) == ("accepted", 2)


async def test_runs_that_end_nowhere_agree_on_nothing(desk: Desk) -> None:
    proof = await desk.proof(ACTION, always(NOWHERE))
    assert (proof.verdict, proof.at_gold, proof.ends) == ("unproven", 0, [])


async def test_who_never_comes_to_an_end_is_stopped_and_proves_nothing(desk: Desk) -> None:
    proof = await desk.proof(QUESTION, always([calls(("list_huts", {}))]))
    assert (proof.verdict, proof.runs, proof.ends) == ("unproven", 5, [])
    asked_for_the_report = 1
    assert desk.solver.answered == 5 * (LEAST_STEPS + asked_for_the_report)


GARBAGE: list[Lines] = [
    [says("")],
    [{"role": "assistant", "content": "", "tool_calls": [None, {"function": None}, {"id": 7, "function": {}}]}],
    [
        calls(("call_tool", '{"tool": "list_huts", "argu')),
        calls(("call_tool", "[1, 2]")),
        calls(("call_tool", '{"tool": 3}')),
        calls(("call_tool", '{"tool": "list_huts", "arguments": ' + "[" * 300 + "]" * 300 + "}")),
        calls(("call_tool", '{"tool": "list_huts", "arguments": "all of them"}')),
        finishes("the report"),
        finishes({"outcome": "perhaps", "message": None}),
    ],
]


@pytest.mark.parametrize("garbage", GARBAGE)
async def test_garbage_says_nothing_about_the_words_and_breaks_nothing(desk: Desk, garbage: Lines) -> None:
    proof = await desk.proof(QUESTION, always(garbage))
    assert (proof.verdict, proof.runs, proof.at_gold, proof.ends) == ("unproven", 5, 0, [])
    for asked in desk.solver.shown:  # an endpoint may refuse to read what is no JSON object
        written = [call for message in asked["messages"] for call in message.get("tool_calls") or []]
        assert all(isinstance(json.loads(call["function"]["arguments"]), dict) for call in written)


async def test_who_cannot_be_read_is_told_what_a_call_looks_like_and_goes_on(desk: Desk) -> None:
    one = desk.made[QUESTION]
    solver = Solver({one.task.text: always([calls(("call_tool", '{"tool": "list_hu')), *right(one)])})
    assert (await desk.proofs(solver, one))[QUESTION].verdict == "accepted"
    told = {m["content"] for asked in solver.shown for m in asked["messages"][3:4]}
    assert len(told) == 1 and '{"tool": NAME, "arguments": {…}}' in json.loads(told.pop())["error"]


async def test_a_conversation_is_played_in_its_own_words_with_what_is_said_when_asked_and_without_insisting(
    desk: Desk,
) -> None:
    plain = desk.made[ACTION]
    spoken = Conversation(
        scenario="At the kitchen table.",
        persona="A hiker.",
        turns=[
            Turn(goal="Cancel it", request="Marek is leaving, so our weekend is off.", calls=len(plain.solution.calls)),
            Turn(goal="Hear what comes back", request="What do I get back?", calls=0),
            Turn(kind="insist", goal="Get all of it back", request="There must be a way!", calls=0),
        ],
        answers=["The Schneelahn Hut from 5 February."],
    )
    talk = renamed(plain, "spoken").model_copy(update={"source": "conversation", "conversation": spoken})
    words = "Marek is leaving, so our weekend is off. What do I get back? The Schneelahn Hut from 5 February."
    forgetful = Solver(desk.rightly | {words: always(without(plain, "remove_companion"))})
    assert (await desk.proofs(forgetful, talk))["spoken"].verdict == "disputed"


def test_one_run_proves_nothing() -> None:
    with pytest.raises(UsageError, match="proved by 2 runs at least"):
        ProofSettings(most_runs=1)
