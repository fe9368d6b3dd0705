"""What a session changed, by its database at the start and at the end.

Belongs here: reading images whole, and whether they show what a session's tools told of their changes. Runs in
workers: an image is what hostile code left behind. Does not: recording changes while they are made (`overlay`).
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import apsw

from envfactory_dagster.runtime.overlay import content_hash
from envfactory_dagster.runtime.table_contents import Contents, content_tables, differences


def contents(image: bytes) -> Contents:
    return content_tables(_opened(image))


def compare(told: Sequence[Sequence[Any]], initial: bytes, final: bytes) -> tuple[str, str | None]:
    """The hash of the rows at the end, and the first thing that is not as it was told; None when all is. `told`: table,
    key, the row before and the row after, of every row that is said to differ."""
    end = _opened(final)
    start, rows = _start(initial), content_tables(end)
    if [(name, table[0]) for name, table in start.items()] != [(name, table[0]) for name, table in rows.items()]:
        return content_hash(end), "it has other tables than at the start"
    shown = {_place(row["table"], row["key"]): (row["before"], row["after"]) for row in differences(start, rows)}
    said = {_place(table, key): (before, after) for table, key, before, after in told}
    for place in shown.keys() | said.keys():
        if shown.get(place) != said.get(place):
            how = "differs from what was told" if place in said else "was changed, and nothing was told of it"
            return content_hash(end), f"a row of {place[0]} {how if place in shown else 'is told of, and is unchanged'}"
    return content_hash(end), None


def _place(table: str, key: Sequence[Any]) -> tuple[str, tuple[Any, ...]]:
    return table, tuple(key)


def _opened(image: bytes) -> apsw.Connection:
    connection = apsw.Connection(":memory:")
    connection.deserialize("main", image)
    connection.execute("PRAGMA trusted_schema = OFF").fetchall()
    return connection


@lru_cache(maxsize=4)
def _start(image: bytes) -> Contents:
    """Sessions of one environment begin alike."""
    return contents(image)
