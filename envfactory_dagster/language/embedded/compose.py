"""From a plan to the artifacts of an environment: tables, rows, tool definitions, tool functions.

Belongs here: rendering what modules declare. Does not: tasks with their solutions and verifiers (`tasks`), or deciding
anything (`plan`).
"""

import textwrap
from collections.abc import Mapping
from typing import Any

from envfactory_dagster.contracts.database import Table, TableRows
from envfactory_dagster.contracts.requests import ToolFunction
from envfactory_dagster.contracts.tools import ToolAnnotations, ToolDefinition
from envfactory_dagster.language.embedded.kit import Entity, RowOf, Tool
from envfactory_dagster.language.embedded.plan import PEOPLE, Binding, Plan
from envfactory_dagster.language.embedded.tables import columns_of, ddl, indexes, table_name
from envfactory_dagster.language.embedded.text import fill, sentence, without_placeholders
from envfactory_dagster.language.embedded.world import World

_PYTHON_TYPES = {"integer": "int", "string": "str", "number": "float", "boolean": "bool", "array": "list"}
_VERBATIM = {"pattern", "enum", "default"}
"""Parts of a JSON Schema that hold no placeholders (a pattern may end in `$`)."""


def tables(plan: Plan) -> list[Table]:
    """Every table: people first, whatever they refer to; then parents before children."""
    found = [
        Table(
            name=table_name(binding, entity.role),
            ddl=ddl(binding, entity),
            indexes=indexes(binding, entity),
            purpose=sentence(binding.prose(entity.purpose)),
        )
        for binding in plan.bindings
        for entity in binding.entities()
    ]
    people = table_name(plan.binding(PEOPLE), "person")
    return sorted(found, key=lambda table: table.name != people)


def rows(world: World) -> list[TableRows]:
    """Every row of a world, tables in the order in which they can be filled."""
    return [_table_rows(world, binding, entity) for binding in world.plan.bindings for entity in binding.entities()]


def tool_definitions(plan: Plan) -> list[ToolDefinition]:
    return [_definition(plan, binding, tool) for binding in plan.bindings for tool in binding.tools()]


def tool_functions(world: World) -> list[ToolFunction]:
    """Every tool's function, with two calls to try it with in this world."""
    return [_function(world, binding, tool) for binding in world.plan.bindings for tool in binding.tools()]


def _table_rows(world: World, binding: Binding, entity: Entity) -> TableRows:
    columns = columns_of(binding, entity)
    return TableRows(
        table=table_name(binding, entity.role),
        columns=[column.name for column in columns],
        rows=[[row[column.key] for column in columns] for row in world.tables[binding.module.name, entity.role]],
    )


def _definition(plan: Plan, binding: Binding, tool: Tool) -> ToolDefinition:
    required = [name for name, schema in tool.params.items() if "default" not in schema]
    inputs = {"type": "object", "properties": tool.params, "required": required, "additionalProperties": False}
    return ToolDefinition(
        name=binding.prose(tool.name),
        description=sentence(" ".join(binding.prose(tool.about).split())),
        inputSchema=_filled(plan, binding, inputs),
        outputSchema=_filled(plan, binding, _object(tool.returns)),
        annotations=ToolAnnotations(
            readOnlyHint=tool.effect == "read",
            destructiveHint=tool.effect == "delete",
            idempotentHint=tool.effect == "read",
        ),
        principal=tool.principal,
    )


def _object(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def _filled(plan: Plan, binding: Binding, schema: Any) -> Any:
    """A schema with its placeholders replaced and its rows of tables written out."""
    match schema:
        case str():
            return binding.prose(schema)
        case list():
            return [_filled(plan, binding, part) for part in schema]
        case dict():
            return {
                binding.prose(key): part if key in _VERBATIM else _filled(plan, binding, part)
                for key, part in schema.items()
            }
        case RowOf():
            return _row_schema(plan, binding, schema)
    return schema


def _row_schema(plan: Plan, binding: Binding, row: RowOf) -> dict[str, Any]:
    module, role = binding.owners[row.role]
    owner = plan.binding(module)
    entity = next(entity for entity in owner.entities() if entity.role == role)
    by_key = {column.key: column for column in columns_of(owner, entity)}
    shown = {by_key[key].name: by_key[key].schema() for key in row.columns if key in by_key}
    return _object(shown | {binding.prose(name): _filled(plan, binding, more) for name, more in row.more.items()})


def _function(world: World, binding: Binding, tool: Tool) -> ToolFunction:
    good = _arguments(binding, tool, tool.good(world.view(binding, tool.name)))
    bad = good if tool.bad is None else _arguments(binding, tool, tool.bad(world.view(binding, tool.name)))
    return ToolFunction(name=binding.prose(tool.name), source=_source(binding, tool), good_call=good, bad_call=bad)


def _arguments(binding: Binding, tool: Tool, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments under the theme's parameter names."""
    names = {without_placeholders(name): binding.prose(name) for name in tool.params}
    return {names[name]: value for name, value in arguments.items()}


def _source(binding: Binding, tool: Tool) -> str:
    parameters = "".join(f", {_parameter(name, schema)}" for name, schema in _required_first(tool.params))
    signature = f"def {tool.name}(env{', *' if parameters else ''}{parameters}) -> dict:"
    about = sentence(" ".join(binding.prose(tool.about).split()))
    docstring = f'    """{about}"""'
    if len(docstring) > 118:
        docstring = f'    """{textwrap.fill(about, 110, subsequent_indent="    ")}\n    """'
    head = f"{tool.imports.strip()}\n\n\n" if tool.imports else ""
    body = textwrap.indent(textwrap.dedent(tool.code).strip(), "    ")
    return (
        head
        + fill(f"{signature}\n", binding.words, binding.flags)
        + f"\n{docstring}\n"
        + (fill(body, binding.words, binding.flags) + "\n")
    )


def _required_first(params: Mapping[str, Any]) -> list[tuple[str, Any]]:
    return sorted(params.items(), key=lambda pair: "default" in pair[1])


def _parameter(name: str, schema: Mapping[str, Any]) -> str:
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    annotation = " | ".join("None" if kind == "null" else _PYTHON_TYPES[kind] for kind in kinds)
    return f"{name}: {annotation}" + (f" = {schema['default']!r}" if "default" in schema else "")
