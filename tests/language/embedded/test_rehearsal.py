"""What the embedded author foretells of its own tools, and the calls by which it shows where their limits lie."""

import pytest

from envfactory_dagster.contracts.database import Table, TableRows
from envfactory_dagster.contracts.requests import ToolFunction
from envfactory_dagster.contracts.tools import ToolAnnotations, ToolDefinition
from envfactory_dagster.language.embedded.rehearsal import Rehearsal

TABLES = [
    Table(name="shelves", ddl="CREATE TABLE shelves (id INTEGER PRIMARY KEY, room INTEGER) STRICT", purpose="Shelves."),
    Table(
        name="boxes",
        ddl="CREATE TABLE boxes (id INTEGER PRIMARY KEY AUTOINCREMENT, shelf_id INTEGER, size INTEGER) STRICT",
        purpose="Boxes.",
    ),
]
ROWS = [
    TableRows(table="shelves", columns=["id", "room"], rows=[[1, 3]]),
    TableRows(table="boxes", columns=["shelf_id", "size"], rows=[]),
]
SOURCE = '''
def put_box(env, *, shelf_id: int, size: int) -> dict:
    """Put a box on a shelf."""
    shelf = env.one("SELECT room FROM shelves WHERE id = ?", [shelf_id])
    if shelf is None:
        raise env.Error("there is no such shelf")
    taken = env.one("SELECT count(*) AS n FROM boxes WHERE shelf_id = ?", [shelf_id])
    if taken["n"] >= shelf["room"]:
        raise env.Error("the shelf is full")
    box = env.insert("INSERT INTO boxes (shelf_id, size) VALUES (?, ?)", [shelf_id, size])
    return {"box_id": box, "left": shelf["room"] - taken["n"] - 1}
'''
PUT = ToolFunction(
    name="put_box", source=SOURCE, good_call={"shelf_id": 1, "size": 2}, bad_call={"shelf_id": 9, "size": 2}
)
CLOSING = '''
def put_box(env, *, shelf_id: int, size: int) -> dict:
    """Put a box on a shelf until it closes."""
    shelf = env.one("SELECT closes_at FROM shelves WHERE id = ?", [shelf_id])
    if shelf is None or shelf["closes_at"] <= env.now:
        raise env.Error("there is no such shelf")
    return {"box_id": env.insert("INSERT INTO boxes (shelf_id, size) VALUES (?, ?)", [shelf_id, size])}
'''
INTEGER = {"type": "integer", "minimum": 1, "description": "A number."}


DEFINITION = ToolDefinition(
    name="put_box",
    description="Put a box on a shelf.",
    inputSchema={"type": "object", "properties": {"shelf_id": INTEGER, "size": INTEGER}},
    outputSchema={"type": "object", "properties": {"box_id": {"type": "integer"}, "left": {"type": "integer"}}},
    annotations=ToolAnnotations(readOnlyHint=False, destructiveHint=False, idempotentHint=False),
)


@pytest.fixture
def rehearsed() -> ToolFunction:
    return Rehearsal(TABLES, ROWS, "2026-03-02T09:00:00", [DEFINITION], [PUT]).rehearsed(PUT)


def test_the_good_call_is_worked_out(rehearsed: ToolFunction) -> None:
    assert rehearsed.good_result == {"box_id": 1, "left": 2}
    assert rehearsed.good_changes == ["boxes"]


def test_the_call_that_is_one_too_many_is_found(rehearsed: ToolFunction) -> None:
    refused = [edge for edge in rehearsed.edges if edge.refused and edge.arguments["shelf_id"] == 1]
    assert [len(edge.before) for edge in refused] == [3]


def test_every_refusal_is_shown_by_a_call(rehearsed: ToolFunction) -> None:
    refused = [edge for edge in rehearsed.edges if edge.refused]
    assert {edge.arguments["shelf_id"] for edge in refused} == {1, 9}, "a shelf that is full, and one that is not there"


def test_nothing_is_left_behind(rehearsed: ToolFunction) -> None:
    accepted = [edge for edge in rehearsed.edges if not edge.refused]
    assert all(edge.result["left"] == 2 - len(edge.before) for edge in accepted)


def test_a_deadline_is_shown_at_its_very_moment() -> None:
    shelves = "CREATE TABLE shelves (id INTEGER PRIMARY KEY, closes_at TEXT) STRICT"
    tables = [Table(name="shelves", ddl=shelves, purpose="Shelves."), TABLES[1]]
    rows = [TableRows(table="shelves", columns=["id", "closes_at"], rows=[[1, "2026-03-05T18:00:00"]]), ROWS[1]]
    put = PUT.model_copy(update={"source": CLOSING})

    edges = Rehearsal(tables, rows, "2026-03-02T09:00:00", [DEFINITION], [put]).rehearsed(put).edges

    assert [edge.refused for edge in edges if edge.clock == "2026-03-05T18:00:00"] == [True]
