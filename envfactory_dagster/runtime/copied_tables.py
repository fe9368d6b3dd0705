"""Copying the rows of a table from one database to another. Python's standard library only.

Belongs here: what can be done through any SQLite connection, `apsw` or `sqlite3`; the text is part of every bundle's
`server.py`. Does not: which tables there are, and what they are called.
"""

from collections.abc import Iterable
from typing import Any, Protocol


class CopyingConnection(Protocol):
    def execute(self, sql: str, parameters: Any = ..., /) -> Iterable[Any]: ...

    def executemany(self, sql: str, parameters: Any, /) -> Any: ...


def copy_rows(part: CopyingConnection, table: str, whole: CopyingConnection, name: str) -> None:
    """Every row, as it is, into a table of the same columns. A row that has nothing but its rowid keeps it."""
    columns = [
        n for n, hidden in part.execute("SELECT name, hidden FROM pragma_table_xinfo(?)", (table,)) if not hidden
    ]
    has_key = any(key for (key,) in part.execute("SELECT pk FROM pragma_table_info(?)", (table,)))
    names = ", ".join(["rowid"] * (not has_key) + [f'"{column}"' for column in columns])
    places = ", ".join("?" * (len(columns) + (not has_key)))
    rows = part.execute(f'SELECT {names} FROM "{table}"')
    whole.executemany(f'INSERT INTO "{name}" ({names}) VALUES ({places})', rows)
