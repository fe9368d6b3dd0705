"""From an entity to its table: the DDL, and what each column holds.

Belongs here: reading the column lines of an `Entity`. Does not: which entities a plan has (`plan`), their rows
(`world`).
"""

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from envfactory_dagster.language.embedded.kit import Entity
from envfactory_dagster.language.embedded.text import decide, fill, identifier, without_placeholders

if TYPE_CHECKING:
    from envfactory_dagster.language.embedded.plan import Binding

_COLUMN = re.compile(r"^(?P<name>[a-z$][\w$]*)\s+(?P<type>INTEGER|TEXT|REAL)\b(?P<rest>.*)$", re.IGNORECASE)
_ENUM = re.compile(r"\bIN\s*\(((?:\s*'[^']*'\s*,?)+)\)")
_CONSTRAINTS = ("UNIQUE", "CHECK", "PRIMARY KEY", "FOREIGN KEY")
_JSON_TYPES = {"INTEGER": "integer", "TEXT": "string", "REAL": "number"}


@dataclass(frozen=True, slots=True)
class Column:
    key: str
    """Its name as modules write it, without `$`."""
    name: str
    """Its name in the theme's database."""
    type: str
    nullable: bool
    values: tuple[str, ...]
    """The values a CHECK allows; empty: any."""
    parent: str
    """The table it refers to; empty: none."""

    def schema(self) -> dict[str, Any]:
        """The JSON Schema of its values."""
        kind = _JSON_TYPES[self.type]
        schema: dict[str, Any] = {"type": [kind, "null"] if self.nullable else kind}
        if self.values:
            schema["enum"] = [*self.values, None] if self.nullable else list(self.values)
        return schema


def table_name(binding: "Binding", role: str) -> str:
    return identifier(binding.nouns[role].many)


def definition_lines(binding: "Binding", entity: Entity) -> list[str]:
    """The entity's columns and constraints as this theme has them."""
    text = fill(entity.columns, binding.words, binding.flags)
    lines = [line.strip().rstrip(",") for line in text.splitlines() if line.strip()]
    for line in lines:
        if not (_COLUMN.match(line) or line.startswith(_CONSTRAINTS)):
            raise ValueError(f"{entity.role}: this is neither a whole column nor a whole constraint: {line!r}")
    return lines


def columns_of(binding: "Binding", entity: Entity) -> list[Column]:
    """The columns this theme has, in the order of the table."""
    templates = _templates(decide(entity.columns, binding.flags))
    keys = {fill(key, binding.words, binding.flags): without_placeholders(key) for key in templates}
    parsed = (_COLUMN.match(line) for line in definition_lines(binding, entity))
    return [_column(keys[match["name"]], match) for match in parsed if match]


@cache
def known_keys(entity: Entity) -> frozenset[str]:
    """Every column the entity may have under some flags."""
    return frozenset(without_placeholders(key) for key in _templates(entity.columns))


def ddl(binding: "Binding", entity: Entity) -> str:
    body = ",\n".join(f"    {line}" for line in definition_lines(binding, entity))
    return f"CREATE TABLE {table_name(binding, entity.role)} (\n{body}\n) STRICT"


def indexes(binding: "Binding", entity: Entity) -> list[str]:
    """One index for every foreign key: lookups by parent are what tools do."""
    table = table_name(binding, entity.role)
    return [
        f"CREATE INDEX idx_{table}_{column.name} ON {table} ({column.name})"
        for column in columns_of(binding, entity)
        if column.parent
    ]


@cache
def _templates(columns: str) -> tuple[str, ...]:
    matches = (_COLUMN.match(line.strip()) for line in columns.splitlines())
    return tuple(match["name"] for match in matches if match)


def _column(key: str, match: re.Match[str]) -> Column:
    rest = match["rest"]
    enum = _ENUM.search(rest)
    parent = re.search(r"\bREFERENCES\s+(\w+)", rest)
    required = "NOT NULL" in rest or "PRIMARY KEY" in rest
    values = tuple(re.findall(r"'([^']*)'", enum[1])) if enum else ()
    return Column(key, match["name"], match["type"].upper(), not required, values, parent[1] if parent else "")
