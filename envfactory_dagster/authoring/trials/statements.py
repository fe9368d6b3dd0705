"""What the WHERE of a statement says: how far an UPDATE reaches, and what every chosen row must be equal to.

Belongs here: the shape of single SQL statements. Does not: binding them to a schema (`runtime.facts` did that).
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

_AT_WORK = 1024
"""Statements of the environments that are made at once: a large one has about fifty."""


class Reach(NamedTuple):
    """The columns that decide what a statement does to which row, those its WHERE compares, and whether that WHERE
    binds any value."""

    deciding: frozenset[str]
    compared: frozenset[str]
    binds: bool


@lru_cache(maxsize=_AT_WORK)
def reach(sql: str) -> Reach:
    from sqlglot import expressions as exp

    from envfactory_dagster.runtime.facts.sql_trees import tree_of

    tree: Any = tree_of(sql)
    where = tree.args.get("where")
    compared = {column.name for column in where.find_all(exp.Column)} if where is not None else set()
    assigned = (part.expression for part in tree.expressions if isinstance(part, exp.EQ))
    return Reach(
        deciding=frozenset(compared | {column.name for value in assigned for column in value.find_all(exp.Column)}),
        compared=frozenset(compared),
        binds=where is not None and where.find(exp.Placeholder, exp.Parameter) is not None,
    )


@lru_cache(maxsize=_AT_WORK)
def demands(sql: str) -> frozenset[tuple[str, str]]:
    """Table and column of every comparison `column = bound value` that a row has to meet: one that stands alone or
    behind AND, not one behind OR or in the list of results. The table is empty where the statement does not name it."""
    from sqlglot import expressions as exp

    from envfactory_dagster.runtime.facts.sql_trees import tree_of

    found = set()
    for scope in tree_of(sql).find_all(exp.Select, exp.Update, exp.Delete):
        names = {table.alias_or_name: table.name for table in _tables(scope)}
        conditions = [scope.args.get("where"), *(join.args.get("on") for join in scope.args.get("joins") or ())]
        for part in (part for condition in conditions if condition is not None for part in _parts(condition)):
            sides = (part.this, part.expression) if isinstance(part, exp.EQ) else ()
            bound = any(isinstance(side, exp.Placeholder | exp.Parameter) for side in sides)
            for column in (side for side in sides if isinstance(side, exp.Column) and bound):
                only = next(iter(names.values())) if len(names) == 1 else ""
                found.add((names.get(column.table, only), column.name))
    return frozenset(found)


def _tables(scope: Any) -> Iterator[Any]:
    from sqlglot import expressions as exp

    sources = [scope.args.get("from_") or scope.args.get("from"), scope.args.get("this")]
    sources += [join.this for join in scope.args.get("joins") or ()]
    for source in sources:
        table = source.this if isinstance(source, exp.From) else source
        if isinstance(table, exp.Table):
            yield table


def _parts(condition: Any) -> Iterator[Any]:
    """The terms that AND holds together."""
    from sqlglot import expressions as exp

    condition = condition.this if isinstance(condition, exp.Where | exp.Paren) else condition
    if isinstance(condition, exp.And):
        yield from _parts(condition.left)
        yield from _parts(condition.right)
    else:
        yield condition
