"""Small states: what is left of a database still holds together, and is little."""

import sqlite3

import pytest

from benchmarks.small_states import ROWS, with_small_states
from envfactory_dagster import examples
from envfactory_dagster.contracts.bundle import Bundle, State


def _opened(state: State) -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:")
    connection.deserialize(state.image)
    return connection


@pytest.fixture(scope="module")
def small() -> Bundle:
    return with_small_states(examples.load("alpine_huts"), 3)


def test_they_take_the_place_of_the_others_and_differ(small: Bundle) -> None:
    assert sorted(small.states) == ["initial", "small_1", "small_2"]
    assert len({state.image for state in small.states.values()}) == 3
    assert small.tasks == [] and not small.solutions, "those were made for other states"


def test_every_reference_still_has_its_row_and_the_first_person_is_there(small: Bundle) -> None:
    for state in small.states.values():
        connection = _opened(state)
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_a_table_keeps_few_rows_unless_others_need_them(small: Bundle) -> None:
    counts = [
        connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
        for connection in map(_opened, small.states.values())
        for (table,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
        if not table.startswith("sqlite_")
    ]
    assert min(counts) >= 1
    assert sorted(counts)[len(counts) // 2] <= ROWS[1]


def test_the_same_every_time(small: Bundle) -> None:
    assert with_small_states(examples.load("alpine_huts"), 3).version == small.version
