"""The parameters of a tool and the fields of its result, as flat paths like `items[].price`.

Belongs here: reading JSON Schemas into leaves. Does not: where their values come from.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from envfactory_dagster.contracts.tools import ToolDefinition

_MOST_REFERENCES = 20


@dataclass(frozen=True, slots=True)
class Leaf:
    """One value that a tool takes or gives."""

    tool: str
    path: str
    description: str
    required: bool
    enumerated: bool
    """The schema itself lists the values there are: nobody has to look one up."""
    format: str = ""
    """As JSON Schema names it, such as `date`."""

    @property
    def name(self) -> str:
        """The last part of the path."""
        return self.path.removesuffix("[]").rsplit(".", 1)[-1]


def inputs(tool: ToolDefinition) -> list[Leaf]:
    return list(_Reading(tool.name, tool.inputSchema).leaves(tool.inputSchema, "", True, ""))


def outputs(tool: ToolDefinition) -> list[Leaf]:
    return list(_Reading(tool.name, tool.outputSchema).leaves(tool.outputSchema, "", True, ""))


@dataclass(frozen=True, slots=True)
class _Reading:
    tool: str
    root: Mapping[str, Any]

    def leaves(self, schema: Mapping[str, Any], path: str, required: bool, description: str) -> Iterator[Leaf]:
        description = schema.get("description", description)
        schema = self._meant(schema)
        description = schema.get("description", description)
        properties, items = schema.get("properties"), schema.get("items")
        if properties:
            needed = schema.get("required", [])
            for name, inner in properties.items():
                yield from self.leaves(inner, f"{path}.{name}" if path else name, required and name in needed, "")
        elif isinstance(items, Mapping):
            yield from self.leaves(items, f"{path}[]", required, description)
        elif path:
            listed = "enum" in schema or schema.get("type") == "boolean"
            yield Leaf(self.tool, path, description, required, listed, str(schema.get("format", "")))

    def _meant(self, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        """What a reference leads to, and of a choice between one thing and nothing, that thing. References do not
        lead back to themselves: a tool with such a schema is no tool."""
        for _ in range(_MOST_REFERENCES):
            choices = [one for word in ("anyOf", "oneOf") for one in schema.get(word, []) if one.get("type") != "null"]
            if "$ref" in schema:
                schema = self.root.get("$defs", {}).get(str(schema["$ref"]).removeprefix("#/$defs/"), {})
            elif len(choices) == 1:
                schema = choices[0]
            else:
                break
        return schema
