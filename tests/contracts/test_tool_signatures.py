"""Signatures of tools say all that their schemas say, in less."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from envfactory_dagster.contracts.requests import ToolSpecAnswer
from envfactory_dagster.contracts.tool_signatures import ToolSignature, in_short
from tests.support.recorded_author import Recording, recordings

SCHEMAS: list[tuple[dict[str, Any], str]] = [
    ({"type": "object", "properties": {}, "additionalProperties": False}, "{}"),
    (
        {
            "type": "object",
            "properties": {
                "seats": {"type": "integer", "minimum": 1, "maximum": 8, "description": "How many, at most eight."},
                "day": {"type": ["string", "null"], "format": "date"},
            },
            "required": ["seats"],
            "additionalProperties": False,
        },
        '{seats: integer (minimum 1, maximum 8) "How many, at most eight.", day?: date|null}',
    ),
    (
        {"type": "array", "items": {"enum": ["a", 1, None]}, "maxItems": 3, "uniqueItems": True},
        '["a"|1|null] (maxItems 3, uniqueItems true)',
    ),
    ({"anyOf": [{"type": "string", "pattern": "^A"}, {"type": "null"}]}, 'string (pattern "^A")|null'),
    ({"type": "object", "additionalProperties": {"type": "number"}}, '{} (additionalProperties {"type":"number"})'),
    ({"type": "object", "additionalProperties": False}, "{} (additionalProperties false)"),
    ({"$ref": "#/$defs/node", "$defs": {"node": True}}, 'any ($ref "#/$defs/node", $defs {"node":true})'),
    ({"type": "object", "required": ["other"]}, '{} (required ["other"])'),
    ({"type": "number", "format": "float"}, 'number (format "float")'),
    ({"type": "array", "items": {"type": "string", "description": "A name."}}, '[string "A name."]'),
    ({}, "any"),
]


@pytest.mark.parametrize(("schema", "said"), SCHEMAS, ids=[said for _, said in SCHEMAS])
def test_a_schema_in_one_line(schema: dict[str, Any], said: str) -> None:
    assert in_short(schema) == said


@pytest.mark.parametrize("path", recordings(), ids=lambda path: path.name.removesuffix(".json.gz"))
def test_nothing_that_a_recorded_tool_says_is_lost(path: Any) -> None:
    tools = ToolSpecAnswer.model_validate(Recording.read(path).answers["tool_spec"][""][-1]).tools
    for tool in tools:
        shown = ToolSignature.of(tool)
        assert shown.name == tool.name and shown.description == tool.description
        for schema, line in ((tool.inputSchema, shown.takes), (tool.outputSchema, shown.gives)):
            assert [said for said in _said(schema) if said not in line] == []
    whole = sum(len(tool.model_dump_json()) for tool in tools)
    assert sum(len(ToolSignature.of(tool).model_dump_json()) for tool in tools) < 0.65 * whole


def _said(schema: Any) -> Iterator[str]:
    """Every name, description, choice and bound."""
    for name, value in schema.items():
        match name:
            case "properties":
                for field, inner in value.items():
                    yield f"{field}: " if field in schema.get("required", []) else f"{field}?: "
                    yield from _said(inner)
            case "items":
                yield from _said(value)
            case "enum":
                yield from map(json.dumps, value)
            case "description" | "pattern" | "format":
                yield value
            case "minimum" | "maximum" | "minLength" | "maxLength" | "minItems" | "maxItems":
                yield f"{name} {value}"
