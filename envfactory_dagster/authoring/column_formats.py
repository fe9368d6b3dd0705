"""Formats of days and moments in the schemas of tools, held against the rows: a column of words is no day.

Belongs here: looking through the schemas of a tool, and this check. Does not: everything else that is asked of them
(`tool_spec`, `mirrored_tools`).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.database import TableRows
from envfactory_dagster.contracts.records import Problem

_DAY = re.compile(r"\d{4}-\d\d-\d\d")


def parts(schema: Any, path: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """A schema and every schema inside it, with where it stands."""
    if not isinstance(schema, dict):
        return
    yield path, schema
    for word in ("properties", "$defs"):
        inner = schema.get(word)
        for name, part in inner.items() if isinstance(inner, dict) else ():
            yield from parts(part, f"{path}.{name}")
    yield from parts(schema.get("items"), f"{path}[]")
    for word in ("anyOf", "oneOf", "allOf"):
        inner = schema.get(word)
        for part in inner if isinstance(inner, list) else ():
            yield from parts(part, path)


def problems_of(tool: str, schemas: Mapping[str, Mapping[str, Json]], rows: Sequence[TableRows]) -> Iterator[Problem]:
    """Fields of a tool with the format of a day or a moment, though every column of their name holds other texts.
    `schemas`: by the name that each has in the definition."""
    for label, schema in schemas.items():
        for path, part in parts(schema, label):
            if part.get("format") not in ("date", "date-time"):
                continue
            name = path.rpartition(".")[2].removesuffix("[]")
            held = [text for table in rows for text in _texts(table, name)]
            if held and not any(_DAY.match(text) for text in held):
                yield Problem(
                    fault="spec",
                    message=f"{tool}: {path} has the format {part['format']}, but the column {name} holds other texts, "
                    f"such as {held[0]!r}. Leave the format out.",
                )


def _texts(table: TableRows, column: str) -> Iterator[str]:
    if column in table.columns:
        place = table.columns.index(column)
        yield from (value for row in table.rows if isinstance(value := row[place], str) and value)
