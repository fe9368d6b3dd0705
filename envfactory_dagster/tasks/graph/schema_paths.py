"""The parameters of a tool and the fields of its result, as flat paths like `items[].price`.

Belongs here: reading JSON Schemas into leaves. Does not: where their values come from.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from envfactory_dagster.contracts.tools import ToolDefinition


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
    return list(_leaves(tool.name, tool.inputSchema, "", True, ""))


def outputs(tool: ToolDefinition) -> list[Leaf]:
    return list(_leaves(tool.name, tool.outputSchema, "", True, ""))


def _leaves(tool: str, schema: Mapping[str, Any], path: str, required: bool, description: str) -> Iterator[Leaf]:
    description = schema.get("description", description)
    properties = schema.get("properties")
    items = schema.get("items")
    if properties:
        needed = schema.get("required", [])
        for name, inner in properties.items():
            yield from _leaves(tool, inner, f"{path}.{name}" if path else name, required and name in needed, "")
    elif isinstance(items, Mapping):
        yield from _leaves(tool, items, f"{path}[]", required, description)
    elif path:
        listed = "enum" in schema or schema.get("type") == "boolean"
        yield Leaf(tool, path, description, required, listed, str(schema.get("format", "")))
