"""Programs that make one call after the other.

Belongs here: writing them from calls, and reading the calls out of them. Does not: programs that decide anything.
"""

import ast
from collections.abc import Sequence

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.reports import Report

Calls = Sequence[tuple[str, dict[str, Json]]]

DONE = Report(outcome="done", message="It is done.")


def program_of(calls: Calls, report: Report = DONE) -> str:
    """A solution that makes these calls and hands in this report."""
    made = [ast.Expr(_call(tool, arguments)) for tool, arguments in calls]
    parameters = ast.arguments([], [ast.arg("tools")], None, [], [], None, [])
    body = [*made, ast.Return(_literal(report.model_dump(mode="json")))]
    function = ast.FunctionDef(name="solve", args=parameters, body=body, decorator_list=[], lineno=0)
    return ast.unparse(ast.Module([function], [])) + "\n"


def calls_of(source: str) -> list[tuple[str, dict[str, Json]]] | None:
    """The calls of such a program; None for one that does more than call."""
    try:
        functions = [node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]
        [solve] = [function for function in functions if function.name == "solve"]
        return [_read(node) for node in solve.body if not isinstance(node, ast.Return)]
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return None


def _call(tool: str, arguments: dict[str, Json]) -> ast.Call:
    given = [ast.keyword(name, _literal(value)) for name, value in arguments.items()]
    return ast.Call(ast.Attribute(ast.Name("tools"), tool), [], given)


def _literal(value: object) -> ast.expr:
    return ast.parse(repr(value), mode="eval").body


def _read(node: ast.stmt) -> tuple[str, dict[str, Json]]:
    call = node.value if isinstance(node, ast.Expr) else None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.args:
        raise ValueError("no call of a tool")
    return call.func.attr, {one.arg or "": ast.literal_eval(one.value) for one in call.keywords}
