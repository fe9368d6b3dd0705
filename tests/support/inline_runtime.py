"""The API of `docs/reference/tool-code.md` in one process and one file: a second opinion on what the real runtime does.

Belongs here: running trusted, hand-written tools, solutions and verifiers in tests. Does not: anything untrusted.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import apsw
from jsonschema import Draft202012Validator, FormatChecker

from envfactory_dagster.contracts.bundle import Bundle

Params = Sequence[Any] | dict[str, Any]
Row = dict[str, Any]


class Refused(Exception):
    """`env.Error` and `tools.Error`."""


class Database:
    """One SQLite database, with the two reading calls that tools and verifiers share."""

    def __init__(self, image: bytes) -> None:
        self.connection = apsw.Connection(":memory:")
        self.connection.deserialize("main", image)
        self.connection.execute("PRAGMA foreign_keys = ON")

    def query(self, sql: str, params: Params = ()) -> list[Row]:
        cursor = self.connection.execute(sql, params)
        return [dict(zip([column[0] for column in cursor.get_description()], row, strict=True)) for row in cursor]

    def one(self, sql: str, params: Params = ()) -> Row | None:
        return next(iter(self.query(sql, params)), None)

    def tables(self) -> dict[str, dict[tuple[Any, ...], Row]]:
        """Every row by table and primary key."""
        names = self.query("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
        return {row["name"]: self._rows(row["name"]) for row in names}

    def _rows(self, table: str) -> dict[tuple[Any, ...], Row]:
        keys = self.query("SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk", [table])
        return {tuple(row[key["name"]] for key in keys): row for row in self.query(f'SELECT * FROM "{table}"')}


class Env(Database):
    """What tools see."""

    Error = Refused
    user_id = 1

    def __init__(self, image: bytes, now: str) -> None:
        super().__init__(image)
        self.now = now
        self.numbers: dict[str, int] = {}

    def execute(self, sql: str, params: Params = ()) -> int:
        self.connection.execute(sql, params)
        return self.connection.changes()

    def insert(self, sql: str, params: Params = ()) -> int:
        self.connection.execute(sql, params)
        return self.connection.last_insert_rowid()

    def new_id(self, prefix: str) -> str:
        self.numbers[prefix] = self.numbers.get(prefix, 50_000) + 1
        return f"{prefix}-{self.numbers[prefix]:05d}"


@dataclass(frozen=True)
class Environment:
    """A bundle with its tool module loaded and its schemas compiled."""

    bundle: Bundle
    functions: dict[str, Callable[..., Any]]
    inputs: dict[str, Draft202012Validator]
    outputs: dict[str, Draft202012Validator]
    read_only: frozenset[str]

    @classmethod
    def of(cls, bundle: Bundle) -> "Environment":
        namespace: dict[str, Any] = {}
        exec(compile(bundle.tools_source, "tools.py", "exec"), namespace)
        checks = FormatChecker()
        return cls(
            bundle=bundle,
            functions={tool.name: namespace[tool.name] for tool in bundle.tools},
            inputs={t.name: Draft202012Validator(t.inputSchema, format_checker=checks) for t in bundle.tools},
            outputs={t.name: Draft202012Validator(t.outputSchema, format_checker=checks) for t in bundle.tools},
            read_only=frozenset(tool.name for tool in bundle.tools if tool.annotations.readOnlyHint),
        )


class Session:
    """A copy of one initial state. `session.tool_name(…)` calls a tool, whoever it belongs to."""

    Error = Refused

    def __init__(self, environment: Environment, state: str) -> None:
        start = environment.bundle.states[state]
        self.environment = environment
        self.initial = Database(start.image)
        self.env = Env(start.image, start.clock)
        self.calls: list[Row] = []

    def call(self, tool: str, **arguments: Any) -> Any:
        entry: Row = {"tool": tool, "arguments": arguments, "outcome": "agent", "value": None}
        self.calls.append(entry)
        if tool not in self.environment.functions:
            raise Refused(f"there is no tool {tool}")
        for problem in self.environment.inputs[tool].iter_errors(arguments):
            raise Refused(f"arguments of {tool}: {problem.message}")
        changes_before = self.env.connection.total_changes()
        numbers = dict(self.env.numbers)
        try:
            with self.env.connection:  # a savepoint
                value = self.environment.functions[tool](self.env, **arguments)
        except Refused:
            self.env.numbers = numbers
            raise
        self.environment.outputs[tool].validate(value)
        if tool in self.environment.read_only:
            assert self.env.connection.total_changes() == changes_before, f"{tool} is read-only and wrote"
        entry |= {"outcome": "ok", "value": value}
        return value

    def __getattr__(self, tool: str) -> Callable[..., Any]:
        return lambda **arguments: self.call(tool, **arguments)

    def solve(self, source: str) -> Any:
        """Run a solution program over the tools and return its report."""
        namespace: dict[str, Any] = {}
        exec(compile(source, "solution", "exec"), namespace)
        return namespace["solve"](self)

    def changes(self) -> list[Row]:
        before, after = self.initial.tables(), self.env.tables()
        return [
            {"table": table, "key": list(key), "before": before[table].get(key), "after": rows.get(key)}
            for table, rows in after.items()
            for key in sorted(before[table].keys() | rows.keys())
            if before[table].get(key) != rows.get(key)
        ]


class Report:
    """What verifiers see of a report; values are compared as they stand."""

    def __init__(self, report: Row | None) -> None:
        self.outcome = report and report["outcome"]
        self.reason = report and report["reason"]
        self._answers = report["answers"] if report else {}

    def says(self, field: str, value: Any) -> bool:
        return self.outcome is not None and self._answers[field] == value


class World:
    """What verifiers see."""

    def __init__(self, session: Session, report: Row | None) -> None:
        self.initial: Database = session.initial
        self.final: Database = session.env
        self.changes = session.changes()
        self.report = Report(report)
        self.trajectory = session.calls


def signals(session: Session, task: str, report: Row | None) -> dict[str, bool]:
    """What each check of the task's verifier says now."""
    namespace: dict[str, Any] = {}
    exec(compile(session.environment.bundle.verifiers[task], task, "exec"), namespace)
    world = World(session, report)
    return {name: check(world) for name, check in namespace.items() if name.startswith(("goal_", "guard_"))}


def score(session: Session, task: str, report: Row | None) -> float:
    """Guards × mean of the goals."""
    found = signals(session, task, report)
    goals = [value for name, value in found.items() if name.startswith("goal_")]
    return all(v for n, v in found.items() if n.startswith("guard_")) * sum(goals) / len(goals)
