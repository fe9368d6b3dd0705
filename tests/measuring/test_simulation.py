"""`envfactory simulate`: a model answers calls in place of the tools, which are executed beside it."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fastapi import Response

from envfactory_dagster.contracts.inspection import JudgedTest, TestCase
from envfactory_dagster.contracts.simulation import AnsweredCall
from envfactory_dagster.rollouts.simulator import difference_of, state_shown
from envfactory_dagster.store.bundles import BundleStore
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.records import RecordStore
from tests.commands.terminal import Terminal
from tests.language.played_endpoint import PlayedEndpoint, fails, says, served
from tests.support.reports import report
from tests.tasks.huts_kit import inspection
from tests.trainer.clerk import answered, calling

pytestmark = pytest.mark.long

Answer = dict[str, Any]


def context_of(body: dict[str, Any]) -> dict[str, Any] | None:
    """What the simulator is shown; None for a question to somebody else."""
    block = re.search(r"```json\n(.*)\n```", str(body["messages"][1]["content"]))
    found = json.loads(block[1]) if block else {}
    return found["context"] if found.get("schema") == "simulated_call" else None


def order(context: dict[str, Any]) -> Answer:
    """As the shop answers it."""
    return {"outcome": "ok", "result": {"order_id": 1, "code": "ORD-50001"}}


def often_right(context: dict[str, Any]) -> Answer:
    match context["arguments"]["item_id"]:
        case 8:
            return {"outcome": "ok", "result": {"order_id": 7, "code": 7}}
        case 9:
            return {"outcome": "refused", "error": "only 0 of item 9 are left"}
    return order(context)


def speaking(simulator: Callable[[dict[str, Any]], Answer], agent: Callable[[dict[str, Any]], Response]) -> Any:
    def play(body: dict[str, Any]) -> Response:
        context = context_of(body)
        return agent(body) if context is None else answered(says(json.dumps(simulator(context)))(body))

    return play


def nobody(body: dict[str, Any]) -> Response:
    raise AssertionError("only the simulator is asked")


@pytest.fixture
def played() -> PlayedEndpoint:
    return PlayedEndpoint(always=speaking(often_right, nobody))


@pytest.fixture
def url(played: PlayedEndpoint) -> Iterator[str]:
    with served(played.app()) as address:
        yield address


def calls_in(folder: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (Path(folder) / "calls.jsonl").read_text().splitlines()]


def test_calls_of_the_solutions_are_answered_by_both_and_compared(
    terminal: Terminal, url: str, played: PlayedEndpoint
) -> None:
    given = ("simulate", "tiny-shop", "--endpoint", url, "--simulator", "dreamer", "--json")
    said = terminal.factory(*given)
    assert said.status == 0, said.err
    found = said.json()
    assert (found["simulator"], found["agent"], found["episodes"], found["passed"]) == ("dreamer", "reference", 8, 8)
    assert found["calls"]["all"]["differences"] == {"none": 4, "value": 2, "outcome": 2}
    assert found["calls"]["all"]["same"]["mean"] == 0.5 and found["same_throughout"] == 4
    assert (found["calls"]["writing"]["calls"], found["calls"]["reading"]["same"]) == (8, None)
    assert (found["broken_schema"], found["in_part"]) == (2, 0)
    assert (found["spent"]["calls"], found["spent"]["tokens_in"]) == (8, 800)
    [wrong, _] = [one for one in calls_in(found["folder"]) if one["difference"] == "outcome"]
    assert wrong["executed"]["value"]["code"] == "ORD-50001" and wrong["simulated"]["outcome"] == "agent"

    asked = played.calls
    again = terminal.factory(*given).json()
    assert again["spent"].pop("reused") == 8 and found["spent"].pop("reused") == 0
    assert again == found and played.calls == asked, "no answer is paid for twice"
    assert "50.0%" in terminal.factory(*given[:-1]).out


def test_the_agent_acts_on_what_the_model_answers(terminal: Terminal, url: str, played: PlayedEndpoint) -> None:
    """The model says that the order was refused, so the agent orders something else. The verifier sees that."""

    def simulator(context: dict[str, Any]) -> Answer:
        assert {table["table"] for table in context["tables"]} == {"users", "items", "orders"}
        if not context["calls"]:
            return {"outcome": "refused", "error": "the dreamer's reason"}
        assert context["calls"][0]["answer"]["error"] == "the dreamer's reason"
        return order(context)

    def agent(body: dict[str, Any]) -> Response:
        told = [one["content"] for one in body["messages"] if one["role"] == "tool"]
        if len(told) == 2:
            return answered(calling("finish", report().model_dump())(body))
        assert not told or "the dreamer's reason" in told[0]
        return answered(calling("place_order", {"item_id": 1 if told else 3, "quantity": 2})(body))

    played.always = speaking(simulator, agent)
    said = terminal.factory(
        "simulate", "--endpoint", url, "--simulator", "dreamer", "--agent", "clerk", "--tasks", "1", "--json"
    )
    assert said.status == 0, said.err
    found = said.json()
    assert (found["episodes"], found["passed"], found["agent"]) == (1, 0, "clerk")
    assert found["calls"]["all"]["differences"] == {"outcome": 1, "value": 1}
    assert found["calls"]["undisturbed"]["calls"] == 1


def test_calls_of_the_inspection_are_answered_too(terminal: Terminal, url: str, played: PlayedEndpoint) -> None:
    """Two in a session: one that the tool refuses, and one that it does."""
    home = Home.resolve(terminal.home)
    release = RecordStore(home).latest("release", "tiny-shop")
    assert release is not None and release.artifact is not None
    bundle = BundleStore(home).load("tiny-shop")
    cases = [("cancel_order", {"order_id": 5}), ("place_order", {"item_id": 3})]
    tests = [
        JudgedTest(
            round=1,
            case=TestCase(tool=tool, arguments=arguments, positive=False, expectation="as it should"),
            outcome="ok",
            result="",
            grade="pass",
        )
        for tool, arguments in cases
    ]
    found = inspection(bundle).model_copy(update={"tests": tests}).model_dump(mode="json")
    inspected = replace(bundle, inspection=found)
    BundleStore(home).keep(inspected)
    artifact = release.artifact | {"version": inspected.version}
    RecordStore(home).keep(release.model_copy(update={"artifact": artifact, "inputs": "2" * 64}))

    played.always = speaking(order, nobody)
    said = terminal.factory("simulate", "--endpoint", url, "--simulator", "dreamer", "--agent", "inspection", "--json")
    assert said.status == 0, said.err
    figures = said.json()
    assert (figures["agent"], figures["episodes"], figures["passed"]) == ("inspection", 1, None)
    assert figures["calls"]["refused"]["differences"] == {"outcome": 1}
    assert figures["calls"]["writing"]["differences"] == {"none": 1}


def test_an_answer_that_cannot_be_read_is_none(terminal: Terminal, url: str, played: PlayedEndpoint) -> None:
    played.always = says("I would rather not.")
    found = terminal.factory("simulate", "--endpoint", url, "--simulator", "dreamer", "--tasks", "1", "--json").json()
    assert found["calls"]["all"]["differences"] == {"no_answer": 1}


def test_no_figure_without_the_endpoint(terminal: Terminal, url: str, played: PlayedEndpoint) -> None:
    played.always = fails(500, "out of order")
    said = terminal.factory("simulate", "--endpoint", url, "--simulator", "dreamer", "--json")
    assert said.status == 1 and said.out == "" and "out of order" in said.err


def test_somebody_has_to_be_named_who_stands_for_the_tools(terminal: Terminal) -> None:
    said = terminal.factory("simulate")
    assert said.status == 2 and "--simulator" in said.err


@pytest.mark.parametrize(
    ("executed", "simulated", "difference"),
    [
        ({"n": 2, "of": [1, 2]}, {"of": [1, 2.0], "n": 2.0}, "none"),
        ({"of": [{"a": 1}, {"a": 2}]}, {"of": [{"a": 2}, {"a": 1}]}, "order"),
        ({"of": [1, 1, 2]}, {"of": [1, 2, 2]}, "value"),
        ({"free": True}, {"free": 1}, "value"),
    ],
)
def test_values_are_compared_as_json(executed: Answer, simulated: Answer, difference: str) -> None:
    one, other = (AnsweredCall(outcome="ok", value=value) for value in (executed, simulated))
    assert difference_of(one, other) == difference


def test_of_a_large_state_the_rows_that_a_call_names_are_shown_first() -> None:
    rows = {"items": [{"id": n, "name": f"Item {n}"} for n in range(100)], "orders": []}
    [items, orders], whole = state_shown(rows, {"Item 70"}, most=100)
    assert not whole and items.rows_in_all == 100 and orders.rows == []
    assert items.rows[-1] == [70, "Item 70"] and items.rows[0] == [0, "Item 0"] and len(items.rows) < 10
    [items, _], whole = state_shown(rows, set())
    assert whole and len(items.rows) == 100
