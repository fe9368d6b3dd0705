"""A run is done for real, in a session of its own, and keeps what happened."""

import pytest

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.reports import AnswerForm
from envfactory_dagster.contracts.truth import RowChange, TracedStep
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.truth.execution import Run, run_calls, run_solution
from tests.examples.solving import TASKS
from tests.support.reports import RETURNED, form, report
from tests.support.tiny import tiny

SHOP = Task(id="buy", text="Buy me item 3.", kind="action")
CODE = form(code="text")
BUY = """
def solve(tools):
    code = tools.place_order(item_id=3)["code"]
    return {"outcome": "done", "answers": {"code": code}, "reason": None, "message": f"It is {code}."}
"""
FAILS = "def solve(tools):\n    tools.place_order(item_id=3)\n    return 1 / 0\n"
CONFIRMS = f"""
def solve(tools):
    order = tools.place_order(item_id=3)
    tools.confirm_order(order_id=order["order_id"])
    return {RETURNED}
"""


@pytest.mark.parametrize("task", TASKS)
async def test_the_same_program_leaves_the_same_database(
    runtime: Runtime, huts: Bundle, gold: dict[str, Run], task: str
) -> None:
    again = await run_solution(runtime, huts, TASKS[task], huts.solutions[task], huts.answer_forms[task])
    assert again == gold[task]
    assert again.error is None
    assert bool(again.changes) == (TASKS[task].kind == "action")


@pytest.mark.parametrize("task", TASKS)
async def test_the_calls_of_a_program_do_what_the_program_did(
    runtime: Runtime, huts: Bundle, gold: dict[str, Run], task: str
) -> None:
    run = gold[task]
    assert await run_calls(runtime, huts, TASKS[task], run.calls, run.report) == run


async def test_a_run_keeps_calls_changes_and_both_databases(runtime: Runtime) -> None:
    shop = tiny()
    run = await run_solution(runtime, shop, SHOP, BUY, CODE)
    assert [(step.tool, step.principal, step.arguments, step.outcome) for step in run.calls] == [
        ("place_order", "assistant", {"item_id": 3}, "ok")
    ]
    assert run.report == report(message="It is ORD-50001.", code="ORD-50001")
    assert run.initial == shop.states["initial"].image != run.final
    assert run.clock == shop.states["initial"].clock
    assert {(change.table, change.kind) for change in run.changes} == {("orders", "insert"), ("items", "update")}
    assert [RowChange.model_validate_json(change.model_dump_json()) for change in run.row_changes] == run.row_changes


async def test_another_clock_and_other_ids(runtime: Runtime) -> None:
    run = await run_solution(runtime, tiny(), SHOP, BUY, CODE, clock="2026-03-05T10:00:00", id_offset=40)
    [order] = [change.after for change in run.changes if change.table == "orders"]
    assert order is not None
    assert (order["id"], order["created_at"], run.clock) == (41, "2026-03-05T10:00:00", "2026-03-05T10:00:00")


async def test_each_tool_is_called_by_whom_it_belongs_to(runtime: Runtime) -> None:
    run = await run_solution(runtime, tiny(), SHOP, CONFIRMS, AnswerForm())
    assert [(step.tool, step.principal) for step in run.calls] == [
        ("place_order", "assistant"),
        ("confirm_order", "user"),
    ]
    assert (await run_calls(runtime, tiny(), SHOP, run.calls, None)).state_hash == run.state_hash


async def test_a_program_that_fails_keeps_what_it_did_until_then(runtime: Runtime) -> None:
    run = await run_solution(runtime, tiny(), SHOP, FAILS, AnswerForm())
    assert run.report is None
    assert run.error is not None
    assert "division by zero" in run.error
    assert [step.tool for step in run.calls] == ["place_order"]
    assert run.changes


@pytest.mark.parametrize(
    ("returned", "says"),
    [
        ("'It is ordered.'", "no dict with outcome, answers, reason and message"),
        ("None", "no dict with outcome, answers, reason and message"),
        ("{'outcome': 'done'}", "what solve returned is no report"),
        (RETURNED.replace("done", "finished"), "what solve returned is no report: arguments.outcome"),
    ],
)
async def test_what_is_no_report_is_an_error_of_the_program(runtime: Runtime, returned: str, says: str) -> None:
    run = await run_solution(runtime, tiny(), SHOP, f"def solve(tools):\n    return {returned}\n", AnswerForm())
    assert run.report is None
    assert says in (run.error or "")


async def test_calls_go_on_after_a_refusal_and_unknown_tools(runtime: Runtime) -> None:
    steps = [
        TracedStep(tool="place_order", arguments={"item_id": 999}),
        TracedStep(tool="place_ordre", arguments={"item_id": 3}),
        TracedStep(tool="place_order", arguments={"item_id": 3}),
    ]
    run = await run_calls(runtime, tiny(), SHOP, steps, report())
    assert [step.outcome for step in run.calls] == ["agent", "agent", "ok"]
    assert run.calls[0].error == "there is no item 999"
    assert (run.report, run.error, len(run.changes)) == (report(), None, 2)


async def test_sessions_are_closed(runtime: Runtime) -> None:
    before = runtime.open_sessions
    await run_solution(runtime, tiny(), SHOP, FAILS, AnswerForm())
    await run_calls(runtime, tiny(), SHOP, [], None)
    assert runtime.open_sessions == before
