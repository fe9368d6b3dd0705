"""The worker that runs one verifier: its checks, over two read-only databases, the answer and the calls.

Belongs here: what a verifier sees (`world`). Does not: what its signals are worth (`truth`).

A worker judges one case after the other. Each case has databases, a world and a namespace of its own, so that what a
verifier caches, counts or overwrites for one case is gone in the next.
"""

import marshal
import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache
from types import CodeType
from typing import Any

import apsw

from envfactory_dagster.runtime.facade import (
    MAX_PROGRESS_TICKS,
    MAX_ROWS_FETCHED,
    PROGRESS_STEPS,
    SAFE_BUILTINS,
    describe,
)
from envfactory_dagster.runtime.frames import Channel
from envfactory_dagster.runtime.overlay import Row, Values, confine, content_tables

_DAY = re.compile(r"\b\d{4}-\d{2}-\d{2}(?=t|\b)|(?:\b|(?<=t))\d{1,2}:\d{2}(?::\d{2})?\b")
_NUMBER = re.compile(r"(?<![\w.])(?<![a-z]-)-?\d+(?:\.\d+)?(?!\w)")
"""In folded text. Neither part of a day or a time nor of a code like `bk-00187`."""

MOST_CHECKS = 50
MOST_NAMED = 5
"""An answer may name so many values of one column, or up to half of them, before it is a list of all there is."""


Contents = dict[str, tuple[tuple[str, ...], dict[Values, Values]]]
"""Table → its columns, and its rows by primary key."""


class ReadOnlyDatabase:
    """One end of the story: the database before or after, for queries only."""

    def __init__(self, image: bytes) -> None:
        self._connection = connection = apsw.Connection(":memory:")
        connection.deserialize("main", image)
        connection.execute("PRAGMA temp_store = MEMORY; PRAGMA query_only = ON; PRAGMA trusted_schema = OFF").fetchall()
        confine(connection)
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


class World:
    """What one check of a verifier is shown."""

    def __init__(self, case: "Case", changes: list[Row], trajectory: list[Any]) -> None:
        self.initial = case.initial
        self.final = case.final
        self.answer = case.answer
        self.changes = changes
        self.trajectory = trajectory
        self._lists_all = case.lists_all

    def mentions(self, value: object) -> bool:
        """Whether the answer says this number, or this phrase, as a whole. Who goes through most of what there is to
        choose from has not said which it is."""
        return mentions(self.answer or "", value) and not (isinstance(value, str) and self._lists_all(value))


class Case:
    """What is to be judged. Every check is shown a world of its own: what one of them overwrites, no other sees."""

    def __init__(self, initial: bytes, final: bytes, answer: str | None, trajectory: list[Any]) -> None:
        self.initial = ReadOnlyDatabase(initial)
        self.final = ReadOnlyDatabase(final)
        self.answer = answer
        self._before = _contents_before(initial)
        self._lists = differences(self._before, contents(final)), trajectory
        self._copied = marshal.dumps(self._lists)

    def world(self) -> World:
        return World(self, *marshal.loads(self._copied))

    def shows(self, world: World) -> bool:
        """Whether a world is still as it was made."""
        databases = world.initial is self.initial and world.final is self.final
        return databases and world.answer == self.answer and (world.changes, world.trajectory) == self._lists

    def lists_all(self, value: str) -> bool:
        """Whether the answer names most values of a column that holds this one at the start."""
        wanted, said = _folded(value), _folded(self.answer or "")
        for columns, rows in self._before.values():
            for position in range(len(columns)):
                values = {_folded(row[position]) for row in rows.values() if isinstance(row[position], str)}
                if wanted in values and len(values) > MOST_NAMED:
                    named = sum(mentions(said, other) for other in values if other in said)
                    if named > max(MOST_NAMED, len(values) / 2):
                        return True
        return False


def contents(image: bytes) -> Contents:
    connection = apsw.Connection(":memory:")
    connection.deserialize("main", image)
    connection.execute("PRAGMA trusted_schema = OFF").fetchall()
    return content_tables(connection)


@lru_cache(maxsize=1)
def _contents_before(image: bytes) -> Contents:
    """Most cases of a worker begin alike. No check ever gets hold of this."""
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


def mentions(answer: str, value: object) -> bool:
    if isinstance(value, bool) or value is None:
        raise TypeError(f"mentions() takes a number or a phrase, not {value!r}")
    text = _folded(answer)
    if isinstance(value, int | float):
        numbers = _NUMBER.findall(_DAY.sub(" ", re.sub(r"(?<=\d),(?=\d{3}\b)", "", text)))
        return any(abs(float(number) - value) < 0.005 for number in numbers)
    return re.search(rf"(?<!\w){re.escape(_folded(str(value)))}(?!\w)", text) is not None


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def describe_value(value: object) -> str:
    return f"the number {value}" if type(value) is float else f"a {type(value).__name__}"


def serve(channel: Channel) -> None:
    while (frame := channel.receive()) is not None:
        (source, initial_size, answer, trajectory), blob = frame
        try:
            signals = _run(source, Case(blob[:initial_size], blob[initial_size:], answer, trajectory))
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
