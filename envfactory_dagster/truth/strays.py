"""Stray changes: the end of gold, with one row changed that nobody asked to change.

Tools write to several tables at once, so a verifier that overlooks one of them may reject every mutant all the same.
Belongs here: databases in which exactly one table shows the damage. Does not: what agents can do by calls (`mutants`).
"""

from collections.abc import Iterator, Sequence
from random import Random

import apsw

from envfactory_dagster.contracts.calls import Change
from envfactory_dagster.contracts.database import Cell
from envfactory_dagster.runtime.facts.schema import Table
from envfactory_dagster.truth.ground import USER, Ground, Row

_ROWS_TRIED = 3
_OTHER_TABLES = 4


def stray_changes(
    ground: Ground, final: bytes, changes: Sequence[Change], random: Random
) -> Iterator[tuple[str, bytes]]:
    """For every table that gold changes, and a few others, a database in which one more row is changed, and the change
    in words. Tables in which the database allows none are left out."""
    touched = {(change.table, change.key) for change in changes}
    tables = list(ground.schema.tables.values())
    changed = [table for table in tables if any(table.name == name for name, _ in touched)]
    others = [table for table in tables if table not in changed and ground.rows.get(table.name)]
    for table in changed + random.sample(others, min(_OTHER_TABLES, len(others))):
        rows = [row for row in ground.rows.get(table.name, []) if (table.name, _key(table, row)) not in touched]
        own = [row for row in rows if ground.owner(table, row) == USER]
        for row in random.sample(own or rows, min(_ROWS_TRIED, len(own or rows))):
            found = next(_damaged(ground, final, table, row, random), None)
            if found is not None:
                yield found
                break


def _damaged(ground: Ground, final: bytes, table: Table, row: Row, random: Random) -> Iterator[tuple[str, bytes]]:
    """Databases in which this row has another value, one column at a time, where the database allows it."""
    where = " AND ".join(f'"{name}" = ?' for name in table.primary_key)
    for column, value in _other_values(ground, table, row, random):
        connection = apsw.Connection(":memory:")
        connection.deserialize("main", final)
        connection.execute("PRAGMA foreign_keys = ON")
        try:
            statement = f'UPDATE "{table.name}" SET "{column}" = ? WHERE {where}'
            connection.execute(statement, (value, *_key(table, row)))
        except apsw.ConstraintError:
            continue
        else:
            what = f"as well, {table.name} {', '.join(map(str, _key(table, row)))}: {column} is {value!r}"
            yield what, connection.serialize("main")
        finally:
            connection.close()


def _other_values(ground: Ground, table: Table, row: Row, random: Random) -> Iterator[tuple[str, Cell]]:
    if not table.primary_key:
        return
    columns = [c.name for c in table.columns if c.name not in table.primary_key and not c.generated]
    for column in [*random.sample(columns, len(columns)), *table.primary_key]:
        values = {other[column] for other in ground.rows[table.name]} - {row[column], None}
        if values:
            yield column, random.choice(sorted(values, key=repr))


def _key(table: Table, row: Row) -> tuple[Cell, ...]:
    return tuple(row[name] for name in table.primary_key)
