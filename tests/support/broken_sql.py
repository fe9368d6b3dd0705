"""Statements made bad on purpose: the edits of SQL that `broken_tools` makes inside of tools.

Belongs here: finding the statements of a function, and changing one. Does not: choosing which bug goes where.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

import sqlglot
from sqlglot import exp

_METHODS = ("query", "one", "execute", "insert")


@dataclass(frozen=True, slots=True)
class Statement:
    """One call of `env` with its literal SQL, parsed. `keep` writes the tree back."""

    call: ast.Call
    tree: Any

    @property
    def parameters(self) -> ast.expr | None:
        return self.call.args[1] if len(self.call.args) > 1 else None

    @property
    def listed(self) -> list[ast.expr] | None:
        """The bound values, where they are a literal list."""
        return self.parameters.elts if isinstance(self.parameters, ast.List) else None

    def keep(self) -> None:
        cast(ast.Constant, self.call.args[0]).value = self.tree.sql(dialect="sqlite")

    def drop(self, part: Any) -> None:
        """Take a condition away, and the values that were bound in it."""
        order = list(self.tree.find_all(exp.Placeholder, bfs=False))
        gone = {id(node) for node in part.find_all(exp.Placeholder)}
        if isinstance(self.parameters, ast.List):
            kept = [v for v, node in zip(self.parameters.elts, order, strict=True) if id(node) not in gone]
            self.parameters.elts = kept
        if isinstance(part, exp.Where):
            self.tree.set("where", None)
        else:
            part.replace(exp.Boolean(this=True))
        self.keep()


def statements(function: ast.FunctionDef) -> Iterator[Statement]:
    """The statements of a function whose placeholders are bound in the order in which they are written."""
    for node in ast.walk(function):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.func.attr not in _METHODS:
            continue
        if node.args and isinstance(node.args[0], ast.Constant) and isinstance(node.args[0].value, str):
            tree = sqlglot.parse_one(node.args[0].value, read="sqlite")
            statement = Statement(node, tree)
            listed = statement.listed
            unnamed = [p for p in tree.find_all(exp.Placeholder) if not p.name]
            if not unnamed or (listed is not None and len(listed) == len(unnamed)):
                yield statement


def terms(condition: Any) -> Iterator[Any]:
    """What AND holds together in a WHERE."""
    condition = condition.this if isinstance(condition, exp.Where | exp.Paren) else condition
    if isinstance(condition, exp.And):
        yield from terms(condition.left)
        yield from terms(condition.right)
    else:
        yield condition
