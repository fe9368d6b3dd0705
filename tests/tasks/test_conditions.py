"""Where a condition or a loop of a program holds its calls together, so that no turn of a conversation ends there."""

import pytest

from envfactory_dagster.contracts.truth import TracedStep
from envfactory_dagster.tasks.conversations.conditions import held_together

PLAIN = "Find the hut, look up the price, and book it."
CONDITION = "Find the hut. If the price is below 50 euros, book it; otherwise tell me the price."


def held(program: str, calls: str, text: str = PLAIN) -> set[int]:
    """The places, between calls named in one line, at which no turn may end."""
    body = "\n".join(f"    {line}" for line in program.strip().splitlines())
    return held_together(f"def solve(tools):\n{body}\n", [TracedStep(tool=name) for name in calls.split()], text)


@pytest.mark.parametrize(
    ("program", "calls", "places"),
    [
        ("tools.find()\ntools.price()\ntools.book()", "find price book", set()),
        ("tools.find()\nprice = tools.price()\nif price < 50:\n    tools.book()", "find price book", {2}),
        ("hut = tools.find()\nprice = tools.price()\nif hut:\n    tools.book()", "find price book", {1, 2}),
        ("if tools.price() < 50:\n    tools.book()\nelse:\n    tools.ask()", "find price ask", {2}),
        ("price = tools.price()\nif price < 50:\n    tools.book()\ntools.rate()", "price book rate", {1}),
        ("try:\n    tools.book()\nexcept ToolError:\n    tools.ask()", "find book ask", {2}),
        ("price = tools.price()\nmatch price:\n    case 1:\n        tools.book()", "find price book", {2}),
        ("tools.book() if tools.price() else tools.ask()", "find price ask", {2}),
        ("for one in tools.find():\n    tools.price(one)", "find price price price", {2, 3}),
        (
            "for one in tools.find():\n    tools.price(one)\n    tools.rate(one)",
            "find price rate price rate",
            {2, 3, 4},
        ),
        ("[tools.price(one) for one in tools.find()]", "find price price", {2}),
        ("while tools.more():\n    tools.price()", "more price more price more", {1, 2, 3, 4}),
    ],
)
def test_what_a_branch_or_a_loop_calls_stays_with_what_it_hangs_on(program: str, calls: str, places: set[int]):
    assert held(program, calls) == places


def test_a_helper_function_hides_no_branch():
    program = "def book(hut):\n    tools.book(hut)\nprice = tools.price()\nif price < 50:\n    book(1)"
    assert held(program, "find price book") == {2}


@pytest.mark.parametrize(
    ("program", "calls", "places"),
    [
        ("price = tools.price()\nif price > 50:\n    return {}\ntools.book()", "find price book", {2}),
        ("price = tools.price()\nmany = 2 if price < 50 else 1\ntools.book(many)", "find price book", {2}),
        (
            "price = tools.price()\nif price < 50:\n    many = 2\nelse:\n    many = 1\ntools.book(many)",
            "price find book",
            {1, 2},
        ),
    ],
)
def test_where_the_task_sets_a_condition_what_it_decides_stays_with_it(program: str, calls: str, places: set[int]):
    """A program that stops early or chooses a value may also do so for reasons of its own; the words tell."""
    assert held(program, calls, CONDITION) == places
    assert held(program, calls, PLAIN) == set()


def test_what_only_goes_to_the_deciding_call_is_not_held():
    """The condition is about the price, not about the search that found whose price it is."""
    program = "hut = tools.find()\nprice = tools.price(hut)\nif price < 50:\n    tools.book(hut)"
    assert held(program, "find price book", CONDITION) == {2}


def test_values_of_values_are_followed_once_each() -> None:
    """Each of dozens is made of the one before it, twice."""
    values = "".join(f"v{n} = v{n - 1} + v{n - 1}\n" for n in range(1, 60))
    assert held("v0 = tools.a()\n" + values + "if v59:\n    tools.b()", "a b") == {1}


def test_helpers_of_helpers_are_followed_once_each() -> None:
    helpers = "".join(f"def h{n}(t):\n    return h{n - 1}(t) + h{n - 1}(t)\n\n" for n in range(1, 60))
    source = f"{helpers}def h0(t):\n    return t.a()\n\ndef solve(tools):\n    if h59(tools):\n        tools.b()\n"
    assert held_together(source, [TracedStep(tool="a"), TracedStep(tool="b")], "") == {1}


def test_a_very_long_program_is_not_divided() -> None:
    assert held("if x: return 1\n" * 2_000 + "tools.a()", "a a a") == {1, 2}
