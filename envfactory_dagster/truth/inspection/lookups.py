"""Rows that a function looks up one at a time: by what, with which columns, and what it does with them.

Belongs here: reading `x = env.one("SELECT …", …)` and the uses of `x`. Does not: what is wrong with them
(`loose_ends`).
"""

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from envfactory_dagster.authoring.trials.keys import Keys
from envfactory_dagster.authoring.trials.statements import demands
from envfactory_dagster.runtime.facts import ColumnRef


def parsed(sql: str) -> Any:
    """The tree of a statement; it is shared, so nobody may change it."""
    from envfactory_dagster.runtime.facts.sql_trees import tree_of

    return tree_of(sql)


@dataclass(frozen=True)
class Lookup:
    """`name = env.one(sql, …)` in a function."""

    function: ast.FunctionDef
    name: str
    sql: str
    values: str
    """What is bound, as it is written."""

    @property
    def table(self) -> str:
        """The table whose row it is: the first that the statement names."""
        from sqlglot import exp

        found = parsed(self.sql).find(exp.From)
        return str(found.this.name) if found is not None else ""

    @property
    def shape(self) -> str:
        """Equal for look-ups that are written alike."""
        return " ".join(self.sql.split())

    def by_key(self, keys: Keys) -> bool:
        """Whether it finds one row by its key, so that there may be none; a sum or a count always has a row."""
        from sqlglot import exp

        tree = parsed(self.sql)
        if tree.find(exp.AggFunc):
            return False
        tables = [table.name for table in tree.find_all(exp.Table)]
        for table, column in demands(self.sql):
            homes = [table] if table else tables
            known = [name for name in homes if name in keys.schema.tables and keys.schema.tables[name].column(column)]
            if any(keys.names_one_row(ColumnRef(name, column)) for name in known):
                return True
        return False

    @property
    def absence_is_noticed(self) -> bool:
        """Whether the function ends, or does something else, where the row is missing; or hands the row on."""
        if not any(map(self._is_it, ast.walk(self.function))):
            return True
        if not self._is_invented and any(other.is_asked for other in lookups([self.function])):
            return True  # what was looked up before tells that this one is there; the sandbox tells where it is not so
        return self.is_asked or not self._is_subscripted

    @property
    def is_asked(self) -> bool:
        asked = False
        for node in ast.walk(self.function):
            if isinstance(node, ast.If | ast.IfExp) and self._asks(node.test):
                asked = asked or isinstance(node, ast.IfExp) or not self._invents(node)
        return asked

    @property
    def _is_invented(self) -> bool:
        return any(isinstance(n, ast.If) and self._asks(n.test) and self._invents(n) for n in ast.walk(self.function))

    def _asks(self, test: ast.expr) -> bool:
        return any(isinstance(n, ast.Name) and n.id == self.name for n in ast.walk(test))

    def _invents(self, node: ast.If) -> bool:
        """A row made up in the place of the one that is missing."""
        return any(isinstance(s, ast.Assign) and self.name in map(ast.unparse, s.targets) for s in node.body)

    @property
    def _is_subscripted(self) -> bool:
        return bool(self._subscripts)

    @property
    def _subscripts(self) -> list[ast.Subscript]:
        return [n for n in ast.walk(self.function) if isinstance(n, ast.Subscript) and self._is_it(n.value)]

    def _is_it(self, node: ast.AST) -> bool:
        return isinstance(node, ast.Name) and node.id == self.name and isinstance(node.ctx, ast.Load)

    @property
    def only_unused(self) -> str | None:
        """The one column that is selected and not used; None when there are none or several, or the row is used as a
        whole."""
        uses = sum(map(self._is_it, ast.walk(self.function)))
        compared = sum(isinstance(n, ast.Compare) and self._is_it(n.left) for n in ast.walk(self.function))
        used = {n.slice.value if isinstance(n.slice, ast.Constant) else None for n in self._subscripts}
        selected = [part.alias_or_name for part in parsed(self.sql).expressions]
        left = [name for name in selected if name not in used]
        is_used_whole = uses > len(self._subscripts) + compared
        return left[0] if not is_used_whole and len(left) == 1 and len(selected) > 1 else None


def lookups(functions: Iterable[ast.FunctionDef]) -> Iterator[Lookup]:
    for function in functions:
        for node in ast.walk(function):
            if not isinstance(node, ast.Assign) or not isinstance(node.targets[0], ast.Name):
                continue
            call = node.value
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "one":
                sql = call.args[0] if call.args else None
                if isinstance(sql, ast.Constant) and isinstance(sql.value, str):
                    yield Lookup(function, node.targets[0].id, sql.value, ast.unparse(call.args[-1]))
