"""Trying the author's own tools on the author's own rows, to foretell what they answer and where their limits lie.

What a careful author does in the head: work out what the good call answers, and find for every comparison a call that
would come out otherwise if the comparison were off by one. Belongs here: running code that this package wrote itself.
Does not: judging anybody's code; there is no sandbox here.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import cycle, islice
from typing import Any, NamedTuple

import apsw

from envfactory_dagster.contracts.database import Table, TableRows
from envfactory_dagster.contracts.requests import ToolFunction
from envfactory_dagster.contracts.tools import ToolCall, ToolDefinition, ToolEdge

Arguments = Mapping[str, Any]
Function = Callable[..., dict[str, Any]]

FIRST_CODE = 50_001
"""Where the codes of `env.new_id` start."""
MOST_ROWS_FORETOLD = 5
MOST_EDGES = 8
MOST_TRIES, MOST_VALUES, LONGEST_ROW, CELLS_OF_A_TABLE = 120, 30, 10, 12
"""Of calls in search of one that tells a limit from its neighbour."""
_SLIPS = (
    (r"raise env\.Error\(.*\)$", "pass"),
    (r" >= ", " > "),
    (r" <= ", " < "),
    (r" > ", " >= "),
    (r" < ", " <= "),
    (r"([+-]) 1\b", r"\1 2"),
)
_WRITTEN = re.compile(r"(?:INSERT INTO|UPDATE|DELETE FROM)\s+(\w+)")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


class Told(NamedTuple):
    """What came of a call."""

    refused: bool
    result: dict[str, Any]


class Try(NamedTuple):
    before: tuple[ToolCall, ...]
    arguments: Arguments


class _Refusal(Exception):
    """A refusal by a tool."""


class _Env:
    """What tools see."""

    Error = _Refusal
    user_id = 1

    def __init__(self, database: apsw.Connection, now: str) -> None:
        self.now = now
        self._database = database
        self._codes: dict[str, int] = {}

    def query(self, sql: str, params: Any = ()) -> list[dict[str, Any]]:
        cursor = self._database.cursor()
        cursor.row_trace = lambda cursor, row: dict(
            zip([column[0] for column in cursor.get_description()], row, strict=True)
        )
        return list(cursor.execute(sql, params))

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
        self._database = database = apsw.Connection(":memory:")
        for table in tables:
            for statement in (table.ddl, *table.indexes):
                database.execute(statement)
        for filled in rows:
            marks = ", ".join("?" * len(filled.columns))
            database.executemany(
                f"INSERT INTO {filled.table} ({', '.join(filled.columns)}) VALUES ({marks})", filled.rows
            )
        database.execute("PRAGMA foreign_keys = ON")

    def rehearsed(self, function: ToolFunction) -> ToolFunction:
        """The function with what its good call answers, and with calls at its limits."""
        told = self._tell(self._functions[function.name], Try(tuple(function.before), function.good_call))
        if told is None or told.refused:
            return function
        return function.model_copy(
            update={
                "good_result": _foretold(told.result),
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
            env = _Env(self._database, self._clock)
            self._prepared(env, prepared.before)
            self._functions[function.name](env, **prepared.arguments)
            return [table for table, rows in zip(written, before, strict=True) if self._contents(table) != rows]
        finally:
            self._database.execute("ROLLBACK TO looked_at; RELEASE looked_at")

    def _contents(self, table: str) -> list[tuple[Any, ...]]:
        return self._database.execute(f"SELECT * FROM {table}").fetchall()

    def _edges(self, function: ToolFunction) -> Iterator[ToolEdge]:
        """For every refusal that could be forgotten and every limit that could be off by one, a call that shows it."""
        slips = [*_slips(function)]
        if not slips:
            return
        right = self._functions[function.name]
        told = [(attempt, self._tell(right, attempt)) for attempt in islice(self._tries(function), MOST_TRIES)]
        shown = set[int]()
        for slip in slips:
            for index, (attempt, outcome) in enumerate(told):
                if outcome is not None and self._tell(slip, attempt) != outcome:
                    if index not in shown:
                        shown.add(index)
                        yield _edge(attempt, outcome)
                    break

    def _tries(self, function: ToolFunction) -> Iterator[Try]:
        """The good and the bad call; the like of the good one over and over, as long as that goes well; and the good
        one with one argument changed."""
        good = function.good_call
        yield Try((), good)
        yield Try((), function.bad_call)
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

    def _in_a_row(self, function: ToolFunction, calls: Iterable[Arguments]) -> Iterator[Try]:
        done: list[ToolCall] = []
        for arguments in calls:
            attempt = Try(tuple(done), arguments)
            yield attempt
            told = self._tell(self._functions[function.name], attempt)
            if told is not None and not told.refused:
                done.append(ToolCall(tool=function.name, arguments=dict(arguments)))

    def _values(self, function: ToolFunction, name: str, schema: Mapping[str, Any]) -> Iterator[Any]:
        """What else an argument might be: every choice, the bounds and their neighbours, what rows hold."""
        good, known = function.good_call.get(name), self._cells(function)
        kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        if "enum" in schema:
            yield from (value for value in schema["enum"] if value not in (good, None))
        elif "integer" in kinds:
            least, most = schema.get("minimum", 0), schema.get("maximum", 10**9)
            near = [good + 1, good - 1] if isinstance(good, int) else []
            limits = [number + step for number in _numbers(function) for step in (0, 1, -1)]
            cells = [cell for cell in known if isinstance(cell, int)]
            numbers = [*near, *cells, *limits] if not name.endswith("_id") else [*near, *range(1, 13)]
            yield from (value for value in dict.fromkeys(numbers) if least <= value <= most)
        elif "pattern" in schema:
            now = datetime.fromisoformat(self._clock)
            steps = [timedelta(**{unit: n}) for n in _numbers(function) if n < 400 for unit in ("days", "hours")]
            times = [now, *(now + step for step in steps), *(now - step for step in steps)]
            kept = [cell for cell in known if isinstance(cell, str) and _DAY.match(cell)]
            cut = 10 if re.fullmatch(schema["pattern"], self._clock[:10]) else None
            found = dict.fromkeys(time[:cut] for time in (*kept, *(time.isoformat() for time in times)))
            yield from (value for value in found if re.search(schema["pattern"], value))
        elif "string" in kinds and isinstance(good, str):
            yield from (f"{good} {number}" for number in range(2, 8))

    def _cells(self, function: ToolFunction) -> list[Any]:
        """Some of what the tables hold that the function names."""
        named = [table for table in self._rows if re.search(rf"\b{table.table}\b", function.source)]
        rows = [row for table in named for row in table.rows[:CELLS_OF_A_TABLE]]
        return list(dict.fromkeys(cell for row in rows for cell in row[1:]))

    def _tell(self, function: Function, attempt: Try) -> Told | None:
        """What comes of a call; None when it breaks, or cannot be made."""
        self._database.execute("SAVEPOINT rehearsal")
        env = _Env(self._database, self._clock)
        try:
            if not self._prepared(env, attempt.before):
                return None
            return Told(False, function(env, **attempt.arguments))
        except _Refusal:
            return Told(True, {})
        except (apsw.Error, LookupError, TypeError, ValueError, ArithmeticError, AttributeError):
            return None
        finally:
            self._database.execute("ROLLBACK TO rehearsal; RELEASE rehearsal")

    def _prepared(self, env: _Env, calls: Sequence[ToolCall]) -> bool:
        try:
            for call in calls:
                self._functions[call.tool](env, **call.arguments)
        except _Refusal:
            return False
        return True


def _slips(function: ToolFunction) -> Iterator[Function]:
    """The function with one refusal left out, or one comparison or step off by one, place by place."""
    source = function.source
    for pattern, replacement in _SLIPS:
        for found in re.finditer(pattern, source, re.MULTILINE):
            line = source[source.rfind("\n", 0, found.start()) + 1 : source.find("\n", found.end())]
            if not line.lstrip().startswith(("while ", '"""')):
                slipped = source[: found.start()] + found.expand(replacement) + source[found.end() :]
                yield _loaded(function.name, slipped)


def _numbers(function: ToolFunction) -> list[int]:
    return [*dict.fromkeys(int(number) for number in re.findall(r"\b\d{1,7}\b", function.source))]


def _loaded(name: str, source: str) -> Function:
    namespace: dict[str, Any] = {}
    exec(compile(source, f"{name}.py", "exec"), namespace)
    loaded: Function = namespace[name]
    return loaded


def _edge(attempt: Try, told: Told) -> ToolEdge:
    return ToolEdge(
        before=list(attempt.before),
        arguments=dict(attempt.arguments),
        refused=told.refused,
        result=_foretold(told.result),
    )


def _foretold(result: Mapping[str, Any]) -> dict[str, Any]:
    """All but long lists."""
    return {
        name: value for name, value in result.items() if not isinstance(value, list) or len(value) <= MOST_ROWS_FORETOLD
    }
