"""What is foretold of a result, and whether it came true."""

import pytest

from envfactory_dagster.authoring.trials.answers import Filter, Listing, unlike
from envfactory_dagster.authoring.trials.calls import Parameters
from envfactory_dagster.authoring.trials.keys import Keys
from envfactory_dagster.authoring.trials.world import World
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
    parameters = Parameters(tool, fact, World(Keys(load_schema(SESSIONS)), b""))
    assert Listing(parameters).filters == ([bounded] if bounded else [])
