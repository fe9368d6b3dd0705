"""A verdict is guards × mean of the goals, and 0 with a reason whenever it is not clear."""

import pytest

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.errors import EnvironmentFault
from envfactory_dagster.contracts.truth import Signal, TracedStep
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.truth.execution import Run, run_calls
from envfactory_dagster.truth.verdicts import answer_text, judge, judge_many, verdict
from tests.support.tiny import tiny

CALLED = [TracedStep(tool="list_items")]
SHOP = Task(id="buy", text="Buy me item 3.", kind="action")
BOUGHT = """
def goal_ordered(world):
    return world.final.one("SELECT count(*) AS n FROM orders WHERE item_id = 3")["n"] == 1

def goal_said(world):
    return world.mentions("ORD-50001")

def guard_only_that(world):
    return sorted(change["table"] for change in world.changes) in ([], ["items", "orders"])
"""


def signals(**values: Json) -> list[Signal]:
    return [Signal(name=name, value=value) for name, value in values.items()]


@pytest.mark.parametrize(
    ("found", "score", "reasons"),
    [
        (signals(goal_a=True, goal_b=True, guard_c=True), 1.0, []),
        (signals(goal_a=True, goal_b=False, guard_c=True), 0.5, ["goal not reached: b"]),
        (signals(goal_a=True, goal_b=True, guard_c=False), 0.0, ["guard broken: c"]),
        (signals(goal_a=False), 0.0, ["goal not reached: a"]),
        (signals(guard_c=True), 0.0, ["The verifier has no goal."]),
        ([], 0.0, ["The verifier has no goal."]),
        (signals(goal_a=1), 0.0, ["goal_a: returned 1, neither True nor False."]),
        (signals(goal_a="yes"), 0.0, ["goal_a: returned 'yes', neither True nor False."]),
        (signals(goal_a=None), 0.0, ["goal_a: returned None, neither True nor False."]),
        (signals(goal_a=True, guard_c=1), 0.0, ["guard_c: returned 1, neither True nor False."]),
        ([Signal(name="goal_a", error="KeyError: 'x'"), *signals(goal_b=True)], 0.0, ["goal_a: KeyError: 'x'."]),
        (EnvironmentFault("The verifier gave no verdict: it hung."), 0.0, ["The verifier gave no verdict: it hung."]),
    ],
)
def test_signals_come_to_a_score(found: list[Signal] | EnvironmentFault, score: float, reasons: list[str]) -> None:
    given = verdict(found, CALLED, "said")
    assert (given.score, given.reasons) == (score, reasons)


@pytest.mark.parametrize(
    ("calls", "answer", "score"),
    [([], None, 0.0), ([], " \n", 0.0), ([], "said", 1.0), (CALLED, None, 1.0), ([], 0, 1.0)],
)
def test_nothing_done_and_nothing_said_is_worth_nothing(calls: list[TracedStep], answer: Json, score: float) -> None:
    assert verdict(signals(goal_a=True), calls, answer).score == score


@pytest.mark.parametrize(
    ("answer", "text"),
    [(None, None), ("said", "said"), (12, "12"), (12.5, "12.5"), (True, "true"), (["a", {"b": 1}], '["a",{"b":1}]')],
)
def test_an_answer_is_judged_as_text(answer: Json, text: str | None) -> None:
    assert answer_text(answer) == text


async def test_runs_are_judged_by_what_they_left_behind_and_said(runtime: Runtime) -> None:
    shop = tiny()
    buy = TracedStep(tool="place_order", arguments={"item_id": 3})
    cancel = TracedStep(tool="cancel_order", arguments={"order_id": 1})
    runs = [
        await run_calls(runtime, shop, SHOP, calls, answer)
        for calls, answer in [
            ([buy], "It is ORD-50001."),
            ([buy], None),
            ([], "It is ORD-50001."),
            ([buy, buy], "It is ORD-50001."),
            ([buy, cancel], "It is ORD-50001."),
            ([], None),
        ]
    ]
    judged = await judge_many(runtime, BOUGHT, runs)
    assert [found.score for found in judged] == [1.0, 0.5, 0.5, 0.0, 0.0, 0.0]
    assert [await judge(runtime, BOUGHT, run) for run in runs] == judged


async def test_the_trajectory_says_who_called_what_and_what_came_of_it(runtime: Runtime) -> None:
    calls = [TracedStep(tool="place_order", arguments={"item_id": 999})]
    source = (
        "def goal_tried(world):\n"
        "    [step] = world.trajectory\n"
        "    return step == {'tool': 'place_order', 'principal': 'assistant', 'arguments': {'item_id': 999},\n"
        "                    'outcome': 'agent', 'value': None, 'error': 'there is no item 999'}\n"
    )
    assert (await judge(runtime, source, await run_calls(runtime, tiny(), SHOP, calls, None))).score == 1.0


async def test_gold_of_the_huts_scores_one(runtime: Runtime, huts: Bundle, gold: dict[str, Run]) -> None:
    for task, run in gold.items():
        found = await judge(runtime, huts.verifiers[task], run)
        assert (task, found.score, found.reasons) == (task, 1.0, [])
