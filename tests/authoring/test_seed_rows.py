"""The gate of the seed rows, on the alpine huts: it takes them as they are, and names table, row and constraint."""

import re
from collections.abc import Callable

import pytest

from envfactory_dagster.authoring.seed_rows import INSTRUCTIONS, problems_of, problems_of_likeness
from envfactory_dagster.contracts.database import Cell, InitialState, TableRows
from envfactory_dagster.runtime.facts import Schema, load_schema
from envfactory_dagster.runtime.runtime import Runtime
from tests.support.alpine_author import seed

Spoil = Callable[[InitialState], InitialState]


def on(table: str, change: Callable[[TableRows], TableRows | None]) -> Spoil:
    def spoil(state: InitialState) -> InitialState:
        changed = [change(rows) if rows.table == table else rows for rows in state.tables]
        return state.model_copy(update={"tables": [rows for rows in changed if rows is not None]})

    return spoil


def cell(table: str, row: int, column: str, value: Cell) -> Spoil:
    def change(rows: TableRows) -> TableRows:
        copied = [list(cells) for cells in rows.rows]
        copied[row][rows.columns.index(column)] = value
        return rows.model_copy(update={"rows": copied})

    return on(table, change)


def column(table: str, name: str, value: Cell) -> Spoil:
    def change(rows: TableRows) -> TableRows:
        place = rows.columns.index(name)
        return rows.model_copy(update={"rows": [[*cells[:place], value, *cells[place + 1 :]] for cells in rows.rows]})

    return on(table, change)


def renamed(table: str, old: str, new: str) -> Spoil:
    def change(rows: TableRows) -> TableRows:
        return rows.model_copy(update={"columns": [new if name == old else name for name in rows.columns]})

    return on(table, change)


def with_rows(table: str, keep: slice) -> Spoil:
    return on(table, lambda rows: rows.model_copy(update={"rows": rows.rows[keep]}))


def clock(value: str) -> Spoil:
    return lambda state: state.model_copy(update={"clock": value})


DEFECTS: dict[str, tuple[Spoil, str]] = {
    "an unknown column": (renamed("meals", "course", "kind"), "Table meals has no column kind; it has id, hut_id"),
    "a column twice": (renamed("meals", "course", "name"), "Table meals: name is given twice"),
    "an unknown table": (on("meals", lambda r: r.model_copy(update={"table": "dishes"})), "There is no table dishes"),
    "a null": (cell("meals", 2, "name", None), r"Table meals, row 2: .*NOT NULL.*meals.name"),
    "a wrong type": (cell("meals", 3, "price_cents", "cheap"), "Table meals, row 3: .*price_cents"),
    "a broken check": (cell("meals", 4, "price_cents", 0), "Table meals, row 4: .*CHECK.*price_cents > 0"),
    "a broken key": (cell("huts", 1, "id", 1), "Table huts, row 1: .*UNIQUE.*huts.id"),
    "a parent that is not there": (
        cell("meals", 5, "hut_id", 99),
        "Table meals, the row with id 6: it refers to a row of huts",
    ),
    "a number beyond SQLite": (cell("meals", 0, "price_cents", 2**70), "Table meals, row 0"),
    "no user": (cell("people", 0, "id", 99), "Row 1 of people, the user, is missing"),
    "an empty table": (with_rows("reviews", slice(0)), "The table reviews is empty"),
    "a table left out": (on("reviews", lambda rows: None), "The table reviews is empty"),
    "a table of people's left out": (on("warden_messages", lambda rows: None), "The table warden_messages is empty"),
    "nothing": (lambda s: s.model_copy(update={"tables": []}), "The table people is empty"),
    "everything the user's": (
        column("payment_methods", "person_id", 1),
        "All rows of payment_methods belong to the user",
    ),
    "too few rows": (
        lambda s: s.model_copy(update={"tables": [t.model_copy(update={"rows": t.rows[:2]}) for t in s.tables]}),
        "give at least 90",
    ),
    "no such moment": (clock("2026-02-30T09:00:00"), "is no moment in time"),
    "a clock of another century": (clock("1887-07-06T09:00:00"), "is not of our time"),
    "a clock far from the rows": (clock("2031-07-06T09:00:00"), "no row is of that year"),
    "a day among moments": (cell("bookings", 0, "created_at", "2025-06-14"), "bookings.created_at holds '2025-06-14'"),
    "a word among days": (cell("tour_dates", 0, "starts_at", "soon"), "tour_dates.starts_at holds 'soon'"),
}


@pytest.mark.parametrize("state", seed().states, ids=lambda state: state.name)
async def test_the_huts_are_accepted(state: InitialState, schema: Schema, runtime: Runtime) -> None:
    assert await problems_of(runtime, state, schema, 90) == []


@pytest.mark.parametrize("defect", DEFECTS)
async def test_a_defect_is_named(defect: str, schema: Schema, runtime: Runtime) -> None:
    spoil, message = DEFECTS[defect]
    problems = await problems_of(runtime, spoil(seed().states[0]), schema, 90)
    assert {problem.fault for problem in problems} == {"rows"}
    assert any(re.search(message, problem.message) for problem in problems), [p.message for p in problems]


async def test_whoever_wrote_all_rows_down_need_not_own_them(schema: Schema, runtime: Runtime) -> None:
    """One clerk records everything that is done for others."""
    owned = column("payment_methods", "person_id", 1)(seed().states[0])
    recorded = renamed("payment_methods", "person_id", "recorded_by_person_id")(owned)
    ddl = "\n".join(f"{table.sql};" for table in schema.tables.values())
    methods = schema.tables["payment_methods"].sql
    by_clerk = load_schema(ddl.replace(methods, methods.replace("person_id", "recorded_by_person_id")))
    for state, known, alarm in ((owned, schema, True), (recorded, by_clerk, False)):
        told = [problem.message for problem in await problems_of(runtime, state, known, 90)]
        assert any("All rows of payment_methods belong to the user" in message for message in told) is alarm, told


async def test_an_empty_text_stands_for_no_day_where_there_is_no_null(schema: Schema, runtime: Runtime) -> None:
    """In a csv file every column of texts is NOT NULL."""
    given = cell("bookings", 0, "created_at", "")(seed().states[0])
    ddl = "\n".join(f"{table.sql};" for table in schema.tables.values())
    bookings = schema.tables["bookings"].sql
    assert "created_at TEXT NOT NULL" in bookings
    nullable = load_schema(ddl.replace(bookings, bookings.replace("created_at TEXT NOT NULL", "created_at TEXT")))
    for known, alarm in ((schema, False), (nullable, True)):
        told = [problem.message for problem in await problems_of(runtime, given, known, 90)]
        assert any("bookings.created_at holds ''" in message for message in told) is alarm, told


async def test_one_report_names_every_row_that_is_refused(schema: Schema, runtime: Runtime) -> None:
    spoiled = cell("meals", 2, "name", None)(cell("guides", 0, "full_name", None)(seed().states[0]))
    messages = [problem.message for problem in await problems_of(runtime, spoiled, schema, 90)]
    assert any("Table meals, row 2" in message for message in messages)
    assert any("Table guides, row 0" in message for message in messages)


def test_two_states_are_two_worlds(schema: Schema) -> None:
    initial, winter = seed().states
    assert problems_of_likeness(winter, initial, schema) == []
    same_people = on("people", lambda rows: next(t for t in initial.tables if t.table == "people"))(winter)
    assert (
        "of the people in people are the same as in the state initial"
        in problems_of_likeness(same_people, initial, schema)[0].message
    )
    named = "\n".join(str(cell) for table in initial.tables for row in table.rows for cell in row)
    assert problems_of_likeness(same_people, initial, schema, named) == [], "documents that hold in both name them"
    same_again = initial.model_copy(update={"name": "again"})
    assert problems_of_likeness(same_again, initial, schema)
    assert problems_of_likeness(same_again, initial, schema, named)


def test_the_prompt_puts_the_rules_before_the_rows_that_it_asks_for() -> None:
    rules_first, wanted = INSTRUCTIONS.index("rules of the theme come first"), INSTRUCTIONS.index("of each status")
    assert rules_first < wanted
    assert "of each status at least one as far as the rules allow" in INSTRUCTIONS
