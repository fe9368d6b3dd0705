"""What is foretold of a result, and whether it came true."""

import sqlite3
from contextlib import closing
from typing import Any

import pytest

from envfactory_dagster.authoring.trials.answers import Filter, Listing, of_ownership, unlike
from envfactory_dagster.authoring.trials.calls import Parameters
from envfactory_dagster.authoring.trials.keys import Keys
from envfactory_dagster.authoring.trials.world import WorldRows
from envfactory_dagster.contracts.tools import ToolAnnotations, ToolDefinition
from envfactory_dagster.runtime.facts import analyze_tools, load_schema

RESULT = {"appointment": {"id": 31, "status": "booked", "price_cents": 2750}, "notes": [], "places": 4}


def test_an_object_may_be_foretold_in_part() -> None:
    assert list(unlike({"appointment": {"status": "booked"}, "places": 4}, RESULT)) == []


def test_a_field_that_came_out_otherwise_is_named_with_its_place() -> None:
    foretold = {"appointment": {"status": "booked", "price_cents": 2500}}

    assert list(unlike(foretold, RESULT)) == [("appointment.price_cents", 2500, 2750)]


def test_a_field_that_is_not_there_differs() -> None:
    assert list(unlike({"total": 0}, RESULT)) == [("total", 0, None)]
    assert list(unlike({"total": 0}, None)) == [("total", 0, None)]


LISTED = {"lines": [{"id": 7, "status": "open", "parts": [{"id": 9, "name": "belt"}]}, {"id": 8, "status": "paid"}]}


def test_the_objects_of_a_list_may_be_foretold_in_part() -> None:
    assert list(unlike({"lines": [{"status": "open"}, {"status": "paid"}]}, LISTED)) == []
    assert list(unlike({"lines": [{"parts": [{"name": "belt"}]}, {}]}, LISTED)) == []


def test_a_field_in_a_list_that_came_out_otherwise_is_named_with_its_place() -> None:
    foretold = {"lines": [{"status": "open"}, {"status": "open"}]}

    assert list(unlike(foretold, LISTED)) == [("lines[1].status", "open", "paid")]


def test_lists_are_foretold_as_long_as_they_are() -> None:
    assert list(unlike({"lines": [{"status": "open"}]}, LISTED)) == [("lines", [{"status": "open"}], LISTED["lines"])]
    assert list(unlike({"notes": [{"text": "late"}]}, RESULT)) == [("notes", [{"text": "late"}], [])]


SESSIONS = """\
CREATE TABLE sessions (id INTEGER PRIMARY KEY, starts_at TEXT NOT NULL, places INTEGER NOT NULL) STRICT;
CREATE TABLE taken (id INTEGER PRIMARY KEY, session_id INTEGER NOT NULL REFERENCES sessions (id)) STRICT;
"""
SHOWN = (
    "SELECT s.id, s.starts_at, s.places,"
    " s.places - (SELECT count(*) FROM taken t WHERE t.session_id = s.id) AS free FROM sessions s"
)


@pytest.mark.parametrize(
    ("parameter", "schema", "condition", "bounded"),
    [
        ("min_places", "integer", "places >= :given", Filter("min_places", "sessions", "places", "at least")),
        ("min_free", "integer", "free >= :given", Filter("min_free", "sessions", "free", "at least")),
        ("min_left", "integer", "free >= :given", None),
        (
            "first_day",
            "string",
            "substr(starts_at, 1, 10) >= :given",
            Filter("first_day", "sessions", "starts_at", "at least"),
        ),
    ],
    ids=["a column", "what is computed, by its name", "what is computed, by no name", "the beginning of a moment"],
)
def test_a_bound_is_of_what_it_is_compared_with(
    parameter: str, schema: str, condition: str, bounded: Filter | None
) -> None:
    source = f'''
def list_sessions(env, *, {parameter}) -> dict:
    """List the sessions."""
    return {{"sessions": env.query(
        "SELECT * FROM ({SHOWN}) WHERE {condition} ORDER BY id",
        {{"given": {parameter}}},
    )}}
'''
    properties = {parameter: {"type": schema}}
    shown = {"type": "object", "properties": {name: {} for name in ("id", "starts_at", "places", "free")}}
    tool = ToolDefinition(
        name="list_sessions",
        description="List the sessions.",
        inputSchema={"type": "object", "properties": properties, "required": [parameter]},
        outputSchema={"type": "object", "properties": {"sessions": {"type": "array", "items": shown}}},
        annotations=ToolAnnotations(readOnlyHint=True),
    )
    fact = analyze_tools(source, SESSIONS).tools["list_sessions"]
    parameters = Parameters(tool, fact, WorldRows(Keys(load_schema(SESSIONS)), b""))
    assert Listing(parameters).filters == ([bounded] if bounded else [])


PUPILS = """\
CREATE TABLE pupils (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;
CREATE TABLE cars (id INTEGER PRIMARY KEY, pupil_id INTEGER NOT NULL REFERENCES pupils (id), plate TEXT UNIQUE) STRICT;
INSERT INTO pupils VALUES (1, 'Ada'), (2, 'Ben');
INSERT INTO cars VALUES (1, 1, 'RTK-681'), (2, 1, NULL), (3, 2, 'BXA-114'), (4, 2, NULL);
"""
CARS = '''
def list_my_cars(env) -> dict:
    """List the cars of the user."""
    return {"cars": env.query("SELECT id, plate FROM cars WHERE pupil_id = ? ORDER BY id", [env.user_id])}


def correct_plate(env, *, car_id: int, plate: str) -> dict:
    """Give a car of the user another plate."""
    if env.one("SELECT id FROM cars WHERE plate = ?", [plate]):
        raise env.Error("that plate is another car's")
    if not env.execute("UPDATE cars SET plate = ? WHERE id = ? AND pupil_id = ?", [plate, car_id, env.user_id]):
        raise env.Error("there is no such car")
    return {"plate": plate}
'''


def of_cars(name: str, arguments: dict[str, str], output: dict[str, Any]) -> Parameters:
    properties = {argument: {"type": type} for argument, type in arguments.items()}
    tool = ToolDefinition(
        name=name,
        description="It is about cars.",
        inputSchema={"type": "object", "properties": properties, "required": list(arguments)},
        outputSchema={"type": "object", "properties": output},
        annotations=ToolAnnotations(readOnlyHint=not arguments),
    )
    schema_sql = PUPILS[: PUPILS.index("INSERT")]
    with closing(sqlite3.connect(":memory:")) as database:
        database.executescript(PUPILS)
        world = WorldRows(Keys(load_schema(schema_sql)), database.serialize())
    return Parameters(tool, analyze_tools(CARS, schema_sql).tools[name], world)


def test_a_value_that_is_missing_is_no_row_of_somebody_else() -> None:
    cars = {"type": "array", "items": {"type": "object", "properties": {"id": {}, "plate": {}}}}
    parameters = of_cars("list_my_cars", {}, {"cars": cars})

    def shown(*plates: str | None) -> list[str]:
        result = {"cars": [{"id": 1, "plate": plate} for plate in plates]}
        return [problem.message for problem in of_ownership(parameters, parameters.world, result)]

    assert shown("RTK-681", None) == []
    assert ["belongs to somebody else: plate = 'BXA-114'" in message for message in shown(None, "BXA-114")] == [True]


def test_a_value_that_is_missing_names_no_row() -> None:
    parameters = of_cars("correct_plate", {"car_id": "integer", "plate": "string"}, {"plate": {"type": "string"}})
    assert parameters.named("plate", None) == []
    assert parameters.named("plate", "BXA-114") == [("cars", (3,))]


def test_what_a_row_is_to_be_known_by_from_now_on_names_no_row_that_must_be_there() -> None:
    parameters = of_cars("correct_plate", {"car_id": "integer", "plate": "string"}, {"plate": {"type": "string"}})
    assert parameters.absent("plate") is None
    assert parameters.absent("car_id") is not None
