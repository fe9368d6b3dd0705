"""The runs that prove words: what the solver and the person are shown, and what happens where nobody answers."""

import json
from itertools import groupby

import pytest

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.errors import InfrastructureFault
from envfactory_dagster.contracts.synthesis import Release
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.tasks.naming import renamed
from tests.rollouts.scripted import Line, calls, finishes, says
from tests.tasks.huts_kit import Golds, golds_of, made_tasks
from tests.tasks.proof_kit import ACTION, QUESTION, REFUSAL, Desk, Solver, always, right


async def test_the_solver_sees_the_words_and_nothing_of_the_solution(desk: Desk) -> None:
    solver = Solver(desk.rightly)
    await desk.proofs(solver, desk.made[QUESTION], desk.made[REFUSAL])
    for asked in solver.shown:
        assert asked["messages"][1]["content"] in desk.rightly
        assert "def solve" not in json.dumps(asked)


async def test_the_tools_are_told_once_in_front_of_everything_else_and_alike_in_all_tasks(desk: Desk) -> None:
    solver = Solver(desk.rightly)
    await desk.proofs(solver, desk.made[QUESTION], desk.made[REFUSAL])
    tools = desk.huts.tools_of("assistant")
    beginnings = set()
    for asked in solver.shown:
        assert [tool["function"]["name"] for tool in asked["tools"]] == ["call_tool", "finish"]
        system = asked["messages"][0]["content"]
        told = [line.partition("(")[0] for line in system.splitlines() if "(" in line]
        assert [name for name in told if name in {tool.name for tool in tools}] == [tool.name for tool in tools]
        beginnings.add(system[: system.index("You are the assistant")])
    assert len(beginnings) == 1


async def test_what_the_person_has_to_do_is_done_by_a_person_who_knows_the_words_alone(
    desk: Desk, runtime: Runtime, huts: Bundle
) -> None:
    name = "arrival_on_skis"
    gold = (await golds_of(runtime, huts, (name,)))[name]
    [made] = made_tasks(huts, {name: gold}).values()
    agent: list[Line] = []
    person: list[Line] = [says(made.task.text)]
    for principal, together in groupby(gold.calls, key=lambda call: call.principal):
        own = agent if principal == "assistant" else person
        own += [calls((call.tool, call.arguments)) for call in together]
        own.append(says("Please do your part." if principal == "assistant" else "I have done it."))
    assert gold.calls[-1].principal == "user"
    agent.append(says("All is done."))
    person.append(says("###STOP###"))
    solver = Solver({made.task.text: always([*agent, finishes(gold.report)])}, person=person)
    proof = (await desk.proofs(solver, made))[name]
    assert {call.principal for call in gold.calls} == {"assistant", "user"}
    assert (proof.verdict, proof.runs) == ("accepted", 2)


async def test_whoever_is_interrupted_pays_for_nothing_twice(desk: Desk, huts: Bundle, golds: Golds) -> None:
    made = (desk.made[QUESTION], desk.made[REFUSAL])
    whole = Solver(desk.rightly)
    expected = await desk.proofs(whole, *made)
    again = Desk(desk.runtime, desk.folder / "again", huts, golds)
    first, second, third = Solver(desk.rightly, answers_left=5), Solver(desk.rightly), Solver(desk.rightly)
    with pytest.raises(InfrastructureFault, match="could not be played to its end"):
        await again.proofs(first, *made)
    assert await again.proofs(second, *made) == expected
    assert first.answered + second.answered == whole.answered
    assert await again.proofs(third, *made) == expected and third.answered == 0


async def test_one_question_that_is_never_answered_costs_its_own_task_the_proof(desk: Desk) -> None:
    solver = Solver(desk.rightly, hangs_on=desk.text(QUESTION), patience_s=1.0)
    record = await desk.record_of(solver)
    found = Release.model_validate(record.artifact)
    assert [one.task.id for one in found.tasks] == [ACTION, REFUSAL]
    [kept] = found.held_back
    assert kept.words is not None and "did not answer within 1 seconds" in kept.words.unanswered
    assert (kept.task.id, kept.words.verdict, kept.words.runs, kept.words.at_gold) == (QUESTION, "unproven", 2, 0)
    assert solver.hung == 2 * 2, "two runs, each made twice"
    [told] = record.metadata["doubtful_words"]
    assert (told["task"], told["unanswered"]) == (QUESTION, kept.words.unanswered)


async def test_what_nobody_answers_is_held_against_no_task(desk: Desk) -> None:
    """One task is played to its end, then the endpoint is down."""
    await desk.proofs(Solver(desk.rightly), desk.made[REFUSAL])
    down = Solver(desk.rightly, answers_left=1)
    with pytest.raises(InfrastructureFault, match=f"the task {QUESTION} could not be played to its end.*503"):
        await desk.proofs(down, desk.made[REFUSAL], desk.made[QUESTION])


async def test_where_no_task_is_answered_it_is_not_the_tasks(desk: Desk) -> None:
    solver = Solver(desk.rightly, hangs_on=desk.text(QUESTION), patience_s=0.5)
    with pytest.raises(InfrastructureFault, match=f"the task {QUESTION} could not be played to its end"):
        await desk.proofs(solver, desk.made[QUESTION])


async def test_a_run_that_broke_off_is_made_again(desk: Desk) -> None:
    await desk.proofs(Solver(desk.rightly), desk.made[REFUSAL])
    found = await desk.proofs(Solver(desk.rightly, hiccups=2), desk.made[REFUSAL], desk.made[QUESTION])
    assert {(one.verdict, one.runs, one.unanswered) for one in found.values()} == {("accepted", 2, "")}


async def test_one_task_more_costs_only_its_own_runs(desk: Desk) -> None:
    await desk.proofs(Solver(desk.rightly), desk.made[QUESTION])
    twin = renamed(desk.made[REFUSAL], "twin")
    twin = twin.model_copy(update={"task": twin.task.model_copy(update={"text": "Please sign Felix up."})})
    solver = Solver(desk.rightly | {twin.task.text: always(right(twin))})
    assert (await desk.proofs(solver, desk.made[QUESTION], twin))["twin"].verdict == "accepted"
    assert {words for words, _ in solver.begun} == {twin.task.text}
