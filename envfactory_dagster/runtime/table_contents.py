"""The rows of a database by primary key, and the rows that differ between two. Python's standard library only.

Belongs here: what can be read through any SQLite connection, `apsw` or `sqlite3`; the text is part of every bundle's
`judge.py`. Does not: opening a database, and recording changes while they are made (`overlay`).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Protocol

Row = dict[str, Any]
Values = tuple[Any, ...]
Contents = dict[str, tuple[tuple[str, ...], dict[Values, Values]]]
"""Table → its columns, and its rows by primary key."""

TABLES = (
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    " AND name NOT LIKE 'file\\_\\_%' ESCAPE '\\' ORDER BY name"
)
"""Those that begin with `file__` hold what the files of an environment were at the start."""


class ReadConnection(Protocol):
    def execute(self, sql: str, parameters: Any = ..., /) -> Iterable[Any]: ...


@dataclass(frozen=True, slots=True)
class DescribedTable:
    columns: tuple[str, ...]
    keys: tuple[int, ...]
    """Indexes of the columns that make the primary key; empty when a row has nothing but its rowid."""
    find: str
    """The query for one row by its key."""


def row_key(keys: tuple[int, ...], row: Values, rowid: int) -> Values:
    return tuple(row[i] for i in keys) if keys else (rowid,)


_described: dict[Values, dict[str, DescribedTable]] = {}
"""By the definitions of the tables: what many databases of one process have in common."""
_MOST_DESCRIBED = 8


def describe_tables(connection: ReadConnection) -> dict[str, DescribedTable]:
    schema = tuple(tuple(row) for row in connection.execute("SELECT name, sql FROM sqlite_schema"))
    if schema not in _described:
        if len(_described) == _MOST_DESCRIBED:
            _described.clear()
        _described[schema] = _read_descriptions(connection)
    return _described[schema]


def _read_descriptions(connection: ReadConnection) -> dict[str, DescribedTable]:
    tables = {}
    for (table,) in list(connection.execute(TABLES)):
        rows = list(connection.execute("SELECT name, pk FROM pragma_table_info(?)", (table,)))
        keys = tuple(index for _, index in sorted((pk, index) for index, (_, pk) in enumerate(rows) if pk))
        where = " AND ".join(f'"{rows[i][0]}" = ?' for i in keys) or "rowid = ?"
        columns = tuple(str(name) for name, _ in rows)
        tables[str(table)] = DescribedTable(columns, keys, f'SELECT * FROM "{table}" WHERE {where}')
    return tables


def content_tables(connection: ReadConnection) -> Contents:
    """Every table's columns, and its rows by primary key."""
    tables = {}
    for name, table in describe_tables(connection).items():
        rows = connection.execute(f'SELECT rowid, * FROM "{name}"' if not table.keys else f'SELECT 0, * FROM "{name}"')
        tables[name] = table.columns, {row_key(table.keys, row[1:], row[0]): row[1:] for row in rows}
    return tables


def differences(before: Contents, after: Contents) -> list[Row]:
    found = []
    for table, (columns, old) in before.items():
        new = after[table][1]
        if old == new:
            continue
        for key in sorted(old.keys() | new.keys(), key=repr):
            first, last = old.get(key), new.get(key)
            if first != last:
                as_row = [None if row is None else dict(zip(columns, row, strict=True)) for row in (first, last)]
                found.append({"table": table, "key": list(key), "before": as_row[0], "after": as_row[1]})
    return found
