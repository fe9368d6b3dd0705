"""Good tools made bad on purpose: one seeded bug of a known kind in one function of a module.

Belongs here: twelve kinds of bugs, and where a function offers a place for each. Does not: finding them; what inspects
an environment knows nothing of this module.
"""

import ast
import copy
import random
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from sqlglot import exp

from envfactory_dagster.runtime.facts import Schema, load_schema
from tests.support.broken_sql import Statement, statements, terms

AMOUNT = re.compile(r"cents|amount|total|balance|quantity|stock|points|fee|credit|used|left|units|free")
_TOGGLED: Mapping[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
}
_TOGGLED_SQL = {exp.LT: exp.LTE, exp.LTE: exp.LT, exp.GT: exp.GTE, exp.GTE: exp.GT}
_ZEROS = {"INTEGER": 0, "REAL": 0.0, "TEXT": ""}

Edit = Callable[[], None]
Site = tuple[str, Edit]
"""What would be wrong, and the edit of the function that makes it so."""
Finder = Callable[[ast.FunctionDef, Schema], Iterator[Site]]


@dataclass(frozen=True, slots=True)
class BrokenTool:
    """A module in which one function is no longer right."""

    kind: str
    function: str
    tools: tuple[str, ...]
    """The tools that reach the function."""
    what: str
    source: str


def break_tool(source: str, schema_sql: str, kind: str, seed: int) -> BrokenTool | None:
    """One bug of the kind at a place chosen by the seed; None where the module offers no place for it."""
    schema, chance = load_schema(schema_sql), random.Random(seed)
    functions = [node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]
    chance.shuffle(functions)
    for function in functions:
        tools = _reaching(source, function.name)
        working = copy.deepcopy(function)
        sites = list(KINDS[kind](working, schema))
        if sites and tools:
            what, edit = chance.choice(sites)
            edit()
            text = ast.unparse(ast.fix_missing_locations(working))
            return BrokenTool(kind, function.name, tools, what, _replaced(source, function, text))
    return None


def _replaced(source: str, function: ast.FunctionDef, text: str) -> str:
    lines = source.splitlines(keepends=True)
    return "".join([*lines[: function.lineno - 1], text + "\n", *lines[function.end_lineno or 0 :]])


def _reaching(source: str, name: str) -> tuple[str, ...]:
    """The tools that call a function, directly or not."""
    functions = {node.name: node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)}
    names = {f: {n.id for n in ast.walk(node) if isinstance(n, ast.Name)} for f, node in functions.items()}
    reached = {name}
    while more := {f for f in functions if names[f] & reached} - reached:
        reached |= more
    return tuple(sorted(f for f in reached if not f.startswith("_")))


# -- what is written ---------------------------------------------------------------------------------------------------


def _wrong_column(function: ast.FunctionDef, schema: Schema) -> Iterator[Site]:
    """Another column of the same type gets the value."""
    for statement in statements(function):
        if isinstance(statement.tree, exp.Update):
            columns = _columns(schema, statement.tree.this.name)
            assigned = [part.this for part in statement.tree.expressions if isinstance(part, exp.EQ)]
            taken = {target.name for target in assigned}
            for target in assigned:
                others = [c for c, kind in columns.items() if c not in taken and kind == columns.get(target.name)]
                for other in others:
                    yield f"writes {other} instead of {target.name}", partial(_rename, statement, {target: other})
        elif isinstance(statement.tree, exp.Insert) and isinstance(statement.tree.this, exp.Schema):
            columns = _columns(schema, statement.tree.this.this.name)
            names = statement.tree.this.expressions
            for one, other in ((a, b) for i, a in enumerate(names) for b in names[i + 1 :]):
                if columns.get(one.name) == columns.get(other.name):
                    renamed = {one: other.name, other: one.name}
                    yield f"inserts {one.name} as {other.name}", partial(_rename, statement, renamed)


def _rename(statement: Statement, names: Mapping[Any, str]) -> None:
    for node, name in names.items():
        node.replace(exp.to_identifier(name) if isinstance(node, exp.Identifier) else exp.column(name))
    statement.keep()


def _missing_where(function: ast.FunctionDef, schema: Schema) -> Iterator[Site]:
    for statement in statements(function):
        where = statement.tree.args.get("where")
        if isinstance(statement.tree, exp.Update | exp.Delete) and where is not None:
            yield f"{statement.tree.key} without WHERE", partial(statement.drop, where)


def _wrong_sign(function: ast.FunctionDef, schema: Schema) -> Iterator[Site]:
    """A sum in SQL or Python, or an amount that is stored."""
    for statement in statements(function):
        for sum_ in statement.tree.find_all(exp.Add, exp.Sub):
            if isinstance(sum_.parent, exp.EQ) and isinstance(statement.tree, exp.Update):
                opposite = exp.Sub if isinstance(sum_, exp.Add) else exp.Add
                yield f"turns the sign in {sum_.sql()}", partial(_replace_sql, statement, sum_, opposite)
        if isinstance(statement.tree, exp.Insert) and isinstance(statement.tree.this, exp.Schema):
            yield from _signs_of_inserted(statement)
    for node in ast.walk(function):
        is_sum = isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Add | ast.Sub)
        if is_sum and AMOUNT.search(ast.unparse(node)) and "timedelta" not in ast.unparse(node):
            yield f"turns the sign in {ast.unparse(node)}", partial(_turn, node)


def _signs_of_inserted(statement: Statement) -> Iterator[Site]:
    names = [name.name for name in statement.tree.this.expressions]
    rows = statement.tree.expression.expressions if isinstance(statement.tree.expression, exp.Values) else []
    values = rows[0].expressions if len(rows) == 1 else []
    listed = iter(statement.listed or [])
    for name, value in zip(names, values, strict=False):
        bound = next(listed, None) if isinstance(value, exp.Placeholder) and not value.name else None
        if bound is not None and AMOUNT.search(name) and not isinstance(bound, ast.Constant):
            yield f"stores {name} with the other sign", partial(_negate, statement, bound)


def _replace_sql(statement: Statement, node: Any, kind: type[Any]) -> None:
    node.replace(kind(this=node.this, expression=node.expression))
    statement.keep()


def _negate(statement: Statement, value: ast.expr) -> None:
    listed = statement.listed or []
    listed[listed.index(value)] = ast.UnaryOp(ast.USub(), value)


def _turn(node: ast.AST) -> None:
    assert isinstance(node, ast.BinOp | ast.AugAssign)
    node.op = ast.Sub() if isinstance(node.op, ast.Add) else ast.Add()


def _forgets_a_write(function: ast.FunctionDef, schema: Schema) -> Iterator[Site]:
    """One of several writes whose result nobody needs."""
    written = [s for s in statements(function) if isinstance(s.tree, exp.Insert | exp.Update | exp.Delete)]
    calls = {id(statement.call) for statement in written}
    for block in _blocks(function):
        for node in block:
            if len(written) > 1 and isinstance(node, ast.Expr) and id(node.value) in calls:
                yield f"forgets {ast.unparse(node)[:70]}", partial(_remove, block, node)


# -- who and which -----------------------------------------------------------------------------------------------------


def _wrong_owner(function: ast.FunctionDef, schema: Schema) -> Iterator[Site]:
    """The user's id is another one, or is not looked at."""
    for statement in statements(function):
        for holder in statement.tree.find_all(exp.Where):
            for term in terms(holder):
                if _binds_the_user(statement, term) and len(list(terms(holder))) > 1:
                    yield f"does not look at {term.sql()}", partial(statement.drop, term)
    for node in ast.walk(function):
        for name, value in ast.iter_fields(node):
            values = value if isinstance(value, list) else [value]
            for at, one in enumerate(values):
                if isinstance(one, ast.Attribute) and one.attr == "user_id" and not isinstance(node, ast.JoinedStr):
                    yield "takes the next user", partial(_next_user, node, name, at)


def _binds_the_user(statement: Statement, term: Any) -> bool:
    placeholders = list(term.find_all(exp.Placeholder))
    if not isinstance(term, exp.EQ) or len(placeholders) != 1:
        return False
    if isinstance(statement.parameters, ast.Dict):
        bound = {k.value: v for k, v in zip(statement.parameters.keys, statement.parameters.values, strict=True)}  # type: ignore[union-attr]
        value = bound.get(placeholders[0].name)
    else:
        order = [id(p) for p in statement.tree.find_all(exp.Placeholder, bfs=False)]
        value = (statement.listed or [])[order.index(id(placeholders[0]))]
    return isinstance(value, ast.Attribute) and value.attr == "user_id"


def _next_user(node: ast.AST, field: str, at: int) -> None:
    value = getattr(node, field)
    old = value[at] if isinstance(value, list) else value
    new = ast.BinOp(old, ast.Add(), ast.Constant(1))
    if isinstance(value, list):
        value[at] = new
    else:
        setattr(node, field, new)


def _ignores_filter(function: ast.FunctionDef, schema: Schema) -> Iterator[Site]:
    """An optional filter `(:x IS NULL OR …)` that lets everything pass."""
    for statement in statements(function):
        for either in statement.tree.find_all(exp.Or):
            if isinstance(either.left, exp.Is) and isinstance(either.left.this, exp.Placeholder):
                yield f"ignores {either.sql()}", partial(statement.drop, either)


def _off_by_one(function: ast.FunctionDef, schema: Schema) -> Iterator[Site]:
    """A bound that is included or not, or a number of days or times."""
    for statement in statements(function):
        for node in statement.tree.find_all(*_TOGGLED_SQL):
            yield f"moves the bound of {node.sql()}", partial(_replace_sql, statement, node, _TOGGLED_SQL[type(node)])
    for node in ast.walk(function):
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in _TOGGLED:
            yield f"moves the bound of {ast.unparse(node)}", partial(_toggle, node)
            limit = node.comparators[0]
            if isinstance(limit, ast.Constant) and isinstance(limit.value, int):
                yield f"adds one in {ast.unparse(node)}", partial(_add_one, limit)
        elif isinstance(node, ast.keyword) and node.arg in ("days", "hours") and isinstance(node.value, ast.Constant):
            yield f"adds one to {ast.unparse(node)}", partial(_add_one, node.value)


def _toggle(node: ast.Compare) -> None:
    node.ops = [_TOGGLED[type(node.ops[0])]()]


def _add_one(node: ast.Constant) -> None:
    assert isinstance(node.value, int)
    node.value = node.value + 1


# -- what is checked ---------------------------------------------------------------------------------------------------


def _skips_rule(function: ast.FunctionDef, schema: Schema) -> Iterator[Site]:
    for test, block, node in _refusals(function):
        if not _asks_whether_there_is(test):
            yield f"does not refuse when {ast.unparse(test)}", partial(_remove, block, node)


def _accepts_absent(function: ast.FunctionDef, schema: Schema) -> Iterator[Site]:
    """A row that is not there is taken for an empty one, or its absence is not noticed."""
    for test, block, node in _refusals(function):
        if _asks_whether_there_is(test):
            name = test.left.id if isinstance(test, ast.Compare) and isinstance(test.left, ast.Name) else ""
            fields = sorted(_fields_of(function, name))
            if any(f"{name}[" in ast.unparse(later) for later, _, _ in _refusals(function)):
                continue  # a later check would refuse the empty row all the same
            empty = ast.parse(f"{name} = dict.fromkeys({fields!r}, 0)").body[0] if fields else None
            yield f"goes on when {ast.unparse(test)}", partial(_accept, block, node, empty)


def _refusals(function: ast.FunctionDef) -> Iterator[tuple[ast.expr, list[ast.stmt], ast.If]]:
    for block in _blocks(function):
        for node in block:
            if isinstance(node, ast.If) and not node.orelse and isinstance(node.body[-1], ast.Raise):
                yield node.test, block, node


def _asks_whether_there_is(test: ast.expr) -> bool:
    return isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.Is)


def _fields_of(function: ast.FunctionDef, name: str) -> set[str]:
    return {
        node.slice.value
        for node in ast.walk(function)
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id == name
        if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str)
    }


def _accept(block: list[ast.stmt], node: ast.If, empty: ast.stmt | None) -> None:
    if empty is None:
        _remove(block, node)
    else:
        node.body = [empty]


def _raises_on_optional(function: ast.FunctionDef, schema: Schema) -> Iterator[Site]:
    """A parameter that may be left out is used as if it never was, or breaks when it is given."""
    for argument, default in zip(function.args.kwonlyargs, function.args.kw_defaults, strict=True):
        if isinstance(default, ast.Constant) and default.value is None and not function.name.startswith("_"):
            yield f"needs {argument.arg}", partial(_begin_with, function, f"str.__len__({argument.arg})")
            given = f"if {argument.arg} is not None:\n    {argument.arg}.casefold().value"
            yield f"breaks when {argument.arg} is given", partial(_begin_with, function, given)


def _begin_with(function: ast.FunctionDef, text: str) -> None:
    start = 1 if ast.get_docstring(function) is not None else 0
    function.body[start:start] = ast.parse(text).body


# -- what is shown -----------------------------------------------------------------------------------------------------


def _swaps_fields(function: ast.FunctionDef, schema: Schema) -> Iterator[Site]:
    """Two fields of the result, or two columns that a look-up names, the wrong way round."""
    for node in ast.walk(function):
        if isinstance(node, ast.Return) and isinstance(node.value, ast.Dict):
            shown = node.value
            plain = [i for i, key in enumerate(shown.keys) if key is not None and _is_a_scalar(shown.values[i])]
            for one, other in ((a, b) for a in plain for b in plain if a < b):
                if ast.unparse(shown.values[one]) != ast.unparse(shown.values[other]):
                    said = f"{ast.unparse(shown.keys[one])} and {ast.unparse(shown.keys[other])}"  # type: ignore[arg-type]
                    yield f"swaps {said}", partial(_swap, shown.values, one, other)
    for statement in statements(function):
        if isinstance(statement.tree, exp.Select):
            asked = _shown_fields(function, statement)
            yield from (site for site, fields in _swapped_columns(statement, schema) if fields <= asked)


def _shown_fields(function: ast.FunctionDef, statement: Statement) -> set[str]:
    """The columns of a look-up that matter: all where its rows are handed on, else those that are asked for."""
    everything = {part.alias_or_name for part in statement.tree.expressions}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and node.value is statement.call and isinstance(node.targets[0], ast.Name):
            name, asked = node.targets[0].id, _fields_of(function, node.targets[0].id)
            loads = [n for n in ast.walk(function) if isinstance(n, ast.Name) and n.id == name]
            returned = any(
                isinstance(n, ast.Return)
                and n.value is not None
                and f"{name}[" not in ast.unparse(n)
                and name in {m.id for m in ast.walk(n.value) if isinstance(m, ast.Name)}
                for n in ast.walk(function)
            )
            return everything if returned and loads else asked
    return everything


def _swapped_columns(statement: Statement, schema: Schema) -> Iterator[tuple[Site, set[str]]]:
    table = statement.tree.find(exp.Table)
    columns = _columns(schema, table.name) if table is not None and not statement.tree.args.get("joins") else {}
    plain = [part for part in statement.tree.expressions if isinstance(part, exp.Column) and part.name in columns]
    for one, other in ((a, b) for i, a in enumerate(plain) for b in plain[i + 1 :]):
        if columns[one.name] == columns[other.name]:
            yield (f"shows {one.name} as {other.name}", partial(_alias, statement, one, other)), {one.name, other.name}


def _alias(statement: Statement, one: Any, other: Any) -> None:
    first, second = one.copy(), other.copy()
    one.replace(exp.alias_(second, first.name))
    other.replace(exp.alias_(first, second.name))
    statement.keep()


def _is_a_scalar(node: ast.expr) -> bool:
    return isinstance(node, ast.Subscript | ast.Name | ast.BinOp) and not isinstance(node, ast.ListComp)


def _swap(values: list[ast.expr], one: int, other: int) -> None:
    values[one], values[other] = values[other], values[one]


def _stale_value(function: ast.FunctionDef, schema: Schema) -> Iterator[Site]:
    """What was read before the write is shown, or a look that belongs after the write comes before it."""
    written = {
        target.this.name
        for statement in statements(function)
        if isinstance(statement.tree, exp.Update)
        for target in statement.tree.expressions
        if isinstance(target, exp.EQ)
    }
    known = {name: fields for name, fields in _rows_read(function).items() if fields & written}
    for node in ast.walk(function):
        if isinstance(node, ast.Return) and isinstance(node.value, ast.Dict):
            for at, key in enumerate(node.value.keys):
                field = key.value if isinstance(key, ast.Constant) else None
                for row in (row for row, fields in known.items() if field in fields & written):
                    old = ast.Subscript(ast.Name(row, ast.Load()), ast.Constant(field), ast.Load())
                    if ast.unparse(node.value.values[at]) != ast.unparse(old):
                        yield f"shows {field!r} as it was", partial(node.value.values.__setitem__, at, old)
    yield from _looks_too_early(function)


def _rows_read(function: ast.FunctionDef) -> dict[str, set[str]]:
    """Variable → the columns of the row that `env.one` put into it."""
    found = {}
    by_call = {id(statement.call): statement for statement in statements(function)}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and id(node.value) in by_call:
            statement = by_call[id(node.value)]
            if isinstance(statement.tree, exp.Select) and statement.call.func.attr == "one":  # type: ignore[attr-defined]
                found[node.targets[0].id] = {part.alias_or_name for part in statement.tree.expressions}
    return found


def _looks_too_early(function: ast.FunctionDef) -> Iterator[Site]:
    kinds = {id(statement.call): statement.tree.key for statement in statements(function)}
    for block in _blocks(function):
        writes = [
            i for i, node in enumerate(block) if isinstance(node, ast.Expr) and kinds.get(id(node.value)) == "update"
        ]
        for at, node in enumerate(block):
            if writes and at > writes[0] and isinstance(node, ast.Assign) and kinds.get(id(node.value)) == "select":
                yield f"looks too early: {ast.unparse(node)[:60]}", partial(_move, block, at, writes[0])


def _move(block: list[ast.stmt], at: int, to: int) -> None:
    block.insert(to, block.pop(at))


# -- in general --------------------------------------------------------------------------------------------------------


def _blocks(function: ast.FunctionDef) -> Iterator[list[ast.stmt]]:
    for node in ast.walk(function):
        for name in ("body", "orelse"):
            block = getattr(node, name, None)
            if isinstance(block, list):
                yield block


def _remove(block: list[ast.stmt], node: ast.stmt) -> None:
    block[block.index(node)] = ast.Pass()


def _columns(schema: Schema, table: str) -> dict[str, str]:
    found = schema.table(table)
    return {c.name: c.type for c in found.columns if not c.primary_key} if found is not None else {}


KINDS: Mapping[str, Finder] = {
    "wrong column written": _wrong_column,
    "missing WHERE": _missing_where,
    "off by one": _off_by_one,
    "wrong owner": _wrong_owner,
    "wrong sign of an amount": _wrong_sign,
    "forgets a side effect": _forgets_a_write,
    "ignores a filter": _ignores_filter,
    "swaps two result fields": _swaps_fields,
    "skips a rule check": _skips_rule,
    "returns a stale value": _stale_value,
    "accepts absent rows": _accepts_absent,
    "raises on an optional parameter": _raises_on_optional,
}
