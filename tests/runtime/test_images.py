"""From rows to a database file: small pages, the same bytes each time, and refusals that name the row."""

import sqlite3

import apsw
import pytest

from envfactory_dagster.contracts.database import Cell, TableRows
from envfactory_dagster.contracts.errors import EnvironmentFault
from envfactory_dagster.contracts.tools import GivenRow
from envfactory_dagster.runtime.images import build_image, read_rows, seed_sql, with_rows_given

SCHEMA = """
CREATE TABLE people (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE CHECK (name <> ''),
                     boss_id INTEGER REFERENCES people (id)) STRICT;
CREATE TABLE weights (person_id INTEGER PRIMARY KEY REFERENCES people (id), kilos REAL) STRICT;
CREATE INDEX people_by_boss ON people (boss_id);
"""


def people(*rows: list[Cell]) -> TableRows:
    return TableRows(table="people", columns=["id", "name", "boss_id"], rows=list(rows))


def weights(*rows: list[Cell]) -> TableRows:
    return TableRows(table="weights", columns=["person_id", "kilos"], rows=list(rows))


ROWS = [people([1, "Ada", 2], [2, "Żaneta d'Or", None]), weights([1, 61.5], [2, None])]


def contents(image: bytes) -> list[tuple[object, ...]]:
    connection = apsw.Connection(":memory:")
    connection.deserialize("main", image)
    return [*connection.execute("SELECT * FROM people"), *connection.execute("SELECT * FROM weights")]


def test_the_image_holds_the_rows_in_small_pages_and_any_sqlite_reads_it() -> None:
    image = build_image(SCHEMA, ROWS)
    assert int.from_bytes(image[16:18], "big") == 1024
    assert contents(image) == [(1, "Ada", 2), (2, "Żaneta d'Or", None), (1, 61.5), (2, None)]
    connection = sqlite3.connect(":memory:")
    connection.deserialize(image)
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    connection.close()


def test_the_same_rows_give_the_same_bytes_and_other_rows_others() -> None:
    assert build_image(SCHEMA, ROWS) == build_image(SCHEMA, ROWS)
    assert build_image(SCHEMA, ROWS) != build_image(SCHEMA, ROWS[:1])


def test_a_row_may_refer_to_one_that_comes_later() -> None:
    assert build_image(SCHEMA, ROWS[::-1]) == build_image(SCHEMA, ROWS)


def test_the_statements_give_the_same_contents() -> None:
    connection = apsw.Connection(":memory:")
    connection.execute(SCHEMA)
    connection.execute(seed_sql(ROWS))
    assert contents(connection.serialize("main")) == contents(build_image(SCHEMA, ROWS))


def test_the_statements_are_for_people_to_read() -> None:
    assert seed_sql(ROWS[:1]) == (
        "INSERT INTO people (id, name, boss_id) VALUES\n    (1, 'Ada', 2),\n    (2, 'Żaneta d''Or', NULL);\n"
    )
    assert seed_sql([people()]) == ""


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ([1, None, None], r"Table people, row 1 \(id=1, name=None.*NOT NULL constraint failed: people.name"),
        ([7, "", None], r"row 1 .*CHECK constraint failed: name <> ''"),
        ([7, "Ada", None], r"row 1 .*UNIQUE constraint failed: people.name"),
        ([7, 3.5, None], None),
        ([7, "Eve", "two"], r"row 1 .*cannot store TEXT value in INTEGER column people.boss_id"),
        ([7, "Eve", 2**70], r"row 1 .*too big"),
        ([7, "Eve", 9], r"Table people, .*rowid 7: FOREIGN KEY constraint failed: boss_id refers to a row of people"),
        ([7, "E" * 900, 2**70], r"EEE…\)"),
    ],
)
def test_what_the_database_refuses_is_named(row: list[Cell], reason: str | None) -> None:
    rows = [people([2, "Ada", None], row)]
    if reason is None:
        assert contents(build_image(SCHEMA, rows))[1] == (7, "3.5", None)  # STRICT lets a number be a text
        return
    with pytest.raises(EnvironmentFault, match=reason):
        build_image(SCHEMA, rows)


@pytest.mark.parametrize(
    ("schema", "reason"),
    [
        ("CREATE TABLE lax (id INTEGER PRIMARY KEY)", "not STRICT: lax"),
        ("CREATE TABLE broken (id INTEGER", "schema cannot be created: incomplete input"),
        ("CREATE TABLE t (id INTEGER PRIMARY KEY) STRICT", "Table people, row 0 .*no such table: people"),
    ],
)
def test_a_schema_that_will_not_do_is_refused(schema: str, reason: str) -> None:
    with pytest.raises(EnvironmentFault, match=reason):
        build_image(schema, ROWS)


def person(key: int | str, **values: Cell) -> GivenRow:
    return GivenRow(table="people", id=key, values=values)


def test_rows_given_say_something_else_and_all_others_the_same() -> None:
    image = build_image(SCHEMA, ROWS)
    given = with_rows_given(image, [person(2, name="Eve"), person(1, name="Bob", boss_id=None), person(1, boss_id=1)])
    assert contents(given) == [(1, "Bob", 1), (2, "Eve", None), (1, 61.5), (2, None)]


def test_the_image_that_rows_are_given_for_stays_as_it_was() -> None:
    image = build_image(SCHEMA, ROWS)
    with_rows_given(image, [person(1, name="Bob")])
    assert image == build_image(SCHEMA, ROWS)
    assert contents(with_rows_given(image, [])) == contents(image)


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (GivenRow(table="dogs", id=1, values={"name": "Rex"}), "Table dogs, the row with id 1: no such table: dogs"),
        (person(1, age=40), "Table people, the row with id 1: no such column: age"),
        (GivenRow(table="weights", id=1, values={"kilos": 60}), "Table weights, the row with id 1: no such column: id"),
        (person(9, name="Eve"), "Table people has no row with id 9"),
        (person("Ada", name="Eve"), "Table people has no row with id 'Ada'"),
        (person(2, name=""), "Table people, the row with id 2: CHECK constraint failed: name <> ''"),
        (person(2, name="Bob"), "Table people, the row with id 2: UNIQUE constraint failed: people.name"),
        (person(2, boss_id="one"), "Table people, the row with id 2: cannot store TEXT value in INTEGER column"),
        (person(2, boss_id=2**70), "Table people, the row with id 2: .*too big"),
        (person(2, boss_id=9), "Table people, the row with id 2: FOREIGN KEY constraint failed"),
        (person(2, id=3), "Table people, the row with id 2: FOREIGN KEY constraint failed"),
    ],
)
def test_a_row_that_cannot_be_given_is_named(row: GivenRow, reason: str) -> None:
    with pytest.raises(EnvironmentFault, match=reason):
        with_rows_given(build_image(SCHEMA, ROWS), [person(1, name="Bob"), row])


def test_rows_are_read_from_tables_only() -> None:
    forged = apsw.Connection(":memory:")
    forged.execute(
        "CREATE VIEW endless AS WITH RECURSIVE n (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n) SELECT id FROM n;"
        "CREATE TABLE computed (id INTEGER PRIMARY KEY, page TEXT AS (hex(zeroblob(400000)))) STRICT;"
        "CREATE TABLE plain (id INTEGER PRIMARY KEY) STRICT; INSERT INTO plain VALUES (7)"
    )
    image = forged.serialize("main")
    assert read_rows(image, {"plain": ["id"]}) == {"plain": [{"id": 7}]}
    for table, problem in {
        "endless": "endless is no table in it",
        "computed": "computed has columns that are computed",
        "missing": "missing is no table in it",
    }.items():
        with pytest.raises(EnvironmentFault, match=problem):
            read_rows(image, {table: ["id"]})
    with pytest.raises(EnvironmentFault, match="cannot be read"):
        read_rows(b"no database at all" * 200, {"plain": ["id"]})
