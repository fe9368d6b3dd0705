"""Unasked changes: the end of gold, with one row changed or added that nobody asked to change or add.

Tools write to several tables at once, so a verifier that overlooks one of them may reject every mutant all the same.
Belongs here: databases in which exactly one table shows the damage. Does not: what agents can do by calls (`mutants`).
"""

import re
from collections.abc import Iterator, Sequence
from random import Random

from envfactory_dagster.contracts.calls import Change
from envfactory_dagster.contracts.database import Cell
from envfactory_dagster.contracts.errors import EnvironmentFault
from envfactory_dagster.runtime import databases
from envfactory_dagster.runtime.database_link import DatabaseWorker
from envfactory_dagster.runtime.facts.schema import SchemaTable
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.truth.start_rows import USER, Row, StartRows

_ROWS_TRIED = 3
_COPIES_TRIED = 12


async def unasked_changes(
    runtime: Runtime, start_rows: StartRows, final: bytes, changes: Sequence[Change], random: Random
) -> list[tuple[str, bytes]]:
    """For every table a database in which one more row is changed, and for every table that gold adds rows to one with
    one more new row; with the change in words. Tables in which the database allows none are left out."""
    async with runtime.database_worker() as worker:
        return await _unasked(worker, start_rows, final, changes, random)


async def _unasked(
    worker: DatabaseWorker, start_rows: StartRows, final: bytes, changes: Sequence[Change], random: Random
) -> list[tuple[str, bytes]]:
    unasked = []
    touched = {(change.table, change.key) for change in changes}
    for table in start_rows.schema.tables.values():
        rows = [row for row in start_rows.rows.get(table.name, []) if (table.name, _key(table, row)) not in touched]
        own = [row for row in rows if start_rows.owner(table, row) == USER]
        for row in random.sample(own or rows, min(_ROWS_TRIED, len(own or rows))):
            found = await _damaged(worker, start_rows, final, table, row, random)
            if found is not None:
                unasked.append(found)
                break
        if own + rows and any(change.table == table.name and change.before is None for change in changes):
            found = await _one_more(worker, start_rows, final, table, own or rows, random)
            if found is not None:
                unasked.append(found)
    return unasked


async def _one_more(
    worker: DatabaseWorker, start_rows: StartRows, final: bytes, table: SchemaTable, rows: Sequence[Row], random: Random
) -> tuple[str, bytes] | None:
    """A database with one more row in this table, like one that was there, if the database allows one."""
    columns = [c.name for c in table.columns if not c.generated and c.name != table.rowid_column]
    listed = ", ".join(f'"{name}"' for name in columns)
    statement = f'INSERT INTO "{table.name}" ({listed}) VALUES ({", ".join("?" * len(columns))})'
    unique = {name for columns in (*table.unique, table.primary_key) for name in columns}
    referring = {name for key in table.foreign_keys for name in key.columns}
    for number in range(_COPIES_TRIED):
        other = unique if number < _COPIES_TRIED / 2 else unique | referring
        row = _copy(start_rows, table, random.choice(rows), sorted(other), random)
        changed = await _executed(worker, final, statement, [row[name] for name in columns])
        if changed is not None:
            return f"as well, one more row in {table.name}: {row}"[:300], changed
    return None


def _copy(start_rows: StartRows, table: SchemaTable, row: Row, other: Sequence[str], random: Random) -> Row:
    """The same row, with other values in these columns: another number in a code, else something there is."""
    copy = dict(row)
    for name in other:
        value = row[name]
        if isinstance(value, str) and (code := re.search(r"\d+$", value)):
            copy[name] = value[: code.start()] + str(random.randrange(10 ** len(code[0]))).zfill(len(code[0]))
        else:
            copy[name] = random.choice(_possible(start_rows, table, name))
    return copy


def _possible(start_rows: StartRows, table: SchemaTable, column: str) -> list[Cell]:
    """The values of a column: where it refers to other rows, all it could refer to."""
    key = next((key for key in table.foreign_keys if key.columns == (column,)), None)
    if key is not None and start_rows.rows.get(key.parent):
        return [row[key.parent_columns[0]] for row in start_rows.rows[key.parent]]
    return [row[column] for row in start_rows.rows[table.name]]


async def _damaged(
    worker: DatabaseWorker, start_rows: StartRows, final: bytes, table: SchemaTable, row: Row, random: Random
) -> tuple[str, bytes] | None:
    """A database in which this row has another value in the first column in which the database allows it."""
    where = " AND ".join(f'"{name}" = ?' for name in table.primary_key)
    for column, value in _other_values(start_rows, table, row, random):
        statement = f'UPDATE "{table.name}" SET "{column}" = ? WHERE {where}'
        changed = await _executed(worker, final, statement, [value, *_key(table, row)])
        if changed is not None:
            return f"as well, {table.name} {', '.join(map(str, _key(table, row)))}: {column} is {value!r}", changed
    return None


async def _executed(worker: DatabaseWorker, final: bytes, statement: str, values: Sequence[Cell]) -> bytes | None:
    """The database after a statement; None when it does not allow it."""
    try:
        return await databases.with_statement(worker, final, statement, values)
    except EnvironmentFault:
        return None


def _other_values(start_rows: StartRows, table: SchemaTable, row: Row, random: Random) -> Iterator[tuple[str, Cell]]:
    """First what other rows have there; then, where no two rows may have the same, something new."""
    if not table.primary_key:
        return
    columns = [c.name for c in table.columns if c.name not in table.primary_key and not c.generated]
    shuffled = random.sample(columns, len(columns))
    for column in [*shuffled, *table.primary_key]:
        values = {other[column] for other in start_rows.rows[table.name]} - {row[column], None}
        if values:
            yield column, random.choice(sorted(values, key=repr))
    for column in shuffled:
        if isinstance(value := row[column], int | float):
            yield column, value + 1
        elif isinstance(value, str):
            yield column, f"{value} too"


def _key(table: SchemaTable, row: Row) -> tuple[Cell, ...]:
    return tuple(row[name] for name in table.primary_key)
