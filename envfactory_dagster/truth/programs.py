"""Programs that make one call after the other.

Belongs here: writing them from calls, reading the calls out of them, showing a call. Does not: programs that decide
anything.
"""

import ast
from collections.abc import Mapping, Sequence

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.parameter_names import can_stand_in_a_call
from envfactory_dagster.contracts.reports import Report
from envfactory_dagster.contracts.text_bounds import TextRefused, python_expression, python_tree

Calls = Sequence[tuple[str, dict[str, Json]]]

DONE = Report(outcome="done", message="It is done.")


def program_of(calls: Calls, report: Report = DONE) -> str:
    """A solution that makes these calls and hands in this report."""
    made = python_tree("\n".join(call_text(tool, arguments) for tool, arguments in calls)).body
    parameters = ast.arguments([], [ast.arg("tools")], None, [], [], None, [])
    body = [*made, ast.Return(_literal(report.model_dump(mode="json")))]
    function = ast.FunctionDef(name="solve", args=parameters, body=body, decorator_list=[], lineno=0)
    return ast.unparse(ast.Module([function], [])) + "\n"


def calls_of(source: str) -> list[tuple[str, dict[str, Json]]] | None:
    """The calls of such a program; None for one that does more than call."""
    try:
        functions = [node for node in python_tree(source).body if isinstance(node, ast.FunctionDef)]
        [solve] = [function for function in functions if function.name == "solve"]
        return [_read(node) for node in solve.body if not isinstance(node, ast.Return)]
    except (TextRefused, TypeError, ValueError):
        return None


def call_text(tool: str, arguments: Mapping[str, object]) -> str:
    """A call as a program makes it. Parameters whose names cannot stand in a call are given as `**{"from": …}`."""
    given = (
        f"{name}={value!r}" if can_stand_in_a_call(name) else f"**{{{name!r}: {value!r}}}"
        for name, value in arguments.items()
    )
    return f"tools.{tool}({', '.join(given)})"


def shown_call(tool: str, arguments: Mapping[str, object], most: int | None = None) -> str:
    """A call as prompts and messages show it, with at most so many characters of its arguments."""
    given = ", ".join(f"{name}={value!r}" for name, value in arguments.items())
    return f"{tool}({given if most is None or len(given) <= most else f'{given[:most]}…'})"


def given_in(call: ast.Call) -> dict[str, ast.expr]:
    """The arguments of a call by name, with those given as `**{"from": …}`."""
    given: dict[str, ast.expr] = {}
    for one in call.keywords:
        if one.arg is not None:
            given[one.arg] = one.value
        elif isinstance(one.value, ast.Dict):
            names = (name.value if isinstance(name, ast.Constant) else "" for name in one.value.keys)
            given |= zip(map(str, names), one.value.values, strict=True)
    return given


def _literal(value: object) -> ast.expr:
    return python_expression(repr(value))


def _read(node: ast.stmt) -> tuple[str, dict[str, Json]]:
    call = node.value if isinstance(node, ast.Expr) else None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.args:
        raise ValueError("no call of a tool")
    return call.func.attr, {name: ast.literal_eval(value) for name, value in given_in(call).items()}
