"""A verdict is guards × mean of the goals, and 0 with a reason whenever it is not clear."""

import pytest

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.errors import EnvironmentFault
from envfactory_dagster.contracts.reports import AnswerForm, Report
from envfactory_dagster.contracts.truth import Signal, TracedStep
from envfactory_dagster.runtime.checks import MESSAGE_CHECK
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.truth.execution import Run, run_calls
from envfactory_dagster.truth.verdicts import Remembers, TaskChecks, judge, judge_many, judge_surely, verdict
from tests.support.reports import form, report
from tests.support.tiny import tiny

SHOP = Task(id="buy", text="Buy me item 3.", kind="action")
CHECKS = TaskChecks(SHOP, "", AnswerForm())
TOLD = report(message="It is ORD-50001.", code="ORD-50001")
BOUGHT = """
def goal_ordered(world):
    return world.final.one("SELECT count(*) AS n FROM orders WHERE item_id = 3")["n"] == 1

def goal_said(world):
    return world.report.says("code", "ORD-50001")

def guard_outcome(world):
    return world.report.outcome in (None, "done")

def guard_only_that(world):
    return sorted(change["table"] for change in world.changes) in ([], ["items", "orders"])
"""


def run_of(reported: Report | None) -> Run:
    return Run(
        calls=[TracedStep(tool="list_items")],
        changes=[],
        report=reported,
        error=None,
        state_hash="",
        initial=b"",
        final=b"",
        state="initial",
        clock="",
    )


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
    given = verdict(found, CHECKS, run_of(report()))
    assert (given.score, given.reasons) == (score, reasons)


def test_without_a_report_nothing_is_earned() -> None:
    given = verdict(signals(goal_a=True), CHECKS, run_of(None))
    assert (given.score, given.reasons, given.message) == (0.0, ["There is no report."], "unchecked")


def test_a_message_that_contradicts_the_report_forfeits_everything() -> None:
    checks = TaskChecks(SHOP, "", form(code="text", places="integer"))
    honest = verdict(signals(goal_a=True), checks, run_of(report(message="There are three.", code="A", places=3)))
    lying = verdict(signals(goal_a=True), checks, run_of(report(message="There are five.", code="A", places=3)))
    assert (honest.score, honest.message) == (1.0, "values_only")
    assert (lying.score, lying.signals[-1].name) == (0.0, MESSAGE_CHECK)
    assert lying.reasons == [
        "guard broken: message agrees with report",
        "The message says five where the answer places is 3.",
    ]


async def test_runs_are_judged_by_what_they_left_behind_and_said(runtime: Runtime) -> None:
    shop = tiny()
    buy = TracedStep(tool="place_order", arguments={"item_id": 3})
    cancel = TracedStep(tool="cancel_order", arguments={"order_id": 1})
    runs = [
        await run_calls(runtime, shop, SHOP, calls, reported)
        for calls, reported in [
            ([buy], TOLD),
            ([buy], report(code=None)),
            ([], TOLD),
            ([buy, buy], TOLD),
            ([buy, cancel], TOLD),
            ([buy], report("impossible", code="ORD-50001")),
            ([buy], None),
            ([], None),
        ]
    ]
    checks = TaskChecks(SHOP, BOUGHT, form(code="text"))
    judged = await judge_many(runtime, checks, runs)
    assert [found.score for found in judged] == [1.0, 0.5, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0]
    assert [await judge(runtime, checks, run) for run in runs] == judged


COUNTS = """
import json

def goal_first(world) -> bool:
    json.cases = getattr(json, "cases", 0) + 1
    return json.cases == {first}
"""


async def test_a_verifier_that_counts_its_cases_is_caught(runtime: Runtime) -> None:
    shop = tiny()
    runs = [
        await run_calls(runtime, shop, SHOP, [TracedStep(tool="place_order", arguments={"item_id": item})], TOLD)
        for item in range(1, 6)
    ]
    counting = TaskChecks(SHOP, COUNTS.format(first=1), form(code="text"))
    assert [(await judge(runtime, counting, run)).score for run in runs] == [1.0] * 5
    assert sum(found.score for found in await judge_many(runtime, counting, runs)) == 1.0
    with pytest.raises(Remembers, match="In a process of its own it scores 1, among others 0"):
        await judge_surely(runtime, counting, runs)
    honest = TaskChecks(SHOP, BOUGHT, form(code="text"))
    assert await judge_surely(runtime, honest, runs, again=2) == await judge_many(runtime, honest, runs)


async def test_a_verifier_cannot_know_the_order_of_its_cases(runtime: Runtime) -> None:
    """Those that are shown a right end first, as they were before, are not the first to be judged."""
    shop = tiny()
    runs = [
        await run_calls(runtime, shop, SHOP, [TracedStep(tool="place_order", arguments={"item_id": item})], TOLD)
        for item in range(1, 6)
    ]
    scores = [
        [found.score for found in await judge_many(runtime, TaskChecks(SHOP, COUNTS.format(first=n), form()), runs)]
        for n in range(1, 6)
    ]
    order = [of_one.index(1.0) for of_one in scores]
    assert sorted(order) == list(range(5)) != order


async def test_the_trajectory_says_who_called_what_and_what_came_of_it(runtime: Runtime) -> None:
    calls = [TracedStep(tool="place_order", arguments={"item_id": 999})]
    source = (
        "def goal_tried(world):\n"
        "    [step] = world.trajectory\n"
        "    return step == {'tool': 'place_order', 'principal': 'assistant', 'arguments': {'item_id': 999},\n"
        "                    'outcome': 'agent', 'value': None, 'error': 'there is no item 999'}\n"
    )
    run = await run_calls(runtime, tiny(), SHOP, calls, report())
    assert (await judge(runtime, TaskChecks(SHOP, source, AnswerForm()), run)).score == 1.0


async def test_gold_of_the_huts_scores_one(
    runtime: Runtime, checks: dict[str, TaskChecks], gold: dict[str, Run]
) -> None:
    for task, run in gold.items():
        found = await judge(runtime, checks[task], run)
        assert (task, found.score, found.reasons) == (task, 1.0, [])
