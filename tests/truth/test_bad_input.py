"""Programs and verifiers that misbehave: a clear outcome each, and never a reward by accident."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.reports import AnswerForm
from envfactory_dagster.contracts.requests import ReferenceSolutionAnswer
from envfactory_dagster.contracts.truth import TracedStep, Verdict
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.runtime.settings import RuntimeSettings
from envfactory_dagster.truth.execution import Run, run_calls, run_solution
from envfactory_dagster.truth.solutions import SolutionCheck
from envfactory_dagster.truth.verdicts import TaskChecks, judge, judge_many
from tests.support.reports import RETURNED, report
from tests.support.tiny import tiny

SHOP = tiny()
BUY = Task(id="buy", text="Buy me item 3.", kind="action")
ORDERED = """
def goal_ordered(world):
    return world.final.one("SELECT count(*) AS n FROM orders WHERE item_id = 3")["n"] == 1

def guard_only_that(world):
    return sorted(change["table"] for change in world.changes) in ([], ["items", "orders"])
"""
BOUGHT = [TracedStep(tool="place_order", arguments={"item_id": 3})]


@pytest_asyncio.fixture(scope="module")
async def impatient() -> AsyncIterator[Runtime]:
    """For what never ends by itself."""
    async with Runtime(RuntimeSettings(call_seconds=2.0, program_seconds=0.5)) as runtime:
        yield runtime


def program(body: str) -> str:
    """A solution that does this, and then what it should do."""
    return f"def solve(tools):\n    {body}\n    tools.place_order(item_id=3)\n    return {RETURNED}\n"


def checks(source: str) -> TaskChecks:
    return TaskChecks(BUY, source, AnswerForm())


async def rewarded(runtime: Runtime, run: Run) -> float:
    return (await judge(runtime, checks(ORDERED), run)).score


# -- solutions ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("open('mine.txt', 'w').write('x')", "NameError: name 'open' is not defined"),
        ("import pathlib", "may not import 'pathlib'"),
        ("import sqlite3", "may not import 'sqlite3'"),
        ("json = __import__('os')", "may not import 'os'"),
        ("import time; time.sleep(60)", "may not import 'time'"),
        ("tools.buy_everything()", "buy_everything"),
        ("tools.place_order(item_id=999)", "there is no item 999"),
        ("tools.place_order(3)", "TypeError"),
        ("tools.place_order(item_id=float('nan'))", "item_id"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt"),
        ("type(tools).place_order = None", "TypeError"),
    ],
)
async def test_a_solution_that_breaks_out_of_its_role_is_stopped_and_earns_nothing(
    runtime: Runtime, body: str, says: str
) -> None:
    run = await run_solution(runtime, SHOP, BUY, program(body), AnswerForm())
    assert says in (run.error or "")
    assert run.changes == []
    verdict = await judge(runtime, checks(ORDERED), run)
    assert verdict.score == 0.0
    assert verdict.reasons


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("while True: pass", "longer than 0.5 seconds"),
        ("sum(range(10**12))", "longer than 0.5 seconds"),
        ("hog = [0] * 10**10", "MemoryError"),
    ],
)
async def test_a_solution_that_takes_too_much_is_stopped(impatient: Runtime, body: str, says: str) -> None:
    run = await run_solution(impatient, SHOP, BUY, program(body), AnswerForm())
    assert says in (run.error or "")
    assert await rewarded(impatient, run) == 0.0


async def test_a_solution_that_calls_for_ever_is_stopped(runtime: Runtime) -> None:
    run = await run_solution(runtime, SHOP, BUY, program("while True: tools.list_items()"), AnswerForm())
    assert "more than 500 tool calls" in (run.error or "")
    assert await rewarded(runtime, run) == 0.0


@pytest.mark.parametrize(
    "answer", ["a = []; a.append(a); return a", "return 'x' * 10**10", "return {1: 2}", "return tools"]
)
async def test_a_report_that_cannot_be_sent_is_none(runtime: Runtime, answer: str) -> None:
    run = await run_solution(runtime, SHOP, BUY, f"def solve(tools):\n    {answer}\n", AnswerForm())
    assert run.report is None
    assert run.error
    assert await rewarded(runtime, run) == 0.0


async def test_megabytes_of_print_do_no_harm(runtime: Runtime) -> None:
    run = await run_solution(runtime, SHOP, BUY, program("print('x' * 5_000_000)"), AnswerForm())
    assert (run.error, run.report) == (None, report())
    assert await rewarded(runtime, run) == 1.0


@pytest.mark.parametrize(
    "redefined",
    [
        "tools.place_order = lambda item_id: {'code': 'ORD-1'}",
        "type(tools).place_order = lambda self, item_id: {'code': 'ORD-1'}",
        "type(tools).__getattr__ = lambda self, name: lambda **given: {'code': 'ORD-1'}",
        "tools = type('Tools', (), {'place_order': lambda self, item_id: {'code': 'ORD-1'}})()",
    ],
)
async def test_a_solution_that_redefines_the_tools_changes_nothing(runtime: Runtime, redefined: str) -> None:
    """What it redefines is its own: the database only hears of real calls."""
    source = f"def solve(tools):\n    {redefined}\n    tools.place_order(item_id=3)\n    return {RETURNED}\n"
    run = await run_solution(runtime, SHOP, BUY, source, AnswerForm())
    assert (run.error, run.calls, run.changes, run.report) == (None, [], [], report())
    assert await rewarded(runtime, run) == 0.0
    problems = await SolutionCheck(runtime, SHOP, BUY).problems(ReferenceSolutionAnswer(source=source))
    assert [problem.message for problem in problems] == ["The program calls no tool."]


async def test_a_solution_that_catches_everything_is_still_seen_to_have_done_nothing(runtime: Runtime) -> None:
    source = (
        "def solve(tools):\n    try:\n        tools.place_order(item_id=999)\n    except Exception:\n        pass\n"
        f"    return {RETURNED}\n"
    )
    problems = await SolutionCheck(runtime, SHOP, BUY).problems(ReferenceSolutionAnswer(source=source))
    assert "changes nothing, and the task asks for a change" in problems[0].message


# -- verifiers ---------------------------------------------------------------------------------------------------------


async def verdict_of(runtime: Runtime, body: str) -> Verdict:
    """A verifier with one more check than it should have, shown the very thing that it asks for."""
    run = await run_calls(runtime, SHOP, BUY, BOUGHT, report())
    assert await rewarded(runtime, run) == 1.0
    return await judge(runtime, checks(f"{ORDERED}\ndef goal_more(world):\n    {body}\n"), run)


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("world.changes.clear(); return True", "changed what it was shown"),
        ("world.trajectory.append({}); return True", "changed what it was shown"),
        ("world.changes[0]['after']['id'] = 9; return True", "changed what it was shown"),
        ("world.report.outcome = 'refused'; return True", "changed what it was shown"),
        ("world.final = world.initial; return True", "changed what it was shown"),
        ("world.final.query('DELETE FROM orders'); return True", "ReadOnlyError"),
        ("world.initial.query('PRAGMA query_only = OFF'); return True", "AuthError"),
        ("return 1 / 0", "ZeroDivisionError"),
        ("raise SystemExit(0)", "SystemExit"),
        ("assert False", "AssertionError"),
        ("return float('nan')", "returned the number nan"),
        ("return float('inf')", "returned the number inf"),
        ("return 2.0", "returned the number 2.0"),
        ("return 1", "returned 1, neither True nor False"),
        ("return 'True'", "returned 'True', neither True nor False"),
        ("return None", "returned None, neither True nor False"),
        ("return [True]", "returned a list"),
        ("return world", "returned a World"),
        ("a = []; a.append(a); return a", "returned a list"),
        ("return 'x' * 10**10", "MemoryError"),
        ("import os", "may not import 'os'"),
        ("open('/etc/passwd')", "NameError"),
        ("return world.report.says('price', 3)", "the answer form has no field 'price'"),
    ],
)
async def test_a_check_that_misbehaves_makes_the_score_zero_and_says_why(
    runtime: Runtime, body: str, says: str
) -> None:
    verdict = await verdict_of(runtime, body)
    assert verdict.score == 0.0
    assert says in " ".join(verdict.reasons)


async def test_a_check_sees_nothing_of_what_another_one_did_to_its_world(runtime: Runtime) -> None:
    verdict = await verdict_of(runtime, "world.changes.clear(); world.report = None; return True")
    assert {signal.name: signal.value for signal in verdict.signals} == {
        "goal_ordered": True,
        "guard_only_that": True,
        "goal_more": None,
    }


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("def goal_x(world):\n    while True: pass\n", "longer than 0.5 seconds"),
        ("while True: pass\n", "longer than 0.5 seconds"),
        ("def goal_x(world:\n", "SyntaxError"),
        ("", "defines no check"),
        ("raise SystemExit(0)\n", "SystemExit"),
        ("goal_x = 5\n", "defines no check"),
        ("".join(f"def goal_{n}(world): return True\n" for n in range(60)), "60 checks"),
    ],
)
async def test_a_verifier_without_a_verdict_gives_no_reward(impatient: Runtime, source: str, says: str) -> None:
    run = await run_calls(impatient, SHOP, BUY, BOUGHT, report())
    verdict = await judge(impatient, checks(source), run)
    assert verdict.score == 0.0
    assert says in " ".join(verdict.reasons)


async def test_a_verifier_that_hangs_once_is_right_about_the_others(impatient: Runtime) -> None:
    hangs = (
        ORDERED
        + "\ndef guard_quick(world):\n    while world.report.outcome == 'impossible':\n        pass\n    return True\n"
    )
    reports = (report(), report("impossible"), report())
    runs = [await run_calls(impatient, SHOP, BUY, BOUGHT, one) for one in reports]
    verdicts = await judge_many(impatient, checks(hangs), runs)
    assert [verdict.score for verdict in verdicts] == [1.0, 0.0, 1.0]
    assert "longer than 0.5 seconds" in verdicts[1].reasons[0]
