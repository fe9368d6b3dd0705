"""The worker that runs one verifier: its checks, over two read-only databases, the report and the calls.

Belongs here: what a verifier sees (`world`). Does not: what its signals are worth (`truth`).

A worker judges one case after the other. Each case has a world and a namespace of its own, so that what a verifier
caches, counts or overwrites for one case is gone in the next; connections are shared, which can only be read.
"""

import marshal
from collections.abc import Callable, Mapping
from functools import lru_cache
from types import CodeType
from typing import Any

import apsw

from envfactory_dagster.runtime.answer_values import readings, same_answer, same_text
from envfactory_dagster.runtime.facade import (
    MAX_PROGRESS_TICKS,
    MAX_ROWS_FETCHED,
    PROGRESS_STEPS,
    SAFE_BUILTINS,
    describe,
)
from envfactory_dagster.runtime.frames import Channel
from envfactory_dagster.runtime.overlay import Row, Values, confine, content_tables

MOST_CHECKS = 50

Contents = dict[str, tuple[tuple[str, ...], dict[Values, Values]]]
"""Table → its columns, and its rows by primary key."""


class ReadOnlyDatabase:
    """One end of the story: the database before or after, for queries only."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
        connection.set_progress_handler(self._tick, PROGRESS_STEPS)
        self._ticks = 0

    def query(self, sql: str, params: Any = ()) -> list[Row]:
        self._ticks = 0
        cursor = self._connection.execute(sql, params)
        rows: list[Row] = []
        for row in cursor:
            if len(rows) == MAX_ROWS_FETCHED:
                raise OverflowError(f"a query returned more than {MAX_ROWS_FETCHED} rows")
            rows.append(dict(zip([column[0] for column in cursor.get_description()], row, strict=True)))
        return rows

    def one(self, sql: str, params: Any = ()) -> Row | None:
        rows = self.query(sql, params)
        return rows[0] if rows else None

    def _tick(self) -> bool:
        self._ticks += 1
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
    """Most cases begin alike, and those that differ in the report only end alike. `end`: which of the two it is, so that
    a case in which nothing was done has two connections as well."""
    return read_only(image)


class ReportShown:
    """The report as checks see it: its answers only through `says`, which compares as the field's type demands."""

    __slots__ = ("_answers", "_fields", "outcome", "reason")

    def __init__(self, report: Mapping[str, Any] | None, fields: list[dict[str, Any]]) -> None:
        self.outcome: str | None = report["outcome"] if report else None
        self.reason: str | None = report["reason"] if report else None
        self._answers: Mapping[str, Any] = report["answers"] if report else {}
        self._fields = {field["name"]: field for field in fields}

    def says(self, field: str, value: object) -> bool:
        """Whether this answer is this value; None: that nothing is given there. Money is in cents."""
        if field not in self._fields:
            raise LookupError(f"the answer form has no field {field!r}; it has: {', '.join(self._fields) or 'none'}")
        one = self._fields[field]
        for part in value if one.get("many") and isinstance(value, list | tuple) else [value]:
            if part is not None and not readings({**one, "many": False}, part):
                raise ValueError(f"{part!r} is no value that the field {field!r} of type {one['type']} could have")
        return self.outcome is not None and same_answer(one, value, self._answers.get(field))


def _same_text(*texts: Any) -> int:
    return int(same_text(*texts))


class World:
    """What one check of a verifier is shown."""

    same_text = staticmethod(same_text)

    def __init__(self, case: "Case", changes: list[Row], trajectory: list[Any]) -> None:
        self.initial = case.initial
        self.final = case.final
        self.report = case.report
        self.changes = changes
        self.trajectory = trajectory


class Case:
    """What is to be judged. Every check is shown a world of its own: what one of them overwrites, no other sees."""

    def __init__(
        self,
        initial: bytes,
        final: bytes,
        report: Mapping[str, Any] | None,
        fields: list[dict[str, Any]],
        trajectory: list[Any],
    ) -> None:
        self.initial = ReadOnlyDatabase(_connected(initial, "initial"))
        self.final = ReadOnlyDatabase(_connected(final, "final"))
        self._reported = marshal.dumps((dict(report) if report else None, fields))
        self._lists = differences(_contents(initial), _contents(final)), trajectory
        self._copied = marshal.dumps(self._lists)

    @property
    def report(self) -> ReportShown:
        return ReportShown(*marshal.loads(self._reported))

    def world(self) -> World:
        return World(self, *marshal.loads(self._copied))

    def shows(self, world: World) -> bool:
        """Whether a world is still as it was made."""
        databases = world.initial is self.initial and world.final is self.final
        own = self.report
        reported = (world.report.outcome, world.report.reason) == (own.outcome, own.reason)
        return databases and reported and (world.changes, world.trajectory) == self._lists


def contents(image: bytes) -> Contents:
    connection = apsw.Connection(":memory:")
    connection.deserialize("main", image)
    connection.execute("PRAGMA trusted_schema = OFF").fetchall()
    return content_tables(connection)


@lru_cache(maxsize=2)
def _contents(image: bytes) -> Contents:
    """As with `_connected`. No check ever gets hold of this."""
    return contents(image)


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


def describe_value(value: object) -> str:
    return f"the number {value}" if type(value) is float else f"a {type(value).__name__}"


def serve(channel: Channel) -> None:
    blob = b""
    while (frame := channel.receive()) is not None:
        (source, initial_size, report, fields, trajectory), databases = frame
        blob = databases or blob  # none where they are those of the case before
        try:
            signals = _run(source, Case(blob[:initial_size], blob[initial_size:], report, fields, trajectory))
            channel.send(["ok", signals])
        except BaseException as failure:  # noqa: BLE001 - a verifier may raise anything, SystemExit included
            channel.send(["error", describe(failure).replace("tools.py", "verifier")])
            return


@lru_cache(maxsize=1)
def _compiled(source: str) -> CodeType:
    """Code is immutable: all that the cases of a worker share of a verifier."""
    return compile(source, "tools.py", "exec", dont_inherit=True)


def _run(source: str, case: Case) -> list[list[Any]]:
    """Every check by itself: one that fails does not hide the others."""
    namespace: dict[str, Any] = {"__builtins__": dict(SAFE_BUILTINS), "__name__": "verifier"}
    exec(_compiled(source), namespace)
    names = [name for name, found in namespace.items() if name.startswith(("goal_", "guard_")) and callable(found)]
    if not names:
        raise LookupError("the verifier defines no check called goal_… or guard_…")
    if len(names) > MOST_CHECKS:
        raise LookupError(f"the verifier defines {len(names)} checks; at most {MOST_CHECKS} are run")
    return [[name, *_check(namespace[name], case)] for name in names]


def _check(check: Callable[[World], object], case: Case) -> tuple[object, str | None]:
    """What a check returned, or what is wrong with it."""
    world = case.world()
    try:
        value = check(world)
        if not case.shows(world):
            return None, "changed what it was shown"
    except BaseException as failure:  # noqa: BLE001 - a check may raise anything
        return None, describe(failure).replace("tools.py", "verifier")
    if type(value) not in (bool, int, str, type(None)):
        return None, f"returned {describe_value(value)}"
    return value, None
