"""The gate of the tool specification, on the alpine huts: it takes them as they are, and names every defect."""

import copy
import re
from collections.abc import Callable
from typing import Any

import pytest

from envfactory_dagster.authoring.samples import sample_rows
from envfactory_dagster.authoring.tool_spec import problems_of
from envfactory_dagster.contracts.database import Table
from envfactory_dagster.contracts.records import Problem
from envfactory_dagster.contracts.tools import ToolDefinition
from tests.support.alpine_author import huts, seed, tables

Definition = dict[str, Any]
Spoil = Callable[[dict[str, Definition]], None]


def judged(spoil: Spoil) -> list[Problem]:
    tools = {tool.name: copy.deepcopy(tool.model_dump(mode="json")) for tool in huts().tools}
    spoil(tools)
    return problems_of(
        [ToolDefinition.model_validate(tool) for tool in tools.values()],
        huts().tasks,
        tables(),
        sample_rows(seed()),
        20,
    )


def parameter(tool: str, name: str, **changes: Any) -> Spoil:
    return lambda tools: tools[tool]["inputSchema"]["properties"].setdefault(name, {}).update(changes)


def input_schema(tool: str, **changes: Any) -> Spoil:
    return lambda tools: tools[tool]["inputSchema"].update(changes)


def output_schema(tool: str, **changes: Any) -> Spoil:
    return lambda tools: tools[tool]["outputSchema"].update(changes)


def hints(tool: str, **changes: Any) -> Spoil:
    return lambda tools: tools[tool]["annotations"].update(changes)


def without(*names: str) -> Spoil:
    return lambda tools: [tools.pop(name) for name in list(tools) if any(part in name for part in names)] and None


def of_user(tools: dict[str, Definition]) -> None:
    for tool in tools.values():
        if not tool["annotations"]["readOnlyHint"]:
            tool["principal"] = "user"


def waits(tool: str, *names: str) -> Spoil:
    return lambda tools: tools[tool].update(confirmed_by=list(names))


def undescribed(tools: dict[str, Definition]) -> None:
    del tools["get_hut"]["inputSchema"]["properties"]["hut_id"]["description"]


def untyped(tools: dict[str, Definition]) -> None:
    del tools["get_hut"]["inputSchema"]["properties"]["hut_id"]["type"]


def rename(tool: str, name: str) -> Spoil:
    return lambda tools: tools[tool].update(name=name)


AHEAD = "(?=a)a"
HUT = {"type": "integer", "description": "Which one"}

DEFECTS: dict[str, tuple[Spoil, str]] = {
    "no description": (undescribed, "get_hut: the parameter hut_id has no description"),
    "no type": (untyped, "get_hut: the parameter hut_id has no type"),
    "an unknown keyword": (
        parameter("get_hut", "hut_id", dependentRequired={}),
        "get_hut: inputSchema.*dependentRequired",
    ),
    "a pattern that looks ahead": (parameter("get_booking", "booking_code", pattern=AHEAD), "get_booking: .*pattern"),
    "an unchecked format": (parameter("get_booking", "booking_code", format="ipv4"), "get_booking: .*format"),
    "room for unknown parameters": (input_schema("get_hut", additionalProperties=True), "get_hut: inputSchema needs"),
    "a required parameter that is none": (input_schema("get_hut", required=["hut"]), "requires hut, which is none of"),
    "a default of something required": (
        parameter("get_hut", "hut_id", default=1),
        "hut_id is required and has a default",
    ),
    "a default that does not fit": (
        parameter("get_weather", "days", default="three"),
        "the default of days does not fit",
    ),
    "who is calling": (parameter("get_hut", "user_id", **HUT), "leave out the parameter user_id"),
    "a secret": (parameter("get_hut", "access_token", **HUT), "leave out the parameter access_token"),
    "an id of nothing": (parameter("get_hut", "spaceship_id", **HUT), "spaceship_id is called after no table"),
    "a parameter Python cannot name": (parameter("get_hut", "hut-kind", **HUT), "cannot be the name of a parameter"),
    "a parameter of words with the format of a day": (
        parameter("get_booking", "status", type="string", description="Which", format="date"),
        "get_booking: inputSchema.status has the format date, but the column status holds other texts, such as",
    ),
    "a result of words with the format of a moment": (
        lambda tools: tools["list_bookings"]["outputSchema"]["properties"]["bookings"]["items"]["properties"].update(
            status={"anyOf": [{"type": "string", "format": "date-time"}, {"type": "null"}]}
        ),
        r"list_bookings: outputSchema.bookings\[\].status has the format date-time, but the column status holds",
    ),
    "a result without properties": (
        output_schema("get_hut", properties={}, required=[]),
        "get_hut: its result has no prop",
    ),
    "a result that promises nothing": (output_schema("get_hut", required=[]), "no property of its result is required"),
    "an open result": (output_schema("get_hut", additionalProperties=True), "get_hut: outputSchema needs"),
    "rows of no shape": (
        lambda tools: tools["list_meals"]["outputSchema"]["properties"]["meals"].pop("items"),
        r"outputSchema.meals is an array without `items`",
    ),
    "an object of no shape": (
        lambda tools: tools["list_meals"]["outputSchema"]["properties"].update(kitchen={"type": "object"}),
        r"outputSchema.kitchen is an object without `properties`",
    ),
    "reading and destroying": (hints("get_hut", destructiveHint=True), "get_hut: it cannot be both"),
    "a search that writes": (
        hints("search_huts", readOnlyHint=False),
        "search_huts: a tool of that name changes nothing",
    ),
    "a command that reads": (
        hints("add_companion", readOnlyHint=True),
        "add_companion: a tool of that name changes some",
    ),
    "a harmless deletion": (
        rename("send_message", "delete_message"),
        "delete_message: a tool that deletes is destructive",
    ),
    "confirmed by no tool": (
        waits("cancel_booking", "sign_it"),
        "cancel_booking: it is confirmed by sign_it, which is no tool",
    ),
    "confirmed by the assistant": (
        waits("cancel_booking", "hold_bunks"),
        "cancel_booking: .*hold_bunks, which must be of the principal user and change something",
    ),
    "a look-up that waits": (
        waits("get_hut", "accept_hut_terms"),
        "get_hut: only a tool of the assistant that changes",
    ),
    "a person who waits": (
        waits("check_in_at_hut", "accept_hut_terms"),
        "check_in_at_hut: only a tool of the assistant",
    ),
    "two of a name": (rename("get_hut", "search_huts"), "Two tools are called search_huts"),
    "too few tools": (
        lambda tools: [tools.popitem() for _ in range(30)] and None,
        "There are 16 tools; give at least 20",
    ),
    "more tools than an agent can be given": (
        lambda tools: tools.update({f"look_{n}": tools["get_hut"] | {"name": f"look_{n}"} for n in range(100)}),
        "There are 146 tools; give at least 20 and at most 128",
    ),
    "no command of the assistant": (of_user, "No tool of the assistant changes something"),
    "a table nobody serves": (without("weather"), "No tool reads or writes the table weather_reports"),
    "a task nobody serves": (without("weather"), "No tool speaks of 'weather reports', which the task dodge_the_storm"),
}


def test_the_huts_are_accepted() -> None:
    assert judged(lambda tools: None) == []


def test_a_parameter_is_called_after_a_table_in_another_language() -> None:
    absences = Table(
        name="assenze", ddl="CREATE TABLE assenze (id INTEGER PRIMARY KEY, day TEXT NOT NULL) STRICT", indexes=[],
        purpose="Who is away.",
    )  # fmt: skip
    tools = [tool.model_dump(mode="json") for tool in huts().tools]
    tools[0]["inputSchema"]["properties"]["assenza_id"] = {"type": "integer", "description": "The absence."}
    named = [ToolDefinition.model_validate(tool) for tool in tools]
    tools[1]["inputSchema"]["properties"]["assento_id"] = {"type": "integer", "description": "Another word."}
    unknown = "assenza_id is called after no table"
    assert any(unknown in one.message for one in problems_of(named, huts().tasks, tables(), [], 20))
    found = [one.message for one in problems_of(named, huts().tasks, [*tables(), absences], [], 20)]
    assert not any(unknown in one for one in found)
    assert any("assento_id is called after no table" in one for one in found)


def test_a_table_is_served_by_a_tool_that_shows_what_refers_to_it() -> None:
    """`booked_by_name` is read from the staff, whom no tool names otherwise."""
    staff = Table(
        name="porters", ddl="CREATE TABLE porters (id INTEGER PRIMARY KEY, shoe_size TEXT NOT NULL) STRICT",
        indexes=[], purpose="Who carries.",
    )  # fmt: skip
    referring = Table(
        name="bookings_taken", purpose="Who took a booking.", indexes=[],
        ddl="CREATE TABLE bookings_taken (booking_id INTEGER PRIMARY KEY REFERENCES bookings (id), "
        "booked_by INTEGER NOT NULL REFERENCES porters (id)) STRICT",
    )  # fmt: skip
    tools = [tool.model_dump(mode="json") for tool in huts().tools]
    unserved = "No tool reads or writes the table porters."
    given = [*tables(), staff, referring]
    assert unserved in [one.message for one in problems_of(huts().tools, huts().tasks, given, [], 20)]
    shown = next(tool for tool in tools if tool["name"] == "get_hut")["outputSchema"]["properties"]
    shown["booked_by_name"] = {"type": "string"}
    said = problems_of([ToolDefinition.model_validate(tool) for tool in tools], huts().tasks, given, [], 20)
    assert unserved not in [one.message for one in said]


@pytest.mark.parametrize("defect", DEFECTS)
def test_a_defect_is_named(defect: str) -> None:
    spoil, message = DEFECTS[defect]
    problems = judged(spoil)
    assert {problem.fault for problem in problems} == {"spec"}
    assert any(re.search(message, problem.message) for problem in problems), [p.message for p in problems]
