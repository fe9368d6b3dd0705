"""Which rows an author is shown."""

from envfactory_dagster.authoring.samples import ROWS_OF_A_TABLE, sample_rows
from envfactory_dagster.contracts.database import InitialState, SeedRows, TableRows


def state(name: str, count: int) -> InitialState:
    places = TableRows(table="places", columns=["id"], rows=[[number] for number in range(1, count + 1)])
    return InitialState(name=name, clock="2026-03-02T09:00:00", tables=[places])


def test_whole_tables_unless_they_are_very_long() -> None:
    seed = SeedRows(states=[state("initial", 129), state("second", ROWS_OF_A_TABLE + 50)])

    assert sample_rows(seed) == seed.states[0].tables
    assert sample_rows(seed, "second")[0].rows == seed.states[1].tables[0].rows[:ROWS_OF_A_TABLE]
