"""Checks tool code without running it.

Belongs here: the signature against the specification, statements that reach too far, values that go to the wrong
column. Does not: the allow-list and the binding of SQL (`runtime.facts`), which come first.
"""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from envfactory_dagster.authoring.trials import statements
from envfactory_dagster.authoring.trials.keys import Keys, own_columns
from envfactory_dagster.contracts.parameter_names import parameter_name, property_name
from envfactory_dagster.contracts.records import Problem
from envfactory_dagster.contracts.text_bounds import python_tree
from envfactory_dagster.contracts.tools import ToolDefinition
from envfactory_dagster.runtime.facts import USER, ColumnRef, ParameterUse, Statement, ToolFact
from envfactory_dagster.runtime.facts.file_calls import path_of_records

_MISSING = object()
_POSSESSIVE = re.compile(r"\b(my|mine|your own|(the )?user's( own)?)\b", re.IGNORECASE)


def problems_of(tool: ToolDefinition, fact: ToolFact, source: str, keys: Keys) -> list[Problem]:
    """Everything that reading one tool tells against it."""
    return [
        *_of_the_signature(tool, fact, source),
        *_of_the_statements(fact, keys),
        *_of_the_files(tool, source),
        *_of_whose_it_is(tool, source),
        *_of_the_user(fact, source, keys),
        *_of_the_ids(fact, keys),
        *_of_the_parameters(fact, keys),
        *_of_the_result(fact, keys),
    ]


# -- the signature -----------------------------------------------------------------------------------------------------


def _of_the_signature(tool: ToolDefinition, fact: ToolFact, source: str) -> Iterator[Problem]:
    properties: dict[str, Any] = tool.inputSchema.get("properties", {})
    required = set(tool.inputSchema.get("required", []))
    given = {parameter.name: parameter for parameter in fact.parameters}
    if missing := [name for name in properties if name not in given]:
        yield _problem(f"{tool.name} lacks the parameter {_declared(missing)} of its specification.")
    if unknown := [name for name in given if name not in properties]:
        yield _problem(f"{tool.name} has a parameter {_declared(unknown)} that its specification does not know.")
    defaults = _defaults(source, tool.name)
    for name in properties.keys() & given.keys():
        if given[name].required != (name in required):
            wanted = "has to be given: no default" if name in required else "may be left out: give it a default"
            yield _problem(f"{tool.name}: the parameter {name} {wanted}.")
        elif defaults.get(name, _MISSING) not in (_MISSING, _default_of(properties[name], defaults.get(name))):
            yield _problem(
                f"{tool.name}: the default of {name} is {defaults[name]!r}; "
                f"the specification says {properties[name]['default']!r}."
            )


def _declared(names: Iterable[str]) -> str:
    """As the author of a function writes them."""
    return ", ".join(map(parameter_name, names))


def _default_of(part: Mapping[str, Any], given: Any) -> Any:
    """What the specification says; of a list or an object, which no function may have for a default, what is given."""
    default = part.get("default", given)
    return given if isinstance(default, list | dict) else default


def _defaults(source: str, name: str) -> dict[str, Any]:
    """The literal defaults of a function; those that are constants of the module are left out."""
    function = next(n for n in python_tree(source).body if isinstance(n, ast.FunctionDef) and n.name == name)
    arguments = zip(function.args.kwonlyargs, function.args.kw_defaults, strict=True)
    found = {}
    for argument, default in arguments:
        try:
            found[property_name(argument.arg)] = ast.literal_eval(default) if default is not None else _MISSING
        except ValueError:
            continue
    return found


# -- statements that reach too far -------------------------------------------------------------------------------------


def _of_the_statements(fact: ToolFact, keys: Keys) -> Iterator[Problem]:
    for statement in fact.statements:
        if statement.kind in ("update", "delete"):
            yield from _of_the_reach(fact, statement, keys)


def _of_the_reach(fact: ToolFact, statement: Statement, keys: Keys) -> Iterator[Problem]:
    """An UPDATE or DELETE says by a bound value which rows it means; and where the call names a row of that table,
    the statement speaks of that row."""
    table = next((write.table for write in statement.writes if not write.indirect), None)
    if table is None:
        return
    verb, reach = statement.kind.upper(), statements.reach(statement.sql)
    if not reach.binds:
        sentence = f"{fact.name}: this {verb} has no WHERE that binds a value, so it reaches every row of {table}."
        yield _problem(sentence, statement.sql)
        return
    named = sorted({use.column.column for use in fact.uses if _chooses(use) and _is_key_of(table, use.column, keys)})
    owned = reach.compared & {column.column for column in own_columns(fact, keys) if column.table == table}
    if named and owned and not any(_narrows(ColumnRef(table, name), keys) for name in reach.deciding):
        yield _problem(
            f"{fact.name}: the call names one row of {table}, and this {verb} reaches all of the user's: "
            f"bind {' or '.join(named)} in it too.",
            statement.sql,
        )


def _is_key_of(table: str, column: ColumnRef, keys: Keys) -> bool:
    return column.table == table and keys.names_one_row(column)


def _narrows(column: ColumnRef, keys: Keys) -> bool:
    """Whether it is an id other than a person's. The name may be that of another table's column."""
    known = keys.schema.tables[column.table].column(column.column) is not None
    return known and ((keys.refers(column) and not keys.is_a_person(column)) or keys.names_one_row(column))


# -- files -------------------------------------------------------------------------------------------------------------


def _of_the_files(tool: ToolDefinition, source: str) -> Iterator[Problem]:
    """The file that records are in is written out, or nobody could tell which records they are."""
    for node in ast.walk(python_tree(source)):
        path = path_of_records(node) if isinstance(node, ast.Call) else None
        if path is not None and not isinstance(path, ast.Constant):
            yield _problem(f"{tool.name}: write the path of the file out, as a text.", ast.unparse(node))


# -- values that go to the wrong place ---------------------------------------------------------------------------------


def _of_whose_it_is(tool: ToolDefinition, source: str) -> Iterator[Problem]:
    """A tool that speaks of what is the user's own knows who that is."""
    found = _POSSESSIVE.search(f"{tool.name.replace('_', ' ')}. {tool.description}")
    if found and "env.user_id" not in source:
        yield _problem(f"{tool.name}: it is about {found.group()!r}, and never looks at env.user_id.", tool.description)


def _of_the_user(fact: ToolFact, source: str, keys: Keys) -> Iterator[Problem]:
    """The user's id is compared and stored as it is."""
    for node in ast.walk(python_tree(source)):
        if isinstance(node, ast.BinOp) and any(map(_is_the_user, (node.left, node.right))):
            yield _problem(f"{fact.name}: {ast.unparse(node)} is nobody's id; use env.user_id itself.")
            return
    for use in fact.uses:
        computed = use.source == USER and not use.exact and use.operator in ("=", "!=", "in", "insert", "update")
        if computed and keys.is_a_person(use.column):
            yield _problem(f"{fact.name}: what meets {use.column} is computed from env.user_id; use that id itself.")


def _is_the_user(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.attr == "user_id"


def _of_the_ids(fact: ToolFact, keys: Keys) -> Iterator[Problem]:
    """A parameter that names a row meets one kind of id, that of the table it is called after."""
    for source in sorted({use.source for use in fact.uses if not use.source.startswith("@")}):
        uses = [use for use in fact.uses if use.source == source and _meets(use)]
        domains = {domain: use.column for use in uses if (domain := keys.domain(use.column)) is not None}
        name = source.removesuffix("[]")
        if len(domains) > 1:
            columns = " and ".join(str(column) for column in sorted(domains.values()))
            yield _problem(f"{fact.name}: {name} meets {columns}, which hold ids of different tables.")
            continue
        called = (
            keys.table_called(name.removesuffix("_ids").removesuffix("_id")) if name.endswith(("_id", "_ids")) else None
        )
        if called is not None and domains and called not in domains:
            column = next(iter(domains.values()))
            yield _problem(f"{fact.name}: {name} meets {column}, which does not hold ids of {called.table}.")


def _of_the_parameters(fact: ToolFact, keys: Keys) -> Iterator[Problem]:
    """A value stored in, or compared with, another column than the one it has the name of."""
    parameters = {parameter.name for parameter in fact.parameters}
    for use in fact.uses:
        if use.source not in parameters or not use.exact or use.operator not in ("=", "insert", "update"):
            continue
        table = keys.schema.tables[use.column.table]
        if use.column.column == use.source or table.column(use.source) is None:
            continue
        at_home = ColumnRef(table.name, use.source)
        if not any(other.column == at_home and other.source in (use.source, USER) for other in fact.uses):
            verb = "is stored in" if use.use == "value" else "is compared with"
            yield _problem(f"{fact.name}: {use.source} {verb} {use.column}, though there is a column {at_home}.")


def _of_the_result(fact: ToolFact, keys: Keys) -> Iterator[Problem]:
    """A field that shows another column, or another parameter, than the one it has the name of."""
    parameters = {parameter.name for parameter in fact.parameters}
    for output in fact.outputs:
        field = output.path.rpartition(".")[2].removesuffix("[]")
        if output.exact and len(output.columns) == 1 and not output.parameters:
            column = output.columns[0]
            if column.column != field and keys.schema.tables[column.table].column(field) is not None:
                yield _problem(f"{fact.name}: the result's {output.path} shows {column}, not {column.table}.{field}.")
            called = keys.table_called(field.removesuffix("_id")) if field.endswith("_id") else None
            if called is not None and keys.domain(column) not in (None, called):
                yield _problem(
                    f"{fact.name}: the result's {output.path} shows {column}, which is no id of {called.table}."
                )
        elif output.exact and not output.columns and len(output.parameters) == 1:
            given = output.parameters[0]
            if field in parameters and given in parameters and given != field:
                yield _problem(f"{fact.name}: the result's {output.path} shows the parameter {given}.")


def _table_of(name: str, keys: Keys) -> ColumnRef | None:
    """The key that a parameter or field like `room_id` or `room_ids` speaks of."""
    return keys.table_called(name.removesuffix("_ids").removesuffix("_id")) if name.endswith(("_id", "_ids")) else None


def _chooses(use: ParameterUse) -> bool:
    return use.use == "filter" and use.operator in ("=", "in") and not use.source.startswith("@")


def _meets(use: ParameterUse) -> bool:
    return use.exact and use.operator in ("=", "in", "insert", "update")


def _problem(message: str, snippet: str = "") -> Problem:
    return Problem(fault="code", message=message, snippet=snippet)
