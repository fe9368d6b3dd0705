"""Solution programs and verifiers: each in a process of its own, each failure of theirs a clear outcome."""

import pytest

from envfactory_dagster.contracts.errors import EnvironmentFault
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.runtime.settings import RuntimeSettings
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
    return world.mentions(world.final.one("SELECT code FROM orders")["code"])

def guard_changed_nothing_else(world):
    """Touched the order and the stock of its item."""
    return sorted(change["table"] for change in world.changes) == ["items", "orders"]

def guard_made_one_call(world):
    """Made one call."""
    return len(world.trajectory) == 1
'''


async def test_a_verifier_sees_both_ends_the_answer_and_the_calls(runtime: Runtime) -> None:
    async with await runtime.open(BUNDLE) as session:
        initial = await session.snapshot()
        await session.call("place_order", {"item_id": 2})
        signals = await runtime.run_verifier(
            VERIFIER,
            initial=initial,
            final=await session.snapshot(),
            answer="Done: ORD-50001.",
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
    bad, good = await runtime.run_verifier(source, initial=image, final=image, answer=None)
    assert bad.value is None
    assert says in (bad.error or "")
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
            await runtime.run_verifier(source, initial=image, final=image, answer=None)
        assert says in str(raised.value)


@pytest.mark.parametrize(
    ("answer", "value", "said"),
    [
        ("You owe 1,204.50 euros.", 1204.5, True),
        ("You owe 120 euros.", 12, False),
        ("It is number 12.", 12, True),
        ("Version 1.2 of it", 2, False),
        ("Hut Sonnblick has room", "sonnblick", True),
        ("Hut Sonnblickhaus has room", "sonnblick", False),
        ("ORD-50001 is placed", "ORD-50001", True),
        ("-3 degrees", -3, True),
    ],
)
async def test_mentions_reads_whole_numbers_and_phrases(
    runtime: Runtime, answer: str, value: object, said: bool
) -> None:
    image = BUNDLE.states["initial"].image
    source = f"def goal_said(world):\n    return world.mentions({value!r})\n"
    (signal,) = await runtime.run_verifier(source, initial=image, final=image, answer=answer)
    assert signal.value is said
