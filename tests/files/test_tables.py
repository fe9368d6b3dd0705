"""Tables that are kept in files: rows become files and come back as they were."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from envfactory_dagster.contracts.database import TableRows
from envfactory_dagster.contracts.errors import EnvironmentFault
from envfactory_dagster.contracts.file_layout import DOCUMENTS_TABLE
from envfactory_dagster.runtime.facts import load_schema
from envfactory_dagster.runtime.file_images import build_files
from envfactory_dagster.runtime.file_tables import files_of_rows, in_file, layout_of_tables
from envfactory_dagster.runtime.images import read_rows

FORMATS = ("json", "jsonl", "csv", "tsv", "yaml")
TEXTS = st.one_of(
    st.text(st.characters(codec="utf-8", exclude_characters="\0\ufffe\uffff"), max_size=12),
    st.sampled_from(["", " ", "007", "1.0", "-0", "1e5", "true", "null", "no", "~", "12:30", "2026-03-02", '"', "a,b"]),
    st.sampled_from(
        ["two\nlines", "\r\n", "\r", "- x", "a: b", "# not", "{}", "[]", "\t", "'", "\ufeff", "\u2028", "é"]
    ),
)
WHOLE = st.integers(-(2**63), 2**63 - 1)
NUMBERS = st.floats(allow_nan=False, allow_infinity=False)


def schema_of(form: str) -> str:
    may_be_missing = "" if form in ("json", "jsonl", "yaml") else " NOT NULL"
    people = "CREATE TABLE people (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE) STRICT"
    things = (
        "CREATE TABLE things (code TEXT PRIMARY KEY, person_id INTEGER NOT NULL REFERENCES people (id), "
        f"note TEXT{may_be_missing}, n INTEGER, x REAL, always REAL NOT NULL CHECK (always = always)) STRICT"
    )
    tables = [in_file(people, "people.json"), in_file(things, f"data/things.{form}"), DOCUMENTS_TABLE]
    return "".join(f"{table};\n" for table in tables)


def rows_of(things: list[list[Any]], names: list[str | None], documents: list[list[Any]]) -> list[TableRows]:
    people = [[number, name] for number, name in enumerate(names, 1)]
    columns = ["code", "person_id", "note", "n", "x", "always"]
    return [
        TableRows(table="things", columns=columns, rows=things),
        TableRows(table="people", columns=["id", "name"], rows=people[::-1]),
        TableRows(table="documents", columns=["path", "text"], rows=documents),
    ]


@settings(deadline=None)
@given(
    form=st.sampled_from(FORMATS),
    things=st.lists(
        st.tuples(TEXTS, st.integers(1, 2), TEXTS | st.none(), st.none() | WHOLE, st.none() | NUMBERS, NUMBERS),
        max_size=5,
        unique_by=lambda thing: thing[0],
    ),
    names=st.lists(TEXTS | st.none(), min_size=2, max_size=4, unique=True),
    text=TEXTS,
)
def test_rows_come_back_from_files_as_they_were(
    form: str, things: list[Any], names: list[str | None], text: str
) -> None:
    schema_sql = schema_of(form)
    given = [list(thing) for thing in things]
    if form in ("csv", "tsv"):
        given = [[*thing[:2], thing[2] or "", *thing[3:]] for thing in given]
    layout = layout_of_tables(load_schema(schema_sql))
    files = files_of_rows(schema_sql, layout, rows_of(given, names, [["docs/rules.md", text]]))
    assert sorted(files) == sorted([f"data/things.{form}", "docs/rules.md", "people.json"])
    assert files["docs/rules.md"] == text
    image = build_files(schema_sql, layout, {path: content.encode() for path, content in files.items()})
    columns = {"people": ["id", "name"], "things": ["code", "person_id", "note", "n", "x", "always"]}
    read = read_rows(image, columns)
    found = {row["code"]: list(row.values()) for row in read["things"]}
    assert found == {thing[0]: thing for thing in given}
    assert {row["id"]: row["name"] for row in read["people"]} == dict(enumerate(names, 1))


def test_a_file_is_written_for_people_to_read() -> None:
    schema_sql = schema_of("csv")
    layout = layout_of_tables(load_schema(schema_sql))
    things = [["b, c", 2, 'says "x"', None, 0.5, 1], ["a", 1, "007", 7, None, 2.25]]
    files = files_of_rows(schema_sql, layout, rows_of(things, ["Ann", "Zoë"], []))
    assert files["people.json"] == '[\n  {"id": 1, "name": "Ann"},\n  {"id": 2, "name": "Zoë"}\n]\n'
    assert files["data/things.csv"] == (
        'code,person_id,note,n,x,always\n"b, c",2,"says ""x""",,0.5,1.0\na,1,007,7,,2.25\n'
    )


def test_the_layout_says_what_the_tables_say() -> None:
    layout = layout_of_tables(load_schema(schema_of("yaml")))
    people, things = layout.records
    assert (people.key, people.key_type, people.ascending) == ("id", "integer", True)
    assert (things.key, things.key_type, things.ascending) == ("code", "text", False)
    assert [field.references for field in things.fields] == ["", "people.json", "", "", "", ""]
    assert [field.required for field in things.fields] == [True, True, False, False, False, True]


def test_rows_that_no_file_can_hold_are_refused() -> None:
    schema_sql = schema_of("yaml")
    layout = layout_of_tables(load_schema(schema_sql))
    for text in ("\ufffe", "a\0b"):
        with pytest.raises(EnvironmentFault, match=r"data/things\.yaml"):
            files_of_rows(schema_sql, layout, rows_of([[text, 1, None, None, None, 1]], ["Ann"], []))
    with pytest.raises(EnvironmentFault, match=r"people\.json is the file of a table"):
        files_of_rows(schema_sql, layout, rows_of([], ["Ann"], [["people.json", "[]"]]))


@pytest.mark.parametrize("ddl", ["CREATE TABLE IF NOT EXISTS a (id INTEGER)", "-- x\nCREATE TABLE a (id INTEGER)", ""])
def test_a_definition_that_begins_otherwise_names_no_file(ddl: str) -> None:
    assert in_file(ddl, "a.json") is None
