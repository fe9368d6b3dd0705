"""Functions that were written apart from each other become one module."""

import ast

import pytest

from envfactory_dagster.authoring.tool_module import ToolModule
from envfactory_dagster.contracts.requests import ToolFunction

HELPER = """def _day(env) -> str:
    return env.now[:10]"""


def tool(name: str, *parts: str) -> ToolFunction:
    source = f'def {name}(env) -> dict:\n    """Do it."""\n    # at once\n    return {{"day": _day(env)}}'
    return ToolFunction(name=name, source="\n\n\n".join([*parts, source]), good_call={}, bad_call={})


def module(*functions: ToolFunction) -> ToolModule:
    made = ToolModule('The "tools" of a place.')
    for function in functions:
        assert made.add(function) == []
    return made


def test_what_several_tools_bring_is_kept_once() -> None:
    made = module(tool("one", "import json", "LIMIT = 3", HELPER), tool("two", "import json", "LIMIT = 3", HELPER))
    tree = ast.parse(made.source())
    names = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]
    assert names == ["_day", "one", "two"]
    assert (made.source().count("import json"), made.source().count("LIMIT = 3")) == (1, 1)
    assert made.owners == {"LIMIT": "one", "_day": "one", "one": "one", "two": "two"}


def test_the_authors_text_stays_as_it_is() -> None:
    source = module(tool("one", HELPER)).source()
    assert source.startswith('"""The tools of a place."""\n\n\ndef _day(env)')
    assert "    # at once\n" in source


def test_what_has_the_name_of_a_builtin_comes_last_so_that_annotations_mean_the_builtin() -> None:
    source = "def count(env, *, words: list[str]) -> dict:\n    return {}"
    made = module(tool("list", HELPER), tool("count").model_copy(update={"source": source}))
    names = [node.name for node in ast.parse(made.source()).body if isinstance(node, ast.FunctionDef)]
    assert names == ["_day", "count", "list"]


def test_decorators_stay_where_a_screen_sees_them() -> None:
    decorated = tool("one", HELPER).model_copy(update={"source": "@print\ndef one(env) -> dict:\n    return {}"})
    assert "@print\ndef one" in module(decorated).source()


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ((HELPER.replace(":10", ":7"),), "two: one brings another _day. Name yours after its tool"),
        (("LIMIT = 4",), "two: one brings another LIMIT"),
        (("def three(env) -> dict:\n    return {}",), "two: the source must define that tool and no other"),
        (("print('hello')",), "two: only imports, constants and functions stand at module level"),
        (("class Bag: ...",), "two: only imports, constants and functions"),
        (("def _(:",), "two, line 1: Python cannot parse this"),
        (("\0",), "two, line 1: "),
    ],
)
def test_what_does_not_fit_in_is_said_and_left_out(parts: tuple[str, ...], message: str) -> None:
    made = module(tool("one", "LIMIT = 3", HELPER))
    before = made.source()
    problems = made.add(tool("two", *parts))
    assert problems[0].fault == "code" and problems[0].message.startswith(message)
    assert made.source() == before


DEEP = "LIMIT = " + "+".join(["1"] * 300)


def test_a_source_that_is_not_parsed_is_told_with_its_line() -> None:
    (problem,) = module().add(tool("one", DEEP))
    assert "one, line 1: This source is nested more than 100 levels deep" in problem.message
    assert len(problem.snippet) <= 160


def test_a_module_that_gets_too_large_says_so_to_the_author_of_the_tool() -> None:
    long = f"TEXT = {'x' * 400_000!r}"
    made = module(tool("one", long))
    (problem,) = made.add(tool("two", long.replace("TEXT", "OTHER")))
    assert problem.message.startswith("two: the module of all tools gets too large with it")


def test_a_line_at_module_level_is_quoted_and_not_written_out_anew() -> None:
    (problem,) = module().add(tool("one", "print(" + "x, " * 1_000 + ")"))
    assert problem.message == "one: only imports, constants and functions stand at module level."
    assert problem.snippet == ("print(" + "x, " * 1_000)[:160]
