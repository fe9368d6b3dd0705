"""A tool module as syntax: its functions, constants and the calls that carry SQL.

Belongs here: what can be read off the tree without following values. Does not: SQL itself, data flow
(`dataflow.py`), and judging the code (`screen.py`).
"""

import ast
import builtins
from dataclasses import dataclass
from functools import cached_property

_SNIPPET = 160
SQL_METHODS = ("query", "one", "execute", "insert")


@dataclass(frozen=True, slots=True)
class SqlCall:
    """One `env.query(…)`, `.one`, `.execute` or `.insert`; `literal` is None where the SQL is not a literal."""

    node: ast.Call
    method: str
    literal: ast.Constant | None

    @property
    def sql(self) -> str:
        """The text of the literal."""
        return str(self.literal.value) if self.literal else ""

    def line_of(self, offset: int | None) -> int:
        """The source line of a place in the SQL; the literal's first where it cannot be told."""
        if self.literal is None or offset is None:
            return self.literal.lineno if self.literal else self.node.lineno
        lines = (self.literal.end_lineno or self.literal.lineno) - self.literal.lineno
        as_written = self.sql.count("\n") == lines  # no escapes and no concatenation in between
        return self.literal.lineno + (self.sql.count("\n", 0, offset) if as_written else 0)


@dataclass(frozen=True, slots=True)
class Function:
    """One function of the module; `uses` are the other functions of the module it names."""

    node: ast.FunctionDef
    sql_calls: tuple[SqlCall, ...]
    uses: tuple[str, ...]

    @property
    def name(self) -> str:
        """Its name."""
        return self.node.name

    @property
    def is_tool(self) -> bool:
        """Public functions are tools, the others are helpers."""
        return not self.name.startswith("_")

    @property
    def positional(self) -> list[str]:
        """The names of the parameters that may be given by position, `env` first."""
        return [argument.arg for argument in (*self.node.args.posonlyargs, *self.node.args.args)]

    @property
    def defaults(self) -> dict[str, ast.expr | None]:
        """Every named parameter with the expression of its default, None where it has to be given."""
        given = self.node.args
        required = len(self.positional) - len(given.defaults)
        by_position = zip(self.positional, [None] * required + list(given.defaults), strict=True)
        by_name = zip((argument.arg for argument in given.kwonlyargs), given.kw_defaults, strict=True)
        return {**dict(by_position), **dict(by_name)}


@dataclass(frozen=True)
class Module:
    """A parsed tool module."""

    functions: dict[str, Function]
    constants: dict[str, ast.expr]
    lines: tuple[str, ...]

    def called(self, name: str) -> Function | None:
        """The function of the module that code of the module calls by this name."""
        return self.functions.get(name) if _can_be_called(name) else None

    def line(self, number: int) -> str:
        """The beginning of a source line, without its indentation."""
        return self.lines[number - 1] if number <= len(self.lines) else ""

    def reached_from(self, name: str) -> list[str]:
        """The function and every function it uses, directly or not, in the order of the module."""
        reached, waiting = set[str](), [name]
        while waiting:
            current = waiting.pop()
            if current not in reached:
                reached.add(current)
                waiting += self.functions[current].uses
        return sorted(reached, key=self._places.__getitem__)

    @cached_property
    def _places(self) -> dict[str, int]:
        return {name: place for place, name in enumerate(self.functions)}


def read_module(tree: ast.Module, source: str) -> Module:
    """The module's parts."""
    definitions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    constants: dict[str, ast.expr] = {}
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            constants.update({target.id: node.value for target in targets if isinstance(target, ast.Name)})
    functions = {name: _function(node, constants, definitions) for name, node in definitions.items()}
    return Module(functions, constants, tuple(line.strip()[:_SNIPPET] for line in source.splitlines()))


def _function(node: ast.FunctionDef, constants: dict[str, ast.expr], known: dict[str, ast.FunctionDef]) -> Function:
    calls = [_sql_call(part, constants) for part in ast.walk(node) if is_env_call(part, SQL_METHODS)]
    named = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)} - {node.name}
    in_order = sorted(calls, key=lambda call: (call.node.lineno, call.node.col_offset))
    return Function(node, tuple(in_order), tuple(filter(_can_be_called, sorted(named & known.keys()))))


def _can_be_called(name: str) -> bool:
    """A tool with the name of a builtin is offered to agents only; in the module that name stays the builtin."""
    return not hasattr(builtins, name)


def is_env_call(node: ast.AST, methods: tuple[str, ...]) -> bool:
    """Whether the node is `env.METHOD(…)`."""
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == "env"
        and node.func.attr in methods
    )


def argument_of(call: ast.Call, position: int, name: str) -> ast.expr | None:
    """The argument of a call, given by position or by name."""
    if len(call.args) > position:
        return call.args[position]
    return next((keyword.value for keyword in call.keywords if keyword.arg == name), None)


def _sql_call(node: ast.AST, constants: dict[str, ast.expr]) -> SqlCall:
    assert isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    written = argument_of(node, 0, "sql")
    if isinstance(written, ast.Name):
        written = constants.get(written.id)
    is_text = isinstance(written, ast.Constant) and isinstance(written.value, str)
    return SqlCall(node, node.func.attr, written if is_text and isinstance(written, ast.Constant) else None)
