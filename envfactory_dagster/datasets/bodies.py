"""What a tool does, whatever it is called: fingerprints of tool bodies.

Belongs here: code without its names. Does not: what is done about tools that are the same (`splits`).

Two tools have one fingerprint when their code has the same shape: statements, operators and SQL keywords in the same
order, with every name, text and number taken out, and a list of columns counted as one, however long. So a tool is
recognised after its tables, columns, parameters and messages were renamed, and in an environment that shows more
columns.
"""

import ast
import re
from collections.abc import Iterator, Mapping

from envfactory_dagster.contracts.base import content_hash
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.text_bounds import python_tree
from envfactory_dagster.runtime.prefixes import prefixed

_SQL_PART = re.compile(r"[A-Za-z_][\w.]*|\d+|[^\s\w]")
_NAMELESS = (ast.Load, ast.Store, ast.Name, ast.arg, ast.keyword, ast.arguments)
_NAME, _COMMA = "name", ","


def bodies(bundle: Bundle) -> dict[str, str]:
    """Tool → the fingerprint of its body, for the tools an agent may be given. Those of a workspace have the bodies of
    its servers' tools."""
    if bundle.servers:
        return {
            prefixed(prefix, tool): body
            for prefix, server in bundle.servers.items()
            for tool, body in bodies(server).items()
        }
    tree = python_tree(bundle.tools_source)
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    return {tool.name: fingerprint(functions[tool.name], functions) for tool in bundle.tools_of("assistant")}


def fingerprint(function: ast.FunctionDef, helpers: Mapping[str, ast.FunctionDef]) -> str:
    """Of a function with the helpers of its module that it calls."""
    return content_hash([list(_shape(one)) for one in _with_helpers(function, helpers)])


def _with_helpers(function: ast.FunctionDef, helpers: Mapping[str, ast.FunctionDef]) -> list[ast.FunctionDef]:
    found = [function]
    for one in found:
        called = [
            node.func.id for node in ast.walk(one) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        ]
        found += [helpers[name] for name in dict.fromkeys(called) if name in helpers and helpers[name] not in found]
    return found


def _shape(function: ast.FunctionDef) -> Iterator[str]:
    """Everything but names. The docstring is no part of the body."""
    body = function.body[1:] if ast.get_docstring(function) is not None else function.body
    for statement in body:
        for node in ast.walk(statement):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield from _text_shape(node.value)
            elif isinstance(node, ast.Constant):
                yield type(node.value).__name__
            elif not isinstance(node, _NAMELESS):
                yield type(node).__name__


def _text_shape(text: str) -> Iterator[str]:
    """The keywords and signs of a text; names, and lists of names, as one name."""
    before = ""
    for part in _SQL_PART.findall(text):
        kind = part if part.isupper() or not (part[0].isalnum() or part[0] == "_") else _NAME
        if kind == _NAME and before in (_NAME, _COMMA):
            before = _NAME
            continue
        if kind == _COMMA and before == _NAME:
            before = _COMMA
            continue
        yield kind
        before = kind
