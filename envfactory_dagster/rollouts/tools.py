"""How tools and what they gave back are shown to a model: one rendering, for rollouts and for whoever trains on them.

Belongs here: the OpenAI form of tools under either protocol, and tool messages. Does not: making calls (`calls`).
"""

from collections.abc import Mapping, Sequence
from typing import Any

import orjson

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.tools import ToolDefinition
from envfactory_dagster.contracts.trajectory import Observation, Protocol, ToolRequest
from envfactory_dagster.language.messages import Message
from envfactory_dagster.truth.protocols import CALL_TOOL, LIST_TOOLS

_META_TOOLS: list[dict[str, Json]] = [
    {
        "type": "function",
        "function": {
            "name": LIST_TOOLS,
            "description": "List every tool of this service with its schemas. Call it once, before anything else.",
            "parameters": {"type": "object", "properties": {}, "additionalProperties": False},
        },
    },
    {
        "type": "function",
        "function": {
            "name": CALL_TOOL,
            "description": "Call one of the tools that the list shows.",
            "parameters": {
                "type": "object",
                "properties": {
                    "tool_name": {"type": "string", "description": "Name of the tool, as listed"},
                    "arguments": {"type": "object", "description": "Its arguments, as its input schema says"},
                },
                "required": ["tool_name", "arguments"],
                "additionalProperties": False,
            },
        },
    },
]

_KEPT = ("type", "enum", "const", "required", "$ref")
_NAMED = ("properties", "$defs")
_INNER = ("items", "additionalProperties", "anyOf", "oneOf", "allOf")
"""What is told of a JSON Schema in short: words as they are, words with named schemas, words with schemas."""


def offered(
    tools: Sequence[ToolDefinition], protocol: Protocol, finish: Mapping[str, Json] | None = None
) -> list[dict[str, Json]]:
    """The tools an agent is given under a protocol, in the OpenAI form. `finish`: the tool that takes the report of its
    task, while it is offered."""
    if protocol == "meta_tools":
        given = list(_META_TOOLS)
    else:
        given = [in_short(tool) if protocol == "compact" else in_openai_form(tool) for tool in tools]
    return given if finish is None else [*given, dict(finish)]


def in_openai_form(tool: ToolDefinition) -> dict[str, Json]:
    """One tool. The form has no place for annotations and output schemas, so the description says the gist of both."""
    nature = "Read-only." if tool.annotations.readOnlyHint else "Makes a change."
    description = f"{tool.description} {nature} Returns {_outline(tool.outputSchema)}."
    function: dict[str, Json] = {"name": tool.name, "description": description, "parameters": tool.inputSchema}
    return {"type": "function", "function": function}


def in_short(tool: ToolDefinition) -> dict[str, Json]:
    """One tool with what its name and description do not say: names and types of its parameters, which values they
    may have and which of them are required. About half as long."""
    function: dict[str, Json] = {
        "name": tool.name,
        "description": tool.description,
        "parameters": _in_short(tool.inputSchema),
    }
    return {"type": "function", "function": function}


def _in_short(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_in_short(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    named = {word: {name: _in_short(one) for name, one in schema[word].items()} for word in _NAMED if word in schema}
    inner = {word: _in_short(schema[word]) for word in _INNER if isinstance(schema.get(word), dict | list)}
    return {word: schema[word] for word in _KEPT if word in schema} | named | inner


def _outline(schema: Mapping[str, Any]) -> str:
    """The fields of a result without their types: `{total, items: [{id, name}]}`."""
    if "properties" in schema:
        fields = [_field(name, inner) for name, inner in schema["properties"].items()]
        return f"{{{', '.join(fields)}}}"
    return f"[{_outline(schema['items'])}]" if "items" in schema else ""


def _field(name: str, schema: Mapping[str, Any]) -> str:
    inner = _outline(schema)
    return f"{name}: {inner}" if inner and inner != "[]" else name


def tool_message(request: ToolRequest, seen: Observation) -> Message:
    """What the one who asked is shown."""
    shown: dict[str, Json]
    if seen.outcome == "ok":
        shown = seen.value if isinstance(seen.value, dict) else {"result": seen.value}
        shown = shown | {"note": seen.note} if seen.note else shown
    else:
        shown = {"error": seen.error}
    return {
        "role": "tool",
        "tool_call_id": request.id,
        "name": request.name,
        "content": orjson.dumps(shown).decode(),
    }
