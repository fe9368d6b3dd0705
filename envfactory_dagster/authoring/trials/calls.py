"""Calls that a gate thinks up by itself: from a call that works, the specification, the facts and the rows.

Belongs here: arguments, and why they are tried. Does not: making the calls (`trial`), or judging what comes of them.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from envfactory_dagster.authoring.trials.world import RowId, WorldRows
from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.file_layout import DOCUMENTS
from envfactory_dagster.contracts.tools import ToolDefinition
from envfactory_dagster.runtime.facts import ColumnRef, ToolFact
from envfactory_dagster.runtime.facts.file_calls import path_of
from envfactory_dagster.runtime.json_schema import Checker, compile_schema

Arguments = Mapping[str, Json]

MOST_VALUES = 3
"""Of a column, to try for one parameter."""
_CODE = re.compile(r"[A-Za-z]{1,4}-?0*(\d{1,9})")
FAR = 900_000
"""Beyond every id that exists."""


@dataclass(frozen=True, slots=True)
class TrialCall:
    """Arguments to try, and what is different about them, for whoever reads of it."""

    arguments: Arguments
    why: str


@dataclass(frozen=True)
class Parameters:
    """The parameters of one tool: what they may hold, and what they choose rows by."""

    tool: ToolDefinition
    fact: ToolFact
    world: WorldRows

    @property
    def schemas(self) -> Mapping[str, Any]:
        properties: Mapping[str, Any] = self.tool.inputSchema.get("properties", {})
        return properties

    @property
    def required(self) -> list[str]:
        return list(self.tool.inputSchema.get("required", []))

    def chosen(self, name: str) -> tuple[ColumnRef, ...]:
        """The columns that rows are chosen by with this parameter, or where it is stored as a reference."""
        stored = {
            use.column
            for use in self.fact.uses
            if use.source in (name, f"{name}[]") and use.use == "value" and self.world.keys.refers(use.column)
        }
        return tuple(sorted({*self.fact.filters(name), *stored}))

    def key(self, name: str) -> ColumnRef | None:
        """The column by which the parameter names rows: a key, or a reference to one."""
        keys = self.world.keys
        found = [c for c in self.chosen(name) if keys.names_one_row(c) or keys.domain(c) is not None]
        return min(found, key=lambda column: (not keys.names_one_row(column), column)) if found else None

    def row_key(self, name: str) -> ColumnRef | None:
        """The key of the rows that the parameter names: where it holds references, the one that they refer to."""
        column = self.key(name)
        return column if column is None or self.world.keys.names_one_row(column) else self.world.keys.domain(column)

    def named(self, name: str, value: Json) -> list[RowId]:
        """The rows that a value of the parameter names by their key."""
        column = self.row_key(name)
        if column is None:
            return []
        rows = self.world.with_value(column, value if isinstance(value, list) else [value])
        return [self.world.id_of(column.table, row) for row in rows]

    def fits(self, name: str, value: object) -> bool:
        return self._checks[name](value) is None

    def values(self, name: str) -> list[Json]:
        """What may be tried for a parameter: every choice it lists, some values of its columns, its bounds."""
        part = self.schemas[name]
        if part.get("type") == "array":
            one = self._scalars(name, part.get("items", {}))
            found: list[Json] = [*([value] for value in one), one[:2]]
        else:
            found = self._scalars(name, part)
        return [value for value in found if self.fits(name, value)]

    def absent(self, name: str) -> Json:
        """A value of the right form that names no row; None where there is none to be found."""
        column = self.key(name)
        if column is None or self._is_new(name, column):
            return None
        known = self.world.values(column)
        tries: list[Json] = [
            *self._files_of_records(column),
            FAR + 1,
            *(_altered(value) for value in known[:MOST_VALUES] if isinstance(value, str)),
        ]
        if isinstance(maximum := self.schemas[name].get("maximum"), int):
            tries.append(maximum)
        if self.schemas[name].get("type") == "array":
            tries = [[value] for value in tries]
        unknown = [t for t in tries if self.fits(name, t) and not (set(t if isinstance(t, list) else [t]) & set(known))]
        return unknown[0] if unknown else None

    def _files_of_records(self, column: ColumnRef) -> list[Json]:
        """Paths of the files that hold records, which no tool may show whole."""
        paths = map(path_of, self.world.keys.schema.tables.values()) if column.table == DOCUMENTS else ()
        return [path for path in paths if path is not None]

    def _is_new(self, name: str, column: ColumnRef) -> bool:
        """Whether the tool gives the value to a row, such as a new code: it looks for rows only to see that none has
        it."""
        written = (use for use in self.fact.uses if use.source == name and use.operator in ("insert", "update"))
        return self.world.keys.domain(column) is None and any(use.column == column for use in written)

    def _scalars(self, name: str, part: Mapping[str, Any]) -> list[Json]:
        if "enum" in part:
            return [value for value in part["enum"] if value is not None]
        if part.get("type") == "boolean":
            return [True, False]
        columns = {use.column for use in self.fact.uses if use.source in (name, f"{name}[]") and use.use != "value"}
        known = [value for column in sorted(columns) for value in self.world.values(column)[:MOST_VALUES]]
        bounds = [part[word] for word in ("minimum", "maximum") if word in part]
        return [*known, *bounds]

    @cached_property
    def _checks(self) -> dict[str, Checker]:
        shared = {"$defs": self.tool.inputSchema.get("$defs", {})}
        return {name: compile_schema({**shared, **part}, name) for name, part in self.schemas.items()}


def variations(parameters: Parameters, good: Arguments) -> Iterator[TrialCall]:
    """The good call with one thing changed: whatever comes of it, the code must cope."""
    required = {name: good[name] for name in parameters.required if name in good}
    if required != dict(good):
        yield TrialCall(required, "with nothing but the required parameters")
    for name in parameters.schemas:
        if name in good and name not in parameters.required:
            yield TrialCall({k: v for k, v in good.items() if k != name}, f"without {name}")
        for value in parameters.values(name):
            if good.get(name) != value:
                yield TrialCall({**good, name: value}, f"with {name} = {value!r}")


def absences(parameters: Parameters, good: Arguments) -> Iterator[TrialCall]:
    """The good call with a row named that does not exist, parameter by parameter."""
    for name in parameters.schemas:
        value = parameters.absent(name)
        if value is not None:
            yield TrialCall({**good, name: value}, f"with {name} = {value!r}, which names no row")


def number_in_code(value: object) -> int | None:
    """The number of a row in what a service calls it to the outside: 60 in `A0000060`."""
    code = _CODE.fullmatch(value) if isinstance(value, str) else None
    return int(code[1]) if code else None


def without_marks(value: object) -> str:
    """A code without what services write between its parts: BLD-002114 and BLD002114 are one."""
    return "".join(filter(str.isalnum, value)).casefold() if isinstance(value, str) else ""


def values_at(arguments: Arguments, source: str) -> list[Json]:
    """The values that a source such as `order_id`, `ids[]` or `items[].product_id` has in a call."""
    found: list[Any] = [arguments]
    for step in source.split("."):
        name, many = step.removesuffix("[]"), step.endswith("[]")
        inner = [value[name] for value in found if isinstance(value, Mapping) and name in value]
        found = [item for value in inner if isinstance(value, Sequence) for item in value] if many else inner
    return found


def _altered(text: str) -> str:
    """A text of the same form that means another thing: digits changed, or letters where there are none."""
    if any(letter.isdigit() for letter in text):
        return "".join(str(9 - int(letter)) if letter.isdecimal() and letter.isascii() else letter for letter in text)
    return f"{text} no more"
