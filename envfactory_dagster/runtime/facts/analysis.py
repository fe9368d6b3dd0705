"""The facts of a tool module: its SQL bound to the schema, its values followed, all put together per tool.

Belongs here: `analyze_tools` and the assembly of its answer. Does not: any single kind of fact; each has its module.
"""

import ast
from collections.abc import Iterable, Iterator

from envfactory_dagster.contracts.parameter_names import property_name
from envfactory_dagster.contracts.text_bounds import TextRefused, python_tree
from envfactory_dagster.runtime.facts.binding import Binder, BoundStatement
from envfactory_dagster.runtime.facts.dataflow import follow
from envfactory_dagster.runtime.facts.expressions import MOST_STEPS, Context, State
from envfactory_dagster.runtime.facts.file_calls import with_sql_for_files
from envfactory_dagster.runtime.facts.flow import only
from envfactory_dagster.runtime.facts.module import Function, Module, SqlCall, read_module
from envfactory_dagster.runtime.facts.results import (
    PYTHON_SYNTAX,
    CodeProblem,
    ColumnRef,
    OutputField,
    Statement,
    TableWrite,
    ToolFact,
    ToolFacts,
    ToolParameter,
)
from envfactory_dagster.runtime.facts.schema import Schema, load_schema
from envfactory_dagster.runtime.facts.sqlcalls import FRESH, ToolTrace
from envfactory_dagster.runtime.facts.values import UNKNOWN, TooComplex, Value, any_of, leaves

_SNIPPET = 160
_MOST_STEPS_OF_ALL = 500_000
"""For all functions of a module together: the largest in the library takes an eighth."""


def analyze_tools(source: str, schema_sql: str) -> ToolFacts:
    """Every tool's statements, reads, writes, parameter uses and outputs, and all that is wrong with the SQL.

    The source is only read, never run. It is taken to follow the conventions that `screen_tools` checks. A schema
    that SQLite refuses is an `EnvironmentFault`.
    """
    schema = load_schema(schema_sql)
    try:
        tree, problems = with_sql_for_files(python_tree(source), schema)
    except TextRefused as refused:
        return ToolFacts({}, (CodeProblem(refused.line, PYTHON_SYNTAX, str(refused)),))
    module = read_module(tree, source)
    return _Analysis(module, schema, problems).facts()


class _Analysis:
    """One module over one schema."""

    def __init__(self, module: Module, schema: Schema, problems: Iterable[CodeProblem]) -> None:
        self._module = module
        self._schema = schema
        self._binder = Binder(schema)
        self._problems = set(problems)
        self._steps_left = _MOST_STEPS_OF_ALL
        self._bound: dict[int, BoundStatement] = {}
        self._statements: dict[str, list[Statement]] = {}

    def facts(self) -> ToolFacts:
        """Bind every statement, then follow every tool, then the helpers no tool led to."""
        for function in self._module.functions.values():
            self._statements[function.name] = [
                statement for call in function.sql_calls if (statement := self._bind(call, function)) is not None
            ]
        followed = set[str]()
        tools = {}
        for function in self._module.functions.values():
            if function.is_tool:
                sources = {one: Value(only(property_name(one))) for one in function.defaults if one != "env"}
                value, trace = self._follow(function, sources)
                followed |= trace.functions
                tools[function.name] = self._tool(function, value, trace)
        for name, function in self._module.functions.items():
            if name not in followed:
                self._follow(function, dict.fromkeys(function.defaults, UNKNOWN))
        return ToolFacts(tools, tuple(sorted(self._problems)))

    # -- statements ---------------------------------------------------------------------------------------------

    def _bind(self, call: SqlCall, function: Function) -> Statement | None:
        if call.literal is None:
            sentence = (
                "The SQL must be a string literal here (or a module constant that is one), never built at run time. "
                "Bind values as parameters, write an optional filter as (:x IS NULL OR c = :x), sort by CASE."
            )
            self._note(call.node.lineno, "sql-not-literal", sentence, self._module.line(call.node.lineno), function)
            return None
        verdict = self._binder.bind(call.sql)
        for refusal in verdict.refusals:
            snippet = _around(call.sql, refusal.offset)
            self._note(call.line_of(refusal.offset), refusal.rule, refusal.sentence, snippet, function)
        bound = verdict.bound
        if bound is None:
            return None
        if (wrong := _wrong_method(call.method, bound)) is not None:
            self._note(call.line_of(None), "wrong-method", wrong, _around(call.sql, None), function)
        self._bound[id(call.node)] = bound
        return Statement(
            line=call.line_of(None),
            function=function.name,
            method=call.method,
            kind=bound.kind,
            sql=call.sql,
            reads=bound.reads,
            writes=bound.writes,
            traced=bound.lineage is not None,
        )

    def _note(self, line: int, rule: str, sentence: str, snippet: str, function: Function) -> None:
        self._problems.add(CodeProblem(line, rule, sentence, snippet[:_SNIPPET], function.name))

    # -- tools --------------------------------------------------------------------------------------------------

    def _follow(self, function: Function, arguments: State) -> tuple[Value, ToolTrace]:
        context = Context(self._module, self._bound, min(MOST_STEPS, self._steps_left))
        try:
            value = follow(context, function.name, arguments)
        except (TooComplex, RecursionError):
            self._steps_left -= context.steps
            sentence = f"{function.name} is too long or too deeply nested to be followed; split it up."
            self._note(function.node.lineno, "too-complex", sentence, function.name, function)
            return UNKNOWN, ToolTrace(functions=context.trace.functions)
        self._steps_left -= context.steps
        self._problems |= context.trace.problems
        return value, context.trace

    def _tool(self, function: Function, value: Value, trace: ToolTrace) -> ToolFact:
        reached = self._module.reached_from(function.name)
        statements = [statement for name in reached for statement in self._statements[name]]
        return ToolFact(
            name=function.name,
            line=function.node.lineno,
            parameters=tuple(_parameters(function)),
            helpers=tuple(name for name in reached if name != function.name),
            statements=tuple(statements),
            reads=_all_reads(statements),
            writes=_all_writes(statements),
            uses=tuple(sorted(trace.uses)),
            outputs=self._outputs(function, value, trace),
        )

    def _outputs(self, function: Function, value: Value, trace: ToolTrace) -> tuple[OutputField, ...]:
        try:
            return tuple(self._fields(value, trace))
        except TooComplex:
            sentence = f"What {function.name} returns has too many fields inside fields to be followed; return less."
            self._note(function.node.lineno, "too-complex", sentence, function.name, function)
            return ()

    def _fields(self, value: Value, trace: ToolTrace) -> Iterator[OutputField]:
        by_path: dict[str, list[Value]] = {}
        for path, leaf in leaves(value):
            by_path.setdefault(path, []).append(leaf)
        for path, alternatives in sorted(by_path.items()):
            leaf = any_of(alternatives)
            fresh = {source for source in leaf.flow.sources if source.startswith(FRESH)}
            meant = {source: self._meaning(trace.fresh.get(source, set())) for source in fresh}
            if not path or not leaf.known or not leaf.flow.origins or None in meant.values():
                continue
            columns = leaf.flow.columns | {column for column in meant.values() if column is not None}
            sources = leaf.flow.sources - fresh
            yield OutputField(path, tuple(sorted(columns)), tuple(sorted(sources)), leaf.flow.exact)

    def _meaning(self, stored: set[ColumnRef]) -> ColumnRef | None:
        """The column that a fresh id is the value of: the key it was inserted as, else the only place it went."""
        keys = {column for column in stored if self._schema.tables[column.table].primary_key == (column.column,)}
        candidates = keys or stored
        return next(iter(candidates)) if len(candidates) == 1 else None


def _parameters(function: Function) -> Iterator[ToolParameter]:
    arguments = function.node.args
    for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
        if argument.arg != "env":
            annotation = ast.unparse(argument.annotation) if argument.annotation else ""
            yield ToolParameter(property_name(argument.arg), annotation, function.defaults[argument.arg] is None)


def _all_reads(statements: Iterable[Statement]) -> dict[str, tuple[str, ...]]:
    columns: dict[str, set[str]] = {}
    for statement in statements:
        for table, names in statement.reads.items():
            columns.setdefault(table, set()).update(names)
    return {table: tuple(sorted(names)) for table, names in sorted(columns.items())}


def _all_writes(statements: Iterable[Statement]) -> tuple[TableWrite, ...]:
    columns: dict[tuple[str, str, bool], set[str]] = {}
    writes: dict[tuple[str, str, bool], TableWrite] = {}
    for statement in statements:
        for write in statement.writes:
            key = (write.table, write.kind, write.indirect)
            columns.setdefault(key, set()).update(write.columns)
            writes[key] = TableWrite(write.table, write.kind, tuple(sorted(columns[key])), write.indirect)
    return tuple(sorted(writes.values()))


def _wrong_method(method: str, bound: BoundStatement) -> str | None:
    """Why this method of env is not the one for the statement."""
    if method in ("query", "one") and not bound.fields:
        return f"env.{method} is for statements that return rows; this {bound.kind.upper()} belongs to env.execute."
    if method == "insert" and bound.kind != "insert":
        return f"env.insert is for INSERT; this is a {bound.kind.upper()}."
    if method == "execute" and bound.kind == "select":
        return "env.execute is for statements that change rows; use env.query or env.one for this SELECT."
    return None


def _around(sql: str, offset: int | None) -> str:
    """The line of the statement where the problem lies; all of it on one line where that is not known."""
    if offset is None:
        return " ".join(sql.split())
    start = sql.rfind("\n", 0, offset) + 1
    end = sql.find("\n", offset)
    return sql[start : end if end >= 0 else len(sql)].strip()
