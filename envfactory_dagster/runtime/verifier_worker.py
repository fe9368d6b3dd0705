"""The worker that runs one verifier: its checks, over two read-only databases, the report and the calls.

Belongs here: databases that can only be read, and the loop over cases. Does not: what a verifier sees and what its
signals come to (`checks`).

A worker judges one case after the other. Each case has a world and a namespace of its own, so that what a verifier
caches, counts or overwrites for one case is gone in the next; connections are shared, which can only be read.
"""

from functools import lru_cache
from typing import Any

import apsw

from envfactory_dagster.runtime.answer_values import same_text
from envfactory_dagster.runtime.checks import JudgedCase, describe_in_verifier, run_checks
from envfactory_dagster.runtime.ends import contents
from envfactory_dagster.runtime.facade import MAX_PROGRESS_TICKS, MAX_ROWS_FETCHED, PROGRESS_STEPS
from envfactory_dagster.runtime.frames import Channel
from envfactory_dagster.runtime.overlay import confine, refuse_newer
from envfactory_dagster.runtime.table_contents import Contents, Row


class ReadOnlyDatabase:
    """One end of the story: the database before or after, for queries only."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
        connection.set_progress_handler(self._tick, PROGRESS_STEPS)
        self._ticks = 0
        self._passed = ""

    def query(self, sql: str, params: Any = ()) -> list[Row]:
        self._ticks = 0
        refuse_newer(sql)
        rows: list[Row] = []
        try:
            cursor = self._connection.execute(sql, params)
            for row in cursor:
                if len(rows) == MAX_ROWS_FETCHED:
                    self._passed = f"a query returned more than {MAX_ROWS_FETCHED} rows"
                    raise OverflowError(self._passed)
                rows.append(dict(zip([column[0] for column in cursor.get_description()], row, strict=True)))
        except MemoryError:
            self._passed = "a query needed more memory than there is"
            raise
        return rows

    def limit_passed(self) -> str:
        passed, self._passed = self._passed, ""
        return passed

    def one(self, sql: str, params: Any = ()) -> Row | None:
        rows = self.query(sql, params)
        return rows[0] if rows else None

    def _tick(self) -> bool:
        self._ticks += 1
        if self._ticks > MAX_PROGRESS_TICKS:
            self._passed = "a query took too many steps"
        return self._ticks > MAX_PROGRESS_TICKS


def read_only(image: bytes) -> apsw.Connection:
    """A connection whose state no statement can change."""
    connection = apsw.Connection(":memory:")
    connection.deserialize("main", image)
    connection.execute("PRAGMA temp_store = MEMORY; PRAGMA query_only = ON; PRAGMA trusted_schema = OFF").fetchall()
    connection.create_scalar_function("same_text", _same_text, 2, deterministic=True)
    confine(connection)
    return connection


@lru_cache(maxsize=2)
def _connected(image: bytes, end: str) -> apsw.Connection:
    """Most cases begin alike, and those that differ in the report only end alike. `end`: which of the two it is, so
    that a case in which nothing was done has two connections as well."""
    return read_only(image)


def _same_text(*texts: Any) -> int:
    return int(same_text(*texts))


@lru_cache(maxsize=2)
def _contents(image: bytes) -> Contents:
    """As with `_connected`. No check ever gets hold of this."""
    return contents(image)


def serve(channel: Channel) -> None:
    blob = b""
    while (frame := channel.receive()) is not None:
        (source, initial_size, report, fields, trajectory), sent = frame
        blob = sent or blob  # none where they are those of the case before
        initial, final = blob[:initial_size], blob[initial_size:]
        try:
            databases = (
                ReadOnlyDatabase(_connected(initial, "initial")),
                ReadOnlyDatabase(_connected(final, "final")),
            )
            rows = _contents(initial), _contents(final)
            channel.send(["ok", run_checks(source, JudgedCase(databases, rows, report, fields, trajectory))])
        except BaseException as failure:  # noqa: BLE001 - a verifier may raise anything, SystemExit included
            channel.send(["error", describe_in_verifier(failure)])
            return
