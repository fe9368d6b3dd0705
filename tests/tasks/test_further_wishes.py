"""Short tasks get a further wish before they become conversations: its truth, and who chooses it."""

from pathlib import Path

import pytest

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.conversations import ChosenWishes, FurtherWishesAnswer
from envfactory_dagster.contracts.graph import GraphEdge, ParameterLink, ToolGraph
from envfactory_dagster.contracts.synthesis import MadeTask
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.tasks.conversations.expanding import Expander, problems_of_choice
from envfactory_dagster.tasks.conversations.maker import ConversationMaker
from envfactory_dagster.tasks.conversations.settings import ConversationSettings
from tests.tasks.conversation_kit import (
    Answer,
    Author,
    gateway_to,
    graph_of,
    ground_of,
    parents_of,
    the,
)


def leading_from(huts: Bundle, source: str, output: str, target: str, parameter: str) -> ToolGraph:
    """The graph of the huts with one edge."""
    tools = {tool.name: tool for tool in graph_of(huts).tools}
    needed = [one.model_copy(update={"required": one.name == parameter}) for one in tools[target].parameters]
    tools[target] = tools[target].model_copy(update={"parameters": needed})
    tools[source] = tools[source].model_copy(update={"outputs": [output]})
    link = ParameterLink(output=output, parameter=parameter, evidence="lineage")
    edge = GraphEdge(source=source, target=target, weight=3, links=[link])
    return ToolGraph(tools=list(tools.values()), edges=[edge])


async def test_a_second_wish_is_in_the_program_before_the_truth_is_made(
    runtime: Runtime, huts: Bundle, question: MadeTask
):
    graph = leading_from(huts, "search_huts", "huts[].hut_id", "get_hut", "hut_id")
    expander = Expander(runtime, huts, graph, ground_of(huts).facts)
    offered = await expander.to_expand(question, 1)
    expanded = await expander.expanded(question, offered.wishes[:1])
    [also] = expanded.also
    solution, before = expanded.made.solution, question.solution
    assert [call.tool for call in solution.calls] == [*(call.tool for call in before.calls), "get_hut"]
    assert solution.calls[-1].arguments["hut_id"] in {call.arguments.get("hut_id") for call in before.calls}
    assert solution.form.fields[: len(before.form.fields)] == before.form.fields
    added = solution.form.fields[len(before.form.fields) :]
    assert tuple(field.description for field in added) == also
    assert all(solution.report.answers[field.name] is not None for field in added)
    assert solution.state_hash == before.state_hash
    assert expanded.made.verifier.gate.passed and expanded.made.verifier.gate.kill_rate == 1.0
    assert all(f"goal_says_{field.name}" in expanded.made.verifier.verifier.source for field in added)


async def test_what_a_second_wish_tells_is_as_true_after_the_task_and_not_known_before(
    runtime: Runtime, huts: Bundle, parents: list[MadeTask]
):
    """The task cancels the booking: its status and what it owes are others then."""
    graph = leading_from(huts, "list_bookings", "bookings[].booking_code", "get_booking", "booking_code")
    calls_off = the(parents, "call_it_off")
    offered = await Expander(runtime, huts, graph, ground_of(huts).facts).to_expand(calls_off, 2)
    assert {one.step.tool for one in offered.wishes} == {"get_booking"}
    for one in offered.wishes:
        before, after = one.step.result, one.step.afterwards
        assert isinstance(before, dict) and isinstance(after, dict) and before["status"] != after["status"]
        assert not any("status of the booking" in what or what == "The status" for what in one.tells)
        assert not any(str(field.value) in calls_off.task.text for field in one.fields)


async def test_what_is_refused_gets_no_second_wish(runtime: Runtime, huts: Bundle, parents: list[MadeTask]):
    graph = leading_from(huts, "search_tours", "tour_dates[].tour_date_id", "get_tour_date", "tour_date_id")
    offered = await Expander(runtime, huts, graph, ground_of(huts).facts).to_expand(the(parents, "nephew_alone"), 2)
    assert offered.wishes == ()


@pytest.mark.parametrize(
    ("chosen", "problem"),
    [
        ({"best_hut_in_reach": [1]}, ""),
        ({"best_hut_in_reach": []}, ""),
        ({}, ""),
        ({"best_hut_in_reach": [0]}, "has no wish 0"),
        ({"best_hut_in_reach": [99]}, "has no wish 99"),
        ({"best_hut_in_reach": [1, 2]}, "gets two wishes of one tool"),
        ({"best_hut_in_reach": [1, 2, 1]}, "gets 3 further wishes; at most 2"),
        ({"another": [1]}, "no task 'another'"),
    ],
)
async def test_further_wishes_are_chosen_among_those_that_are_offered(
    runtime: Runtime, huts: Bundle, question: MadeTask, chosen: dict[str, list[int]], problem: str
):
    graph = leading_from(huts, "search_huts", "huts[].hut_id", "get_hut", "hut_id")
    offered = await Expander(runtime, huts, graph, ground_of(huts).facts).to_expand(question, 2)
    answer = FurtherWishesAnswer(tasks=[ChosenWishes(task=task, wishes=numbers) for task, numbers in chosen.items()])
    found = " ".join(one.message for one in problems_of_choice([offered], answer))
    assert problem in found if problem else found == ""


async def test_the_author_says_which_further_wishes_there_are(runtime: Runtime, huts: Bundle, tmp_path: Path):
    """Of a task that gets one, what it asks besides is shown as a part; where nobody would ask, there is none."""
    graph = leading_from(huts, "list_bookings", "bookings[].booking_code", "get_booking", "booking_code")
    [accounts] = await parents_of(runtime, huts, "accounts_of_2026")
    again = accounts.model_copy(update={"task": accounts.task.model_copy(update={"id": "again"})})

    def only_for_one(schema: str, context: Answer, right: Answer) -> Answer:
        if schema != "further_wishes":
            return right
        return {"tasks": [{"task": "accounts_of_2026", "wishes": [2]}, {"task": "again", "wishes": []}]}

    author = Author(only_for_one)
    async with gateway_to(author, tmp_path) as gateway:
        settings = ConversationSettings(missing_parameter=0, missing_function=0, no_tool=0)
        shop = ConversationMaker(gateway, runtime, ground_of(huts), graph, 1, settings)
        await shop.work([accounts, again])
    wishes = next(context for schema, context in author.asked if schema == "further_wishes")["tasks"]
    shown = {one["task"]: one for one in next(c for s, c in author.asked if s == "conversation")["tasks"]}
    besides = [part["besides"] for part in shown["accounts_of_2026"]["parts"]]
    assert besides[-1] == wishes[0]["wishes"][1]["tells"] and not any(besides[:-1])
    assert not any(part["besides"] for part in shown["again"]["parts"])
