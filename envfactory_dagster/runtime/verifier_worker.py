"""The worker that runs one verifier: its checks, over two read-only databases, the answer and the calls.

Belongs here: what a verifier sees (`world`). Does not: what its signals are worth (`truth`).
"""

import re
import unicodedata
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
from envfactory_dagster.runtime.overlay import Row, confine, content_tables

MOST_CHECKS = 50


class ReadOnlyDatabase:
    """One end of the story: the database before or after, for queries only."""

    def __init__(self, image: bytes) -> None:
        self._connection = connection = apsw.Connection(":memory:")
        connection.deserialize("main", image)
        connection.execute("PRAGMA temp_store = MEMORY; PRAGMA query_only = ON; PRAGMA trusted_schema = OFF").fetchall()
        self.tables = content_tables(connection)
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
    """What every check of a verifier is shown."""

    def __init__(self, initial: bytes, final: bytes, answer: str | None, trajectory: list[Any]) -> None:
        self.initial = ReadOnlyDatabase(initial)
        self.final = ReadOnlyDatabase(final)
        self.answer = answer
        self.trajectory = trajectory
        self.changes = differences(self.initial.tables, self.final.tables)

    def mentions(self, value: object) -> bool:
        """Whether the answer says this number, or this phrase, as a whole."""
        return mentions(self.answer or "", value)


def differences(before: dict[str, Any], after: dict[str, Any]) -> list[Row]:
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
        numbers = re.findall(r"(?<![\w.])-?\d+(?:\.\d+)?(?!\w)", re.sub(r"(?<=\d),(?=\d{3}\b)", "", text))
        return any(abs(float(number) - value) < 0.005 for number in numbers)
    return re.search(rf"(?<!\w){re.escape(_folded(str(value)))}(?!\w)", text) is not None


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def describe_value(value: object) -> str:
    return f"the number {value}" if type(value) is float else f"a {type(value).__name__}"


def serve(channel: Channel) -> None:
    frame = channel.receive()
    if frame is None:
        return
    (source, initial_size, answer, trajectory), blob = frame
    try:
        signals = _run(source, World(blob[:initial_size], blob[initial_size:], answer, trajectory))
        channel.send(["ok", signals])
    except BaseException as failure:  # noqa: BLE001 - a verifier may raise anything, SystemExit included
        channel.send(["error", describe(failure).replace("tools.py", "verifier")])


def _run(source: str, world: World) -> list[list[Any]]:
    """Every check by itself: one that fails does not hide the others."""
    namespace: dict[str, Any] = {"__builtins__": SAFE_BUILTINS, "__name__": "verifier"}
    exec(compile(source, "tools.py", "exec", dont_inherit=True), namespace)
    names = [name for name, found in namespace.items() if name.startswith(("goal_", "guard_")) and callable(found)]
    if not names:
        raise LookupError("the verifier defines no check called goal_… or guard_…")
    signals: list[list[Any]] = []
    for name in names[:MOST_CHECKS]:
        try:
            value = namespace[name](world)
        except BaseException as failure:  # noqa: BLE001 - a check may raise anything
            signals.append([name, None, describe(failure).replace("tools.py", "verifier")])
            continue
        problem = None if type(value) in (bool, int, str, type(None)) else f"returned {describe_value(value)}"
        signals.append([name, value if problem is None else None, problem])
    return signals
