"""What the embedded author foretells of its own tools, and the calls by which it shows where their limits lie."""

import pytest

from envfactory_dagster.contracts.database import Cell, Table, TableRows
from envfactory_dagster.contracts.requests import ToolFunction
from envfactory_dagster.contracts.tools import ToolAnnotations, ToolDefinition, ToolEdge
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


# -- limits that rows meet only when they are moved --------------------------------------------------------------------

TODAY = "2026-03-02"
NOW = f"{TODAY}T09:00:00"


def rehearsal_of(
    tables: dict[str, str], rows: list[TableRows], *tools: tuple[ToolDefinition, ToolFunction]
) -> Rehearsal:
    made = [
        Table(name=name, ddl=f"CREATE TABLE {name} (id INTEGER PRIMARY KEY, {columns}) STRICT", purpose="Rows.")
        for name, columns in tables.items()
    ]
    return Rehearsal(made, rows, NOW, [definition for definition, _ in tools], [function for _, function in tools])


def listing(name: str, source: str) -> tuple[ToolDefinition, ToolFunction]:
    """A tool without parameters that changes nothing."""
    annotations = ToolAnnotations(readOnlyHint=True, destructiveHint=False, idempotentHint=True)
    schemas = {"inputSchema": {"type": "object", "properties": {}}, "outputSchema": {"type": "object"}}
    definition = DEFINITION.model_copy(update={"name": name, "annotations": annotations, **schemas})
    return definition, ToolFunction(name=name, source=source, good_call={}, bad_call={})


def moved_rows(edges: list[ToolEdge], *, refused: bool) -> list[dict[str, dict[str, Cell]]]:
    """What is given for each of these edges that gives anything: table → columns."""
    return [{row.table: row.values for row in edge.given} for edge in edges if edge.given and edge.refused is refused]


def test_a_day_in_a_list_is_met_by_a_row_that_is_moved_to_it() -> None:
    """The only notice with a day is withdrawn, so that it is shown at no time."""
    tables = {"notices": "status TEXT NOT NULL, expires_on TEXT"}
    rows = TableRows(
        table="notices",
        columns=["id", "status", "expires_on"],
        rows=[[1, "open", None], [2, "withdrawn", "2026-03-05"]],
    )
    definition, function = listing(
        "list_notices",
        """
def list_notices(env) -> dict:
    notices = env.query(
        "SELECT id FROM notices WHERE status = 'open' AND (expires_on IS NULL OR expires_on >= :today)",
        {"today": env.now[:10]},
    )
    return {"notices": notices}
""",
    )

    edges = rehearsal_of(tables, [rows], (definition, function)).rehearsed(function).edges

    assert moved_rows(edges, refused=False) == [{"notices": {"expires_on": TODAY}}]
    assert [edge.result for edge in edges] == [{"notices": [{"id": 1}]}]


def test_a_closed_period_is_met_by_a_row_whose_days_are_moved_together() -> None:
    """The only closure is that of a shelf which is no more."""
    tables = {
        "shelves": "room INTEGER",
        "closures": "shelf_id INTEGER, starts_on TEXT, ends_on TEXT, CHECK (starts_on <= ends_on)",
        "boxes": "shelf_id INTEGER, size INTEGER",
    }
    rows = [
        TableRows(table="shelves", columns=["id", "room"], rows=[[1, 5]]),
        TableRows(
            table="closures",
            columns=["id", "shelf_id", "starts_on", "ends_on"],
            rows=[[1, 2, "2026-04-01", "2026-04-07"]],
        ),
        TableRows(table="boxes", columns=["shelf_id", "size"], rows=[]),
    ]
    source = '''
def put_box(env, *, shelf_id: int, size: int) -> dict:
    """Put a box on a shelf that is not closed today."""
    if env.one("SELECT room FROM shelves WHERE id = ?", [shelf_id]) is None:
        raise env.Error("there is no such shelf")
    closure = env.one(
        "SELECT id FROM closures WHERE shelf_id = :shelf AND starts_on <= :today AND ends_on >= :today",
        {"shelf": shelf_id, "today": env.now[:10]},
    )
    if closure is not None:
        raise env.Error("the shelf is closed")
    return {"box_id": env.insert("INSERT INTO boxes (shelf_id, size) VALUES (?, ?)", [shelf_id, size])}
'''
    put = PUT.model_copy(update={"source": source})

    edges = rehearsal_of(tables, rows, (DEFINITION, put)).rehearsed(put).edges

    closed = {"shelf_id": 1, "starts_on": TODAY, "ends_on": TODAY}
    assert moved_rows(edges, refused=True) == [{"closures": closed}], "one call stands at both ends of that day"


ONE_EACH = '''
def put_box(env, *, shelf_id: int, size: int) -> dict:
    """Put a box on a shelf, one for each person."""
    shelf = env.one("SELECT room FROM shelves WHERE id = ?", [shelf_id])
    if shelf is None:
        raise env.Error("there is no such shelf")
    if env.one("SELECT id FROM boxes WHERE shelf_id = ? AND owner_id = ?", [shelf_id, env.user_id]) is not None:
        raise env.Error("you have a box there")
    taken = env.one("SELECT count(*) AS n FROM boxes WHERE shelf_id = ?", [shelf_id])
    if taken["n"] >= shelf["room"]:
        raise env.Error("the shelf is full")
    return {"box_id": env.insert("INSERT INTO boxes (shelf_id, owner_id) VALUES (?, ?)", [shelf_id, env.user_id])}
'''
PUT_ONE = PUT.model_copy(update={"source": ONE_EACH})
LIST_ALL = listing(
    "list_all",
    """
def list_all(env) -> dict:
    shelves, boxes = env.query("SELECT id, room FROM shelves"), env.query("SELECT id, shelf_id, owner_id FROM boxes")
    return {"shelves": shelves, "boxes": boxes}
""",
)


@pytest.fixture
def one_box_each() -> Rehearsal:
    """A shelf on which there is room for five, and one box of somebody else's, which lies nowhere."""
    tables = {"shelves": "room INTEGER CHECK (room > 0)", "boxes": "shelf_id INTEGER, owner_id INTEGER"}
    rows = [
        TableRows(table="shelves", columns=["id", "room"], rows=[[1, 5]]),
        TableRows(table="boxes", columns=["id", "shelf_id", "owner_id"], rows=[[1, None, 2]]),
    ]
    return rehearsal_of(tables, rows, (DEFINITION, PUT_ONE), LIST_ALL)


def test_a_number_is_met_by_a_row_that_is_counted_and_one_that_holds_the_number(one_box_each: Rehearsal) -> None:
    [full] = [given for given in moved_rows(one_box_each.rehearsed(PUT_ONE).edges, refused=True) if "shelves" in given]
    assert full["shelves"] == {"room": 1}
    assert full["boxes"]["shelf_id"] == 1


def test_rows_that_were_moved_are_moved_back(one_box_each: Rehearsal) -> None:
    first = one_box_each.rehearsed(PUT_ONE)
    assert any(edge.given for edge in first.edges)
    assert one_box_each.rehearsed(PUT_ONE) == first
    assert one_box_each.rehearsed(LIST_ALL[1]).good_result == {
        "shelves": [{"id": 1, "room": 5}],
        "boxes": [{"id": 1, "shelf_id": None, "owner_id": 2}],
    }
