"""Trying the author's own tools on the author's own rows, to foretell what they answer and where their limits lie.

What a careful author does in the head: work out what the good call answers, and find for every comparison a call that
would come out otherwise if the comparison were off by one. Belongs here: running code that this package wrote itself.
Does not: judging anybody's code; there is no sandbox here.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import chain, cycle, islice
from typing import Any, NamedTuple

import apsw

from envfactory_dagster.contracts.database import Table, TableRows
from envfactory_dagster.contracts.requests import ToolFunction
from envfactory_dagster.contracts.tools import GivenRow, ToolCall, ToolDefinition, ToolEdge
from envfactory_dagster.language.embedded.limits import (
    Slip,
    days,
    from_both_ends,
    in_turns,
    numbers_in,
    numeric,
    rearranged,
    slips_of,
)

Arguments = Mapping[str, Any]
Function = Callable[..., dict[str, Any]]

FIRST_CODE = 50_001
"""Where the codes of `env.new_id` start."""
MOST_ROWS_FORETOLD = 10
MOST_EDGES = 12
BRIEF = "Fine."
"""A text that is too short where much has to be said."""
MOST_CALLS, MOST_MOVES = 5, 1_500
"""Of rows, in search of the limit that one slip is about."""
MOST_TRIES, MOST_TIMES, MOST_IDS, MOST_VALUES, LONGEST_ROW, CELLS_OF_A_TABLE = 240, 30, 30, 30, 10, 12
"""Of calls in search of one that tells a limit from its neighbour."""
SHORTLY = timedelta(days=3)
_WRITTEN = re.compile(r"(?:INSERT INTO|UPDATE|DELETE FROM)\s+(\w+)")
_BREAKS = (apsw.Error, LookupError, TypeError, ValueError, ArithmeticError, AttributeError)
"""What tools raise that cannot cope with a call."""


class Told(NamedTuple):
    """What came of a call; of the result, as much as is foretold."""

    refused: bool
    result: dict[str, Any]


class Try(NamedTuple):
    before: tuple[ToolCall, ...]
    arguments: Arguments
    clock: str | None = None
    """Where it is not made at the clock of the world."""
    given: tuple[GivenRow, ...] = ()


class Refusal(Exception):
    """A refusal by a tool."""


class Env:
    """What tools see."""

    Error = Refusal
    user_id = 1

    def __init__(self, database: apsw.Connection, now: str) -> None:
        self.now = now
        self.seen: list[Any] = []
        """Every cell that was read."""
        self.compared: list[Any] = []
        """The same, and every value that rows were looked up with."""
        self._database = database
        self._codes: dict[str, int] = {}

    def query(self, sql: str, params: Any = ()) -> list[dict[str, Any]]:
        cursor = self._database.cursor()
        cursor.row_trace = lambda cursor, row: dict(
            zip([column[0] for column in cursor.get_description()], row, strict=True)
        )
        rows = list(cursor.execute(sql, params))
        cells = [cell for row in rows for cell in row.values()]
        self.seen += cells
        self.compared += [*(params.values() if isinstance(params, Mapping) else params), *cells]
        return rows

    def one(self, sql: str, params: Any = ()) -> dict[str, Any] | None:
        return next(iter(self.query(sql, params)), None)

    def execute(self, sql: str, params: Any = ()) -> int:
        self._database.execute(sql, params)
        return self._database.changes()

    def insert(self, sql: str, params: Any = ()) -> int:
        self._database.execute(sql, params)
        return self._database.last_insert_rowid()

    def new_id(self, prefix: str) -> str:
        number = self._codes.get(prefix, FIRST_CODE)
        self._codes[prefix] = number + 1
        return f"{prefix}-{number:05d}"


def database_of(tables: Sequence[Table], rows: Sequence[TableRows]) -> apsw.Connection:
    """These tables with these rows, in memory."""
    database = apsw.Connection(":memory:")
    for table in tables:
        for statement in (table.ddl, *table.indexes):
            database.execute(statement)
    for filled in rows:
        marks = ", ".join("?" * len(filled.columns))
        database.executemany(f"INSERT INTO {filled.table} ({', '.join(filled.columns)}) VALUES ({marks})", filled.rows)
    return database


class Rehearsal:
    """One world with all its tools, every call undone after it was looked at."""

    def __init__(
        self,
        tables: Sequence[Table],
        rows: Sequence[TableRows],
        clock: str,
        tools: Sequence[ToolDefinition],
        functions: Sequence[ToolFunction],
    ) -> None:
        self._clock, self._rows = clock, rows
        self._tools = {tool.name: tool for tool in tools}
        self._written = {function.name: function for function in functions}
        self._functions = {function.name: _loaded(function.name, function.source) for function in functions}
        self._database = database_of(tables, rows)
        self._database.execute("PRAGMA foreign_keys = ON")

    def rehearsed(self, function: ToolFunction) -> ToolFunction:
        """The function with what its good call answers, and with calls at its limits."""
        told = self._tell(self._functions[function.name], Try(tuple(function.before), function.good_call))
        if told is None or told.refused:
            return function
        return function.model_copy(
            update={
                "good_result": told.result,
                "good_changes": self._changed(function),
                "edges": [*islice(self._edges(function), MOST_EDGES)],
            }
        )

    def _changed(self, function: ToolFunction) -> list[str]:
        """The tables in which the good call changes rows."""
        written = sorted(set(_WRITTEN.findall(function.source)) & {filled.table for filled in self._rows})
        if not written:
            return []
        prepared = Try(tuple(function.before), function.good_call)
        self._database.execute("SAVEPOINT looked_at")
        try:
            before = [self._contents(table) for table in written]
            env = Env(self._database, self._clock)
            self._prepared(env, prepared.before)
            self._functions[function.name](env, **prepared.arguments)
            return [table for table, rows in zip(written, before, strict=True) if self._contents(table) != rows]
        finally:
            self._database.execute("ROLLBACK TO looked_at; RELEASE looked_at")

    def _contents(self, table: str) -> list[tuple[Any, ...]]:
        return self._database.execute(f"SELECT * FROM {table}").fetchall()

    def _edges(self, function: ToolFunction) -> Iterator[ToolEdge]:
        """For every refusal that could be forgotten and every limit that could be off by one, a call that shows it."""
        slips = [*slips_of(function.source)]
        if not slips:
            return
        right = self._functions[function.name]
        told = [(attempt, self._tell(right, attempt)) for attempt in islice(self._tries(function), MOST_TRIES)]
        shown, calls = list[Try](), self._calls_to_move(function, told)
        for slip in slips:
            slipped = _loaded(function.name, slip.source)
            moved = islice(self._with_rows_moved(function, slip, calls), MOST_MOVES)
            for attempt, outcome in chain(told, ((attempt, self._tell(right, attempt)) for attempt in moved)):
                if outcome is not None and self._tell(slipped, attempt) != outcome:
                    if attempt not in shown:
                        shown.append(attempt)
                        yield _edge(attempt, outcome)
                    break

    def _tries(self, function: ToolFunction) -> Iterator[Try]:
        """The good and the bad call; the good one at other times, with what rows hold together, over and over as long
        as that goes well, with one argument changed, and with that at other times."""
        good = function.good_call
        yield Try((), good)
        yield Try((), function.bad_call)
        yield from self._at_other_times(function)
        yield from islice(self._as_in_rows(function), MOST_VALUES)
        schemas = self._tools[function.name].inputSchema["properties"]
        changed = [
            {**good, name: value}
            for name in schemas
            for value in islice(self._values(function, name, schemas[name]), MOST_VALUES)
        ]
        if not self._tools[function.name].annotations.readOnlyHint:
            choices = [
                call for call in changed if any("enum" in schemas[n] for n, v in call.items() if v != good.get(n))
            ]
            yield from self._in_a_row(function, islice(cycle([good, *choices]), LONGEST_ROW))
            yield from self._in_a_row(function, islice([good, *changed], LONGEST_ROW))
        yield from (Try((), arguments) for arguments in changed)
        brief = {name: BRIEF for arguments in changed for name, value in arguments.items() if value == BRIEF}
        yield from (Try((), {**arguments, **brief}) for arguments in changed if brief)
        yield from self._of_others(function)

    def _at_other_times(self, function: ToolFunction) -> Iterator[Try]:
        """The good call at the moments it reads of, and as long before and after as the function speaks of."""
        if "env.now" not in function.source:
            return
        good, before = function.good_call, tuple(function.before)
        read = days(self._watched(function, good).seen) or days(self._cells(function))
        moments = [datetime.fromisoformat(cell + self._clock[len(cell) :]) for cell in from_both_ends(read)]
        steps = [timedelta(0), *(step for step in _steps(function) for step in (step, -step))]
        for time in islice(dict.fromkeys(moment + step for step in steps for moment in moments), MOST_TIMES):
            yield Try(before, good, time.isoformat())

    def _of_others(self, function: ToolFunction) -> Iterator[Try]:
        """The good call about something else, at the moments that it reads of then."""
        if "env.now" not in function.source:
            return
        good, before = function.good_call, tuple(function.before)
        others = ({**good, name: value} for name in good if name.endswith("_id") for value in range(1, MOST_IDS))
        for arguments in others:
            for cell in days(self._watched(function, arguments).seen):
                yield Try(before, arguments, cell + self._clock[len(cell) :])

    def _as_in_rows(self, function: ToolFunction) -> Iterator[Try]:
        """The good call with a reference and a day that one row holds, shortly before that day. Small tables first:
        they hold the exceptions."""
        good, schemas = function.good_call, self._tools[function.name].inputSchema["properties"]
        for table in sorted(self._named(function), key=lambda table: len(table.rows)):
            for row in table.rows:
                cells = dict(zip(table.columns, row, strict=True))
                shared = {name: cells[name] for name in schemas if name.endswith("_id") and name in cells}
                dated = [name for name, schema in schemas.items() if shared and "pattern" in schema]
                for name, day in ((name, day) for name in dated for day in days(row)):
                    arguments = {**good, **shared, name: self._fitted(day, schemas[name]["pattern"], good.get(name))}
                    eve = datetime.fromisoformat(day[:10] + self._clock[10:]) - SHORTLY
                    yield Try(tuple(function.before), arguments, eve.isoformat())

    def _in_a_row(self, function: ToolFunction, calls: Iterable[Arguments]) -> Iterator[Try]:
        done: list[ToolCall] = []
        for arguments in calls:
            attempt = Try(tuple(done), arguments)
            yield attempt
            told = self._tell(self._functions[function.name], attempt)
            if told is not None and not told.refused:
                done.append(ToolCall(tool=function.name, arguments=dict(arguments)))

    def _calls_to_move(self, function: ToolFunction, told: Sequence[tuple[Try, Told | None]]) -> list[Arguments]:
        """The good call, the least of it, the bad call, and some about other rows that go well too."""
        good, required = function.good_call, self._tools[function.name].inputSchema.get("required", [])
        calls: list[Arguments] = [good, {name: good[name] for name in required}, function.bad_call]
        for attempt, outcome in told:
            about_others = any(attempt.arguments.get(name) != good[name] for name in good if name.endswith("_id"))
            if about_others and outcome is not None and not outcome.refused and not (attempt.before or attempt.clock):
                calls.append(attempt.arguments)
        return [call for at, call in enumerate(calls) if call not in calls[:at]][:MOST_CALLS]

    def _with_rows_moved(self, function: ToolFunction, slip: Slip, calls: Sequence[Arguments]) -> Iterator[Try]:
        """The calls on rows that were moved onto the limit."""
        return in_turns(*(self._moved(function, slip, call) for call in calls))

    def _moved(self, function: ToolFunction, slip: Slip, call: Arguments) -> Iterator[Try]:
        compared = reversed(self._watched(function, call).compared)
        met = dict.fromkeys([*call.values(), self._clock, *compared, *numbers_in(slip.near)])
        for moves in rearranged(self._named(function), slip, list(met)):
            given = tuple(GivenRow(table=table, id=row, values=values) for table, row, values in moves)
            yield Try(tuple(function.before), call, given=given)

    def _values(self, function: ToolFunction, name: str, schema: Mapping[str, Any]) -> Iterator[Any]:
        """What else an argument might be: every choice, the bounds and their neighbours, what rows hold."""
        good, known = function.good_call.get(name), [*function.good_call.values(), *self._cells(function)]
        seen = self._watched(function, function.good_call).seen
        kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        if "enum" in schema:
            yield from (value for value in schema["enum"] if value not in (good, None))
        elif "integer" in kinds or "number" in kinds:
            least, most = schema.get("minimum", 0), schema.get("maximum", 10**9)
            near = [good + 1, good - 1] if isinstance(good, int) else []
            limits = [number + step for number in numbers_in(function.source) for step in (0, 1, -1)]
            cells = [*from_both_ends(numeric(seen, kinds)), *numeric(known, kinds)]
            numbers = [*near, *cells, *limits] if not name.endswith("_id") else [*near, *range(1, MOST_VALUES)]
            yield from (value for value in dict.fromkeys(numbers) if least <= value <= most)
        elif "pattern" in schema:
            now = datetime.fromisoformat(self._clock)
            times = [now, *(now + step for step in _steps(function)), *(now - step for step in _steps(function))]
            kept = [*from_both_ends(days(seen)), *(time.isoformat() for time in times), *days(known)]
            found = dict.fromkeys(self._fitted(cell, schema["pattern"], good) for cell in kept)
            yield from (value for value in found if re.search(schema["pattern"], value))
        elif "string" in kinds and isinstance(good, str):
            yield BRIEF
            yield from (f"{good} {number}" for number in range(2, 8))

    def _cells(self, function: ToolFunction) -> list[Any]:
        """Some of what the tables hold that the function names."""
        rows = [row for table in self._named(function) for row in table.rows[:CELLS_OF_A_TABLE]]
        return list(dict.fromkeys(cell for row in rows for cell in row[1:]))

    def _named(self, function: ToolFunction) -> list[TableRows]:
        return [table for table in self._rows if re.search(rf"\b{table.table}\b", function.source)]

    def _fitted(self, day: str, pattern: str, good: Any) -> str:
        """A day or a moment as the one of them that a parameter takes, at the time of day of the good call."""
        length = 10 if re.fullmatch(pattern, self._clock[:10]) else len(self._clock)
        moment = good if isinstance(good, str) and len(good) == len(self._clock) else self._clock
        return (day + moment[len(day) :])[:length]

    def _watched(self, function: ToolFunction, arguments: Arguments) -> Env:
        """What a call sees, however it ends."""
        self._database.execute("SAVEPOINT looked_at")
        env = Env(self._database, self._clock)
        try:
            self._prepared(env, function.before)
            self._functions[function.name](env, **arguments)
        except (Refusal, *_BREAKS):
            return env
        finally:
            self._database.execute("ROLLBACK TO looked_at; RELEASE looked_at")
        return env

    def _tell(self, function: Function, attempt: Try) -> Told | None:
        """What comes of a call; None when it breaks, or cannot be made."""
        self._database.execute("SAVEPOINT rehearsal")
        env = Env(self._database, attempt.clock or self._clock)
        try:
            for row in attempt.given:
                changes = ", ".join(f"{column} = ?" for column in row.values)
                self._database.execute(f"UPDATE {row.table} SET {changes} WHERE id = ?", [*row.values.values(), row.id])
            if not self._prepared(env, attempt.before):
                return None
            return Told(False, _foretold(function(env, **attempt.arguments)))
        except Refusal:
            return Told(True, {})
        except _BREAKS:
            return None
        finally:
            self._database.execute("ROLLBACK TO rehearsal; RELEASE rehearsal")

    def _prepared(self, env: Env, calls: Sequence[ToolCall]) -> bool:
        try:
            for call in calls:
                self._functions[call.tool](env, **call.arguments)
        except Refusal:
            return False
        return True


def _steps(function: ToolFunction) -> list[timedelta]:
    """The spans of time that the numbers in a function and its good call may stand for."""
    asked = [number for number in function.good_call.values() if isinstance(number, int)]
    numbers = [number for number in (*numbers_in(function.source), *asked) if number < 400]
    return [timedelta(**{unit: number}) for number in dict.fromkeys(numbers) for unit in ("days", "hours")]


def _loaded(name: str, source: str) -> Function:
    namespace: dict[str, Any] = {}
    exec(compile(source, f"{name}.py", "exec"), namespace)
    loaded: Function = namespace[name]
    return loaded


def _edge(attempt: Try, told: Told) -> ToolEdge:
    return ToolEdge(
        clock=attempt.clock,
        given=list(attempt.given),
        before=list(attempt.before),
        arguments=dict(attempt.arguments),
        refused=told.refused,
        result=told.result,
    )


def _foretold(result: Mapping[str, Any]) -> dict[str, Any]:
    """All but long lists."""
    return {
        name: value for name, value in result.items() if not isinstance(value, list) or len(value) <= MOST_ROWS_FORETOLD
    }
