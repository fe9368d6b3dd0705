"""Which tables the code of a tool may touch, as far as words tell.

Belongs here: finding tables by name in specifications. Does not: what code does touch (`runtime.facts`).
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from envfactory_dagster.authoring.texts import stem, words
from envfactory_dagster.contracts.tools import ToolDefinition
from envfactory_dagster.runtime.facts import Schema


def tables_of(tools: Iterable[ToolDefinition], schema: Schema) -> set[str]:
    """The tables that these tools speak of, those that their rows refer to, and those whose rows refer to them."""
    said = [
        f"{tool.name} {tool.description} {' '.join(_texts(tool.inputSchema))} {' '.join(_texts(tool.outputSchema))}"
        for tool in tools
    ]
    named = set(_named(said, schema))
    people = next(iter(schema.tables))
    return named | {table for name in named - {people} for table in _beside(name, schema)}


def _named(texts: Iterable[str], schema: Schema) -> Iterator[str]:
    for said in [words(text.replace("_", " ")) for text in texts]:
        yield from (name for name in schema.tables if {stem(word) for word in name.split("_")} <= said)


def _texts(part: Any) -> Iterator[str]:
    """Names and descriptions in a JSON Schema."""
    if isinstance(part, Mapping):
        for name, inner in part.get("properties", {}).items():
            yield name
            yield from _texts(inner)
        if isinstance(part.get("description"), str):
            yield part["description"]
        yield from _texts(part.get("items"))
        for inner in part.get("$defs", {}).values():
            yield from _texts(inner)


def _beside(table: str, schema: Schema) -> Iterator[str]:
    yield from (key.parent for key in schema.tables[table].foreign_keys)
    yield from (other.name for other in schema.tables.values() if table in {key.parent for key in other.foreign_keys})
