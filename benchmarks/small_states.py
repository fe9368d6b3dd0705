"""Small states of an environment: the states it has, with most of their rows taken out.

Belongs here: choosing which rows stay. Does not: tasks in such states (`learning_ground`). What a small policy reads
has to be short; and as there are many ways to choose, one environment has many states that differ in what can be asked.
"""

import sqlite3
from dataclasses import replace
from random import Random

from envfactory_dagster.contracts.bundle import Bundle, State

ROWS = (2, 5)
"""The least and the most rows that are kept of a table; rows that others refer to are always kept."""


def with_small_states(bundle: Bundle, number: int) -> Bundle:
    """The environment with so many small states in place of its own; without tasks, which were made for its own."""
    full = [bundle.states[name] for name in sorted(bundle.states)]
    states = {_name(place): _small(full[place % len(full)], Random(f"{bundle.key}-{place}")) for place in range(number)}
    return replace(bundle, states=states, tasks=[], solutions={}, verifiers={}, conversations={}, inspection=None)


def _name(place: int) -> str:
    return "initial" if place == 0 else f"small_{place}"


def _small(state: State, chance: Random) -> State:
    connection = sqlite3.connect(":memory:")
    connection.deserialize(state.image)
    connection.execute("PRAGMA foreign_keys = ON")
    tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
    left = {table: chance.randint(*ROWS) for table in tables if not table.startswith("sqlite_")}
    while sum(_take_out(connection, table, most, chance) for table, most in left.items()):
        pass
    connection.commit()
    connection.execute("VACUUM")
    image = connection.serialize()
    connection.close()
    return State(image=image, clock=state.clock)


def _take_out(connection: sqlite3.Connection, table: str, most: int, chance: Random) -> int:
    """Delete rows that nothing refers to, in any order, until so many are left; how many were deleted. The first row of
    a table stays: it may be the signed-in person."""
    rows = [row for (row,) in connection.execute(f"SELECT rowid FROM {table} WHERE rowid > 1")]
    chance.shuffle(rows)
    surplus = len(rows) + 1 - most
    taken = 0
    for row in rows:
        if taken >= surplus:
            break
        try:
            connection.execute(f"DELETE FROM {table} WHERE rowid = ?", (row,))
            taken += 1
        except sqlite3.IntegrityError:
            continue
    return max(taken, 0)
