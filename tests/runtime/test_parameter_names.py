"""A parameter that is a word of Python: `from` in schemas and calls, `from_` where a function declares it."""

import ast
from pathlib import Path
from typing import Any

import pytest

from envfactory_dagster.contracts.parameter_names import NOT_NAMES, parameter_name, property_name
from envfactory_dagster.contracts.tool_signatures import ToolSignature
from envfactory_dagster.runtime.bundle_scripts import server_source
from envfactory_dagster.runtime.facts import ColumnRef, analyze_tools
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.runtime.standalone import StandaloneServer
from envfactory_dagster.truth.programs import call_text, calls_of, given_in, program_of
from tests.support.tiny import INTEGER, NUMBER, STRING, schema, tiny, tool

SOURCE = '''
def list_from(env, *, from_: float, class_: str = "any", env_: str = "", self_: int = 1) -> dict:
    """List what costs at least so much."""
    rows = env.query("SELECT id FROM items WHERE price >= :from_ ORDER BY id", {"from_": from_})
    return {"ids": [row["id"] for row in rows], "told": f"{class_} {env_} {self_}"}
'''
TAKES = schema({"from": NUMBER}, **{"class": STRING}, env=STRING, self=INTEGER)
GIVES = schema({"ids": {"type": "array", "items": INTEGER}, "told": STRING})
BUNDLE = tiny(
    source=SOURCE,
    definitions=[tool("list_from", TAKES, GIVES, read_only=True)],
    items=3,
    server_source=server_source(),
)
CALL: dict[str, Any] = {"from": 12.0, "class": "b", "env": "c", "self": 4}
ANSWER = {"ids": [2, 3], "told": "b c 4"}


@pytest.mark.parametrize("name", [*sorted(NOT_NAMES), "day", "from_day"])
def test_every_name_comes_back(name: str) -> None:
    assert parameter_name(name).isidentifier() and property_name(parameter_name(name)) == name


async def test_calls_programs_and_the_server_of_the_bundle_say_from(runtime: Runtime, tmp_path: Path) -> None:
    solution = "def solve(tools):\n    return tools.list_from(**{'from': 12.0, 'class': 'b'}, env='c', self=4)\n"
    async with await runtime.open(BUNDLE) as session:
        called = await session.call("list_from", CALL)
        refused = await session.call("list_from", {"from_": 12.0})
        program = await runtime.run_program(session, solution)
    server = StandaloneServer(BUNDLE.write(tmp_path / "tiny"), "initial", None, "assistant")

    assert called.value == program.answer == server.call("list_from", CALL)[1] == ANSWER
    assert [call.arguments for call in program.calls] == [CALL]
    assert refused.outcome == "agent" and "from" in (refused.error or "")


def test_facts_tell_of_the_properties_of_the_schema() -> None:
    fact = analyze_tools(BUNDLE.tools_source, BUNDLE.schema_sql).tools["list_from"]
    assert [parameter.name for parameter in fact.parameters] == list(CALL)
    assert {(use.source, use.column) for use in fact.uses} == {("from", ColumnRef("items", "price"))}


def test_a_program_of_calls_is_written_and_read() -> None:
    calls = [("list_from", CALL), ("get_item", {"item_id": 1}), ("forecast", {"start-date": "2026-03-02", "ﬁ": 1})]
    assert calls_of(program_of(calls)) == calls
    assert program_of([]).startswith("def solve(tools):\n    return")
    call = ast.parse(call_text("list_from", CALL), mode="eval").body
    assert isinstance(call, ast.Call) and list(given_in(call)) == ["from", "class", "env", "self"]


def test_who_writes_programs_is_told_how_such_a_parameter_is_given() -> None:
    told = {one.name: ToolSignature.of(one).takes for one in BUNDLE.tools}
    assert told["list_from"].endswith('; in Python tools.list_from(**{"from": …}, **{"class": …}, …)')
    assert told["get_item"] == "{item_id: integer}"
