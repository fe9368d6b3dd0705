"""Tools written shorter than as JSON Schema, for whoever has to know what they take and give back and writes no schema.

Belongs here: that form. Nothing of a schema is lost in it. Does not: the definitions themselves (`tools`), and who is
shown what (`requests`).
"""

from collections.abc import Iterator, Mapping
from typing import Any

import orjson

from envfactory_dagster.contracts.base import ToolName
from envfactory_dagster.contracts.parameter_names import can_stand_in_a_call
from envfactory_dagster.contracts.tools import Confirmed, Principal, ToolDefinition

HOW_TO_READ = """\
What tools take and give back is written as `{name: type "what it is", name?: type}`: a `?` marks what may be left out,
`|` alternatives, `[type]` a list, `date` and the like a string of that format; other bounds follow in brackets, named
as in JSON Schema."""

_WRITTEN_ELSEWHERE = frozenset({"type", "properties", "required", "items", "enum", "anyOf", "description"})
"""Keywords that have a place of their own. All others follow in brackets."""


class ToolSignature(Confirmed):
    """A tool with what it takes and gives back, each in one line."""

    name: ToolName
    description: str
    takes: str
    gives: str
    only_reads: bool
    principal: Principal

    @classmethod
    def of(cls, tool: ToolDefinition) -> "ToolSignature":
        return cls(
            name=tool.name,
            description=tool.description,
            takes=in_short(tool.inputSchema) + _given_in_python(tool),
            gives=in_short(tool.outputSchema),
            only_reads=tool.annotations.readOnlyHint,
            principal=tool.principal,
            confirmed_by=tool.confirmed_by,
        )


def _given_in_python(tool: ToolDefinition) -> str:
    """How a program gives the parameters whose names Python does not take in a call, such as `from`."""
    others = [name for name in tool.inputSchema.get("properties", {}) if not can_stand_in_a_call(name)]
    given = ", ".join(f"**{{{_json(name)}: …}}" for name in others)
    return f"; in Python tools.{tool.name}({given}, …)" if given else ""


def in_short(schema: Any) -> str:
    """A JSON Schema in one line."""
    if not isinstance(schema, Mapping):
        return _json(schema)
    others = [f"{name} {_json(value)}" for name, value in schema.items() if not _is_written(name, value, schema)]
    bounds = f" ({', '.join(others)})" if others else ""
    said = f' "{schema["description"]}"' if "description" in schema else ""
    return f"{_type(schema)}{bounds}{said}"


def _is_written(name: str, value: Any, schema: Mapping[str, Any]) -> bool:
    if name == "additionalProperties":
        return value is False and "properties" in schema
    if name == "format":
        return "string" in schema.get("type", ())
    if name == "required":
        return not set(value) - set(schema.get("properties", {}))
    return name in _WRITTEN_ELSEWHERE


def _type(schema: Mapping[str, Any]) -> str:
    if "enum" in schema:
        return "|".join(map(_json, schema["enum"]))
    if "anyOf" in schema:
        return "|".join(map(in_short, schema["anyOf"]))
    kinds = schema.get("type", "any")
    return "|".join(_kind(kind, schema) for kind in ([kinds] if isinstance(kinds, str) else kinds))


def _kind(kind: str, schema: Mapping[str, Any]) -> str:
    if kind == "array":
        return f"[{in_short(schema.get('items', {}))}]"
    if kind == "object":
        return f"{{{', '.join(_fields(schema))}}}"
    return str(schema.get("format", kind)) if kind == "string" else kind


def _fields(schema: Mapping[str, Any]) -> Iterator[str]:
    required = schema.get("required", [])
    for name, field in schema.get("properties", {}).items():
        yield f"{name}{'' if name in required else '?'}: {in_short(field)}"


def _json(value: Any) -> str:
    return orjson.dumps(value).decode()
