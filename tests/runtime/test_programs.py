"""Solution programs and verifiers: each in a process of its own, each failure of theirs a clear outcome."""

import asyncio
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from envfactory_dagster.contracts.errors import EnvironmentFault
from envfactory_dagster.contracts.reports import AnswerForm, Report
from envfactory_dagster.runtime import processes
from envfactory_dagster.runtime.processes import PATIENCE, Processes, WorkerLost
from envfactory_dagster.runtime.runtime import Case, Runtime
from envfactory_dagster.runtime.settings import RuntimeSettings
from tests.support.reports import form, report
from tests.support.tiny import tiny

BUNDLE = tiny()

BUY_CHEAP = '''
def solve(tools):
    """Buy one of every cheap item."""
    codes = [tools.place_order(item_id=item["id"])["code"] for item in tools.list_items(most=12.5)["items"]]
    try:
        tools.get_item(item_id=999)
    except tools.Error as error:
        print("as expected:", error)
    return ", ".join(codes)
'''


async def test_a_program_acts_on_the_session_and_answers(runtime: Runtime) -> None:
    async with await runtime.open(BUNDLE) as session:
        result = await runtime.run_program(session, BUY_CHEAP)
        assert (result.answer, result.error) == ("ORD-50001, ORD-50002", None)
        assert result.printed == "as expected: there is no item 999\n"
        assert [call.tool for call in result.calls] == ["list_items", "place_order", "place_order", "get_item"]
        assert len([c for c in await session.changes() if c.kind == "insert"]) == 2


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("return 1 / 0", "ZeroDivisionError: division by zero (solution, line 2)"),
        ("return tools.get_item(item_id=999)", "Refusal: there is no item 999"),
        ("return {1, 2}", "the answer is not JSON"),
        ("a = []\n    a.append(a)\n    return a", "the answer is not JSON"),
        ("import os", "may not import 'os'"),
        ("open('/etc/passwd')", "NameError"),
        ("while True:\n        tools.list_items()", "more than 500 tool calls"),
        ("raise SystemExit", "SystemExit"),
        ("return 'x' * 10**10", "MemoryError"),
        ("return solve(tools)", "RecursionError"),
    ],
)
async def test_what_goes_wrong_in_a_program_is_said(runtime: Runtime, body: str, says: str) -> None:
    async with await runtime.open(BUNDLE) as session:
        result = await runtime.run_program(session, f"def solve(tools):\n    {body}\n")
        assert result.answer is None
        assert says in (result.error or "")
        assert (await session.call("list_items")).ok


def test_workers_run_the_code_of_the_package_that_started_them(tmp_path: Path) -> None:
    """Here a copy of it, changed in one place, while another one is installed."""
    package = Path(processes.__file__).parents[1]
    skipped = shutil.ignore_patterns("worlds", "__pycache__")
    copy = Path(shutil.copytree(package, tmp_path / package.name, ignore=skipped))
    worker = copy / "runtime" / "program_worker.py"
    worker.write_text(worker.read_text().replace("the answer is not JSON", "this is a copy"))
    done = subprocess.run(
        [sys.executable, "-c", OF_A_COPY],
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "this is a copy" in done.stdout, done.stderr


OF_A_COPY = """
import asyncio
from envfactory_dagster import Runtime, load_bundle

async def main():
    async with Runtime() as runtime, await runtime.open(load_bundle("alpine_huts")) as session:
        print((await runtime.run_program(session, "def solve(tools):\\n    return {1, 2}\\n")).error)

asyncio.run(main())
"""


async def test_a_worker_that_a_busy_machine_keeps_waiting_has_time_and_not_for_ever() -> None:
    """The answer to its tool call does not come: it uses no processor time, and the clock goes on."""
    started = Processes(RuntimeSettings(program_seconds=0.5))
    try:
        link = await started.fork("program")
        called = asyncio.Event()
        link.on_message = lambda message, size: called.set()
        waiting = link.request(["def solve(tools):\n    tools.list_items()\n"])
        await called.wait()
        now = asyncio.get_running_loop().time()
        assert not link.is_overdue(now + 1.0)
        assert link.is_overdue(now + 1.0 + 0.5 * PATIENCE)
        link.close()
        with pytest.raises(WorkerLost):
            await waiting
    finally:
        await started.close()


async def test_a_program_without_an_end_is_stopped() -> None:
    async with Runtime(RuntimeSettings(program_seconds=0.5)) as runtime, await runtime.open(BUNDLE) as session:
        result = await runtime.run_program(session, "def solve(tools):\n    while True:\n        pass\n")
        assert result.error == "it ran longer than 0.5 seconds"


async def test_a_program_without_solve_is_told_so(runtime: Runtime) -> None:
    async with await runtime.open(BUNDLE) as session:
        result = await runtime.run_program(session, "x = 1\n")
        assert "defines no function solve(tools)" in (result.error or "")


async def test_megabytes_of_print_are_cut(runtime: Runtime) -> None:
    async with await runtime.open(BUNDLE) as session:
        result = await runtime.run_program(session, "def solve(tools):\n    print('x' * 5_000_000)\n    return 1\n")
        assert (result.answer, len(result.printed)) == (1, 20_000)


VERIFIER = '''
def goal_has_an_order_of_item_two(world):
    """Has an order of item 2."""
    return world.final.one("SELECT count(*) AS n FROM orders WHERE item_id = ?", [2])["n"] == 1

def goal_told_the_code(world):
    """Told the user the order's code."""
    return world.report.says("code", world.final.one("SELECT code FROM orders")["code"])

def guard_changed_nothing_else(world):
    """Touched the order and the stock of its item."""
    return sorted(change["table"] for change in world.changes) == ["items", "orders"]

def guard_made_one_call(world):
    """Made one call."""
    return len(world.trajectory) == 1
'''


async def test_a_verifier_sees_both_ends_the_report_and_the_calls(runtime: Runtime) -> None:
    async with await runtime.open(BUNDLE) as session:
        initial = await session.snapshot()
        await session.call("place_order", {"item_id": 2})
        signals = await runtime.run_verifier(
            VERIFIER,
            initial=initial,
            final=await session.snapshot(),
            report=report(code="ord-50001."),
            form=form(code="text"),
            trajectory=[{"tool": "place_order"}],
        )
    assert [(signal.name, signal.value) for signal in signals] == [
        ("goal_has_an_order_of_item_two", True),
        ("goal_told_the_code", True),
        ("guard_changed_nothing_else", True),
        ("guard_made_one_call", True),
    ]


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("return 1 / 0", "ZeroDivisionError"),
        ("return float('nan')", "returned the number nan"),
        ("return 2.0", "returned the number 2.0"),
        ("return [True]", "returned a list"),
        ("return world.final.query('DELETE FROM orders')", "ReadOnlyError"),
        ("return world.final.query(\"ATTACH 'x' AS x\")", "AuthError"),
        ("import sqlite3", "may not import 'sqlite3'"),
    ],
)
async def test_a_bad_check_hides_no_other(runtime: Runtime, body: str, says: str) -> None:
    image = BUNDLE.states["initial"].image
    source = f"def goal_bad(world):\n    {body}\n\ndef guard_good(world):\n    return True\n"
    bad, good = await runtime.run_verifier(source, initial=image, final=image)
    assert bad.value is None
    assert says in (bad.error or "")
    assert (good.value, good.error) == (True, None)


@pytest.mark.parametrize(
    ("rows", "shown", "says"),
    [(10_001, "i", "a query returned more than 10000 rows"), (10**9, "max(i)", "a query took too many steps")],
)
async def test_a_check_cannot_hide_that_it_ran_into_a_limit(runtime: Runtime, rows: int, shown: str, says: str) -> None:
    image = BUNDLE.states["initial"].image
    many = f"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT {rows}) SELECT {shown} FROM n"
    hides = f"    try:\n        return world.final.query({many!r}) != []\n    except Exception:\n        return True\n"
    source = f"def goal_hides(world):\n{hides}\ndef guard_good(world):\n    return True\n"
    hidden, good = await runtime.run_verifier(source, initial=image, final=image)
    assert (hidden.value, hidden.error) == (None, says)
    assert (good.value, good.error) == (True, None)


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("def goal_x(world:\n", "SyntaxError"),
        ("x = 1\n", "defines no check"),
        ("while True:\n    pass\n", "longer than 0.5 seconds"),
    ],
)
async def test_a_verifier_that_cannot_run_gives_no_verdict(source: str, says: str) -> None:
    image = BUNDLE.states["initial"].image
    async with Runtime(RuntimeSettings(program_seconds=0.5)) as runtime:
        with pytest.raises(EnvironmentFault, match="gave no verdict") as raised:
            await runtime.run_verifier(source, initial=image, final=image)
        assert says in str(raised.value)


@pytest.mark.parametrize(
    ("given", "field", "value", "said"),
    [
        (report(owed="1,204.50 euros"), form(owed="money"), 120450, True),
        (report(owed=1204.5), form(owed="money"), 120450, True),
        (report(owed=120), form(owed="money"), 1200, False),
        (report(places="twelve"), form(places="integer"), 12, True),
        (report(places=12), form(places="integer"), 2, False),
        (report(hut="the Sonnblick Hut"), form(hut="text"), "Sonnblick Hut", True),
        (report(hut="Sonnblickhaus"), form(hut="text"), "Sonnblick Hut", False),
        (report(due="20 March 2026"), form(due="date"), "2026-03-20", True),
        (report(due=None), form(due="date"), None, True),
        (report(due=None), form(due="date"), "2026-03-20", False),
        (None, form(due="date"), None, False),
        (None, form(due="date"), "2026-03-20", False),
    ],
)
async def test_an_answer_is_compared_as_its_field_demands(
    runtime: Runtime, given: Report | None, field: AnswerForm, value: object, said: bool
) -> None:
    image = BUNDLE.states["initial"].image
    source = f"def goal_said(world):\n    return world.report.says({field.fields[0].name!r}, {value!r})\n"
    (signal,) = await runtime.run_verifier(source, initial=image, final=image, report=given, form=field)
    assert (signal.value, signal.error) == (said, None)


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("world.report.says('price', 3)", "the answer form has no field 'price'; it has: due"),
        ("world.report.says('due', 'soon')", "'soon' is no value that the field 'due' of type date could have"),
    ],
)
async def test_a_verifier_that_asks_for_what_cannot_be_is_told_so(runtime: Runtime, body: str, says: str) -> None:
    image = BUNDLE.states["initial"].image
    source = f"def goal_said(world):\n    return {body}\n"
    (signal,) = await runtime.run_verifier(source, initial=image, final=image, report=report(), form=form(due="date"))
    assert says in (signal.error or "")


# -- many cases for one verifier ---------------------------------------------------------------------------------------

REMEMBERS = """
SEEN = []

def goal_is_the_first(world, cache=[]):
    SEEN.append(1)
    cache.append(1)
    __builtins__["len"] = None
    return (SEEN, cache) == ([1], [1])

def guard_sees_its_own_report(world):
    return world.report.says("number", world.trajectory[0]) and len(world.trajectory) == 1
"""


async def test_cases_of_one_verifier_know_nothing_of_each_other(runtime: Runtime) -> None:
    image = BUNDLE.states["initial"].image
    field = form(number="integer")
    cases = [Case(image, image, report(number=number), field, [number]) for number in range(5)]
    for signals in await runtime.run_verifier_many(REMEMBERS, cases):
        assert isinstance(signals, list)
        assert [(signal.value, signal.error) for signal in signals] == [
            (True, None),
            (None, "TypeError: 'NoneType' object is not callable (verifier, line 11)"),
        ]


@pytest.mark.parametrize(
    "body",
    [
        "world.changes.clear()",
        "world.changes[0]['after'].clear()",
        "world.trajectory.append(1)",
        "world.report.outcome = 'refused'",
        "world.final = world.initial",
    ],
)
async def test_a_check_that_changes_what_it_is_shown_says_nothing_and_changes_no_other(
    runtime: Runtime, body: str
) -> None:
    async with await runtime.open(BUNDLE) as session:
        initial = await session.snapshot()
        await session.call("place_order", {"item_id": 2})
        final = await session.snapshot()
    source = f"""
def goal_bad(world):
    {body}
    return True

def guard_good(world):
    places = sorted(change["table"] for change in world.changes if change["after"])
    return (places, world.report.outcome, world.trajectory) == (["items", "orders"], "done", [])
"""
    bad, good = await runtime.run_verifier(source, initial=initial, final=final, report=report())
    assert (bad.value, bad.error) == (None, "changed what it was shown")
    assert good.value is True


async def test_a_case_that_ends_the_verifier_costs_no_other_case_its_verdict() -> None:
    image = BUNDLE.states["initial"].image
    source = "def goal_ends(world):\n    while world.report.outcome == 'impossible':\n        pass\n    return True\n"
    async with Runtime(RuntimeSettings(program_seconds=0.3)) as runtime:
        fine, hangs = report(), report("impossible")
        cases = [Case(image, image, one) for one in (fine, hangs, fine, hangs, hangs, fine)]
        found = await runtime.run_verifier_many(source, cases)
        assert [hangs if isinstance(one, EnvironmentFault) else fine for one in found] == [c.report for c in cases]
        hopeless = await runtime.run_verifier_many("while True: pass\n", cases)
        assert all("longer than 0.3 seconds" in str(one) for one in hopeless)
        assert len(hopeless) == len(cases)


async def test_more_checks_than_are_run_give_no_verdict(runtime: Runtime) -> None:
    image = BUNDLE.states["initial"].image
    source = "\n".join(f"def guard_{number}(world):\n    return True" for number in range(51))
    with pytest.raises(EnvironmentFault, match="51 checks; at most 50"):
        await runtime.run_verifier(source, initial=image, final=image)
