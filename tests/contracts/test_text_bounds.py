"""Texts of somebody else's are parsed within bounds, and what goes beyond them is refused in a sentence."""

import ast
import gc
import threading
import time
from pathlib import Path

import pytest

import envfactory_dagster
from envfactory_dagster.contracts.text_bounds import (
    MOST_LEVELS,
    TextRefused,
    beyond_bounds,
    python_expression,
    python_tree,
)

WORLDS = sorted((Path(envfactory_dagster.__file__).parent / "library" / "worlds").glob("*/tools.json"))

TOO_MUCH = {
    "long": ("# " + "x" * 700_000, "it has 700,002 characters, and 600,000 is the most"),
    "of many words": ("a\n" * 150_000, "it has more than 200,000 words and signs"),
    "a long sum": ("x = " + "+".join(["1"] * 300), f"nested more than {MOST_LEVELS} levels deep"),
    "a sum of half a million": ("x = " + "+".join(["1"] * 99_000), f"nested more than {MOST_LEVELS} levels deep"),
    "a chain of elif": ("if 1: pass\n" + "elif 1: pass\n" * 200, f"nested more than {MOST_LEVELS} levels deep"),
    "a chain of calls": ("a" + "()" * 900, f"nested more than {MOST_LEVELS} levels deep"),
    "many signs before a number": ("-" * 90_000 + "1", f"nested more than {MOST_LEVELS} levels deep"),
    "open parentheses": ("(" * 5_000, "Python cannot parse this: too many nested parentheses"),
    "a huge number": ("X = 0x" + "f" * 9_000, "a number of more than 300 digits"),
    "a huge decimal number": ("X = " + "9" * 9_000, "Python cannot parse this: Exceeds the limit"),
    "a null byte": ("x = '\0'", "null bytes"),
    "half a character": ("x = '\ud800'", "no text that Python can parse"),
}


@pytest.mark.parametrize("what", TOO_MUCH)
def test_a_source_beyond_the_bounds_is_refused_in_a_sentence(what: str) -> None:
    source, message = TOO_MUCH[what]
    with pytest.raises(TextRefused, match=message):
        python_tree(source)


def test_a_refused_source_tells_the_line() -> None:
    with pytest.raises(TextRefused) as syntax:
        python_tree("x = 1\ny = (")
    with pytest.raises(TextRefused) as depth:
        python_tree("x = 1\n\n\ny = " + "+".join(["1"] * 300))
    assert (syntax.value.line, depth.value.line) == (2, 4)


def test_an_expression_is_read_within_the_same_bounds() -> None:
    assert isinstance(python_expression("f(a=[1, 2])"), ast.Call)
    for source, _ in TOO_MUCH.values():
        with pytest.raises(TextRefused):
            python_expression(source)


def test_what_is_within_the_bounds_can_be_written_out_again() -> None:
    """As deep as may be, and from a stack as deep as a pipeline's."""
    source = "x = " + "+".join(["1"] * (MOST_LEVELS - 3))

    def deeper(levels: int) -> str:
        return deeper(levels - 1) if levels else ast.unparse(python_tree(source))

    assert deeper(300).count("+") == MOST_LEVELS - 4


@pytest.mark.parametrize("world", WORLDS, ids=lambda path: path.parent.name)
def test_the_worlds_of_the_library_keep_the_bounds_with_room(world: Path) -> None:
    module = "\n".join(path.read_text("utf-8") for path in (world.parent / "tools").glob("*.py"))
    assert beyond_bounds(module * 2) is None
    for path in world.parent.rglob("*.py"):
        python_tree(path.read_text("utf-8"))
    for path in world.parent.rglob("*.json"):
        assert beyond_bounds(path.read_text("utf-8"), times=4) is None


class Cycle:
    """Garbage whose end lets other threads run."""

    def __init__(self) -> None:
        self.itself = self

    def __del__(self) -> None:
        time.sleep(0.0001)


def test_threads_may_parse_at_once() -> None:
    source = "x = [" + ", ".join(["(1 + (2 * (3 - x[4])))"] * 200) + "]\n"
    failures: list[Exception] = []

    def parse() -> None:
        for _ in range(20):
            _ = [Cycle() for _ in range(20)]
            try:
                python_tree(source)
            except SystemError as failure:
                failures.append(failure)

    before, threads = gc.get_threshold(), [threading.Thread(target=parse) for _ in range(3)]
    gc.set_threshold(50)
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        gc.set_threshold(*before)
    assert failures == []
