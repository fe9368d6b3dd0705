"""A tiny, trusting executor of tools, solutions and verifiers (docs/tool-code.md), and the checks built on it.

Good enough to try what the embedded model wrote; it confines nothing.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import apsw
from jsonschema import Draft202012Validator, ValidationError

from envfactory_dagster.contracts.reports import AnswerForm, Report
from envfactory_dagster.contracts.requests import SeedRowsAnswer, ToolFunction
from envfactory_dagster.language.embedded.plan import plan_for
from envfactory_dagster.language.embedded.proofs import solution, verifier
from envfactory_dagster.language.embedded.tasks import draft_tasks
from envfactory_dagster.runtime.answer_values import same_text
from envfactory_dagster.runtime.checks import ReportShown
from envfactory_dagster.runtime.reports import Unreadable, read_report
from envfactory_dagster.truth.messages import contradictions
from tests.language.embedded.artifacts import STATES, Environment

Rows = list[dict[str, Any]]
Snapshot = dict[str, dict[Any, dict[str, Any]]]


class ToolError(Exception):
    """A refusal by a tool."""


class Env:
    """What tools see."""

    Error = ToolError
    user_id = 1

    def __init__(self, connection: apsw.Connection, now: str) -> None:
        self.connection = connection
        self.now = now
        self.codes = 0

    def query(self, sql: str, params: Any = ()) -> Rows:
        cursor = self.connection.cursor()
        cursor.row_trace = lambda cursor, row: dict(zip((c[0] for c in cursor.get_description()), row, strict=True))
        return list(cursor.execute(sql, params))

    def one(self, sql: str, params: Any = ()) -> dict[str, Any] | None:
        return next(iter(self.query(sql, params)), None)

    def execute(self, sql: str, params: Any = ()) -> int:
        self.connection.execute(sql, params)
        return self.connection.changes()

    def insert(self, sql: str, params: Any = ()) -> int:
        self.connection.execute(sql, params)
        return self.connection.last_insert_rowid()

    def new_id(self, prefix: str) -> str:
        self.codes += 1
        return f"{prefix}-{self.codes:05d}"


class Session:
    """One state of an environment, in memory, with its tools."""

    def __init__(self, environment: Environment, state: SeedRowsAnswer) -> None:
        self.connection = apsw.Connection(":memory:")
        self.connection.execute("PRAGMA foreign_keys = ON")
        self.connection.create_scalar_function("same_text", lambda *texts: int(same_text(*texts)), 2)
        for table in environment.tables:
            for statement in (table.ddl, *table.indexes):
                self.connection.execute(statement)
        for filled in state.tables:
            marks = ", ".join("?" * len(filled.columns))
            sql = f"INSERT INTO {filled.table} ({', '.join(filled.columns)}) VALUES ({marks})"
            self.connection.executemany(sql, filled.rows)
        self.env = Env(self.connection, state.clock)
        self.definitions = {tool.name: tool for tool in environment.tools}
        self.functions = {function.name: load(function) for function in environment.functions}
        self.called: list[str] = []

    def call(self, name: str, arguments: dict[str, Any]) -> Any:
        definition = self.definitions[name]
        Draft202012Validator(definition.inputSchema).validate(arguments)
        self.called.append(name)
        read_only = definition.annotations.readOnlyHint
        self.connection.execute(f"PRAGMA query_only = {int(read_only)}")
        try:
            with self.connection:
                result = self.functions[name](self.env, **arguments)
        finally:
            self.connection.execute("PRAGMA query_only = 0")
        Draft202012Validator(definition.outputSchema).validate(result)
        return result

    def snapshot(self) -> Snapshot:
        names = [row[0] for row in self.connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        names = [name for name in names if not name.startswith("sqlite_")]
        return {name: {row["id"]: row for row in self.env.query(f"SELECT * FROM {name}")} for name in names}

    @contextmanager
    def undone(self) -> Iterator[None]:
        """Whatever happens inside is rolled back."""
        self.connection.execute("SAVEPOINT trial")
        try:
            yield
        finally:
            self.connection.execute("ROLLBACK TO trial; RELEASE trial")


class Tools:
    """What solutions see."""

    Error = ToolError

    def __init__(self, session: Session) -> None:
        self._session = session

    def __getattr__(self, name: str) -> Callable[..., Any]:
        return lambda **arguments: self._session.call(name, arguments)


class WorldView:
    """What verifiers see."""

    def __init__(self, initial: Session, final: Session, report: Report | None, form: AnswerForm) -> None:
        self.initial, self.final = initial.env, final.env
        self.changes = list(differences(initial.snapshot(), final.snapshot()))
        fields = [field.model_dump(mode="json") for field in form.fields]
        self.report = ReportShown(None if report is None else report.model_dump(mode="json"), fields)


def load(function: ToolFunction) -> Callable[..., Any]:
    namespace: dict[str, Any] = {}
    exec(compile(function.source, f"{function.name}.py", "exec"), namespace)
    loaded: Callable[..., Any] = namespace[function.name]
    return loaded


def differences(before: Snapshot, after: Snapshot) -> Iterator[dict[str, Any]]:
    for table in before:
        for key in before[table].keys() | after[table].keys():
            old, new = before[table].get(key), after[table].get(key)
            if old != new:
                yield {"table": table, "key": key, "before": old, "after": new}


def check_environment(environment: Environment) -> list[str]:
    """Everything that is wrong with an environment."""
    findings = []
    for name, state in environment.states.items():
        try:
            session = Session(environment, state)
        except (apsw.Error, SyntaxError) as error:
            return [f"state {name} cannot be built: {error}"]
        findings += [f"state {name}: {row}" for row in session.connection.execute("PRAGMA foreign_key_check")]
        findings += [f"state {name}: {t} has no rows" for t, rows in session.snapshot().items() if not rows]
    initial = Session(environment, environment.states["initial"])
    for function in environment.functions:
        findings += check_tool(initial, function)
    if {f.name for f in environment.functions} != set(initial.definitions):
        findings.append("the functions are not those of the tool spec")
    sources = " ".join(function.source for function in environment.functions)
    findings += [
        f"no tool uses the table {table.name}"
        for table in environment.tables
        if not re.search(rf"\b{table.name}\b", sources)
    ]
    return findings + check_tasks(environment)


def check_tool(session: Session, function: ToolFunction) -> list[str]:
    findings = []
    before = session.snapshot()
    definition = session.definitions[function.name]
    undescribed = [n for n, s in definition.inputSchema["properties"].items() if not s.get("description")]
    findings += [f"{function.name}: parameter {name} has no description" for name in undescribed]
    with session.undone():
        try:
            session.call(function.name, function.good_call)
        except (ToolError, apsw.Error, ValidationError, LookupError, TypeError, ValueError, NameError) as error:
            findings.append(f"{function.name}: good call {function.good_call} failed: {error!r}"[:400])
        touched = {change["table"] for change in differences(before, session.snapshot())}
        written = set(re.findall(r"(?:INSERT INTO|UPDATE|DELETE FROM)\s+(\w+)", function.source))
        if touched - written:
            findings.append(f"{function.name}: changed {touched - written}, which its SQL does not name")
        if definition.annotations.readOnlyHint and written:
            findings.append(f"{function.name}: says it only reads, but writes {written}")
        if not definition.annotations.readOnlyHint and not touched:
            findings.append(f"{function.name}: its good call changes nothing")
    if function.bad_call != function.good_call:
        with session.undone():
            try:
                session.call(function.name, function.bad_call)
                findings.append(f"{function.name}: bad call {function.bad_call} was not refused")
            except ToolError:
                if session.snapshot() != before:
                    findings.append(f"{function.name}: its refused call left changes")
            except (apsw.Error, ValidationError, LookupError, TypeError, ValueError, NameError) as error:
                findings.append(f"{function.name}: bad call failed otherwise than by env.Error: {error!r}"[:300])
    return findings


def check_tasks(environment: Environment) -> list[str]:
    """Every task's solution reaches its goals, which an untouched database does not, within the guards."""
    findings = []
    plan = plan_for(environment.theme)
    drafts = {draft.task.id: draft for draft in draft_tasks(plan, STATES, 10)}
    for task in environment.tasks:
        draft = drafts.get(task.id)
        if draft is None or draft.task != task:
            findings.append(f"{task.id}: cannot be drafted again from the theme alone")
            continue
        state = environment.states[task.state]
        untouched, session = Session(environment, state), Session(environment, state)
        written = solution(plan, draft)
        rules = [rule.id for rule in environment.theme.rules]
        try:
            report = read_report(run_program(written.source, "solve", Tools(session)), written.form, rules)
        except Exception as error:  # noqa: BLE001 - a finding, whatever it is
            findings.append(f"{task.id}: its solution failed: {error!r}"[:300])
            continue
        if isinstance(report, Unreadable):
            findings.append(f"{task.id}: its solution reports nothing: {report.problem}")
            continue
        findings += [f"{task.id}: {problem}" for problem in contradictions(report, written.form, task.text)]
        source = verifier(plan, draft).source
        gold = verdict(source, WorldView(untouched, session, report, written.form))
        findings += [f"{task.id}: {name} fails on the solution ({report!r})" for name, ok in gold.items() if not ok]
        idle = verdict(source, WorldView(untouched, untouched, None, written.form))
        findings += [f"{task.id}: {name} holds with nothing done" for name, ok in idle.items() if ok and "goal" in name]
        if task.kind == "refusal" and task.rule not in {rule.id for rule in environment.theme.rules}:
            findings.append(f"{task.id}: rests on the rule {task.rule}, which the theme lacks")
    return findings


def verdict(source: str, world: WorldView) -> dict[str, bool]:
    namespace: dict[str, Any] = {}
    exec(compile(source, "verifier.py", "exec"), namespace)
    return {name: check(world) for name, check in namespace.items() if name.startswith(("goal_", "guard_"))}


def run_program(source: str, name: str, argument: Any) -> Any:
    namespace: dict[str, Any] = {}
    exec(compile(source, f"{name}.py", "exec"), namespace)
    return namespace[name](argument)
