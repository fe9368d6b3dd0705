"""Arguments worth trying, from nothing but the interface, the facts and the rows.

Belongs here: values for one parameter, and whole calls of values that belong together. Does not: making calls
(`exploration`).
"""

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any

from envfactory_dagster.authoring.trials.calls import Parameters
from envfactory_dagster.authoring.trials.world import RowId
from envfactory_dagster.contracts.base import Json
from envfactory_dagster.runtime.facts import USER, ColumnRef

MOST_VALUES = 14
"""Of one parameter."""
_DAYS = (1, 3, 7, 14, 30, 0, 60, -1, -14)
_TEXTS = ("A few words that say what is meant.", "Short note", "note", "+49-555-0142", "A7", "someone@example.org")
_NUMBERS = (1, 2, 3, 5, 10, 20, 50, 100, 500, 1000, 5000)


@dataclass(frozen=True)
class Candidates:
    """The calls of one tool in one world that are worth trying."""

    parameters: Parameters
    clock: str

    def calls(self, most: int, seed: int) -> Iterator[dict[str, Json]]:
        """The likeliest first, then others of all kinds."""
        chance = random.Random(seed)
        names = list(self.parameters.schemas)
        required = [name for name in names if name in self.parameters.required]
        seen = list[Mapping[str, Json]]()
        for number in range(most * 2):
            chosen = required if number % 3 else [*required, *(n for n in names if n not in required and number)]
            call = self._call(chosen, chance if number else None)
            if call is not None and call not in seen:
                seen.append(call)
                yield call
            if len(seen) >= most or not names:
                return

    def _call(self, names: Sequence[str], chance: random.Random | None) -> dict[str, Json] | None:
        """One call whose rows belong together as far as they can."""
        call: dict[str, Json] = {}
        near = set[RowId]()
        for name in sorted(names, key=lambda name: self.parameters.key(name) is None):
            values = self._near(name, near) or self.values(name)
            if not values:
                return None
            call[name] = values[0] if chance is None else values[_early(chance, len(values))]
            near |= self._around(name, call[name])
        return {name: call[name] for name in names}

    def _near(self, name: str, near: set[RowId]) -> list[Json]:
        """The values of a key that the rows chosen so far lead to."""
        column = self.parameters.key(name)
        if column is None or not near or self.parameters.schemas[name].get("type") == "array":
            return []
        rows = [row for row in self._rows(column) if self.parameters.world.id_of(column.table, row) in near]
        return [row[column.column] for row in rows if self.parameters.fits(name, row[column.column])]

    def _around(self, name: str, value: Json) -> set[RowId]:
        column, world = self.parameters.key(name), self.parameters.world
        if column is None:
            return set()
        rows = world.with_value(column, value if isinstance(value, list) else [value])
        here = {world.id_of(column.table, row) for row in rows}
        return world.below(here) | world.above(here) if column.table != world.keys.people.table else set()

    def _rows(self, column: ColumnRef) -> list[Mapping[str, Any]]:
        """The user's rows first."""
        world = self.parameters.world
        own = world.below([world.user]) if any(use.source == USER for use in self.parameters.fact.uses) else set()
        return sorted(world.of(column.table), key=lambda row: world.id_of(column.table, row) not in own)

    # -- the values of one parameter ----------------------------------------------------------------------------------

    def values(self, name: str) -> list[Json]:
        if name not in self._values:
            part = self.parameters.schemas[name]
            found = self._lists(name, part) if _type(part) == "array" else self._scalars(name, part)
            fitting = [value for value in found if self.parameters.fits(name, value)]
            self._values[name] = [value for i, value in enumerate(fitting) if value not in fitting[:i]][:MOST_VALUES]
        return self._values[name]

    @cached_property
    def _values(self) -> dict[str, list[Json]]:
        return {}

    def _scalars(self, name: str, part: Mapping[str, Any]) -> list[Json]:
        if "enum" in part:
            return [value for value in part["enum"] if value is not None]
        if _type(part) == "boolean":
            return [True, False]
        known = [*self._of_columns(name)]
        if _type(part) == "string":
            return [*known[:6], *self._moments(part), *_TEXTS, *known[6:]]
        if known and self.parameters.key(name) is not None:
            return known
        bounds = [part[word] for word in ("default", "minimum", "maximum") if part.get(word) is not None]
        return [*known[:8], *bounds[:1], *(n for n in _NUMBERS if not known), *bounds[1:], *_NUMBERS]

    def _of_columns(self, name: str) -> Iterator[Json]:
        """What rows hold in the columns that the parameter meets: of a key the user's first."""
        column = self.parameters.row_key(name)
        if column is not None:
            known = [row[column.column] for row in self._rows(column) if row[column.column] is not None]
            yield from dict.fromkeys(known)
            return
        sources = (name, f"{name}[]")
        for column in sorted({use.column for use in self.parameters.fact.uses if use.source in sources}):
            yield from self.parameters.world.values(column)[:5]

    def _moments(self, part: Mapping[str, Any]) -> Iterator[str]:
        now = datetime.fromisoformat(self.clock)
        if re.search(r"\\d|date|day|time", f"{part.get('pattern', '')}{part.get('format', '')}"):
            for days in _DAYS:
                at = now + timedelta(days=days)
                yield at.date().isoformat()
                yield at.replace(hour=10, minute=0, second=0).isoformat()

    def _lists(self, name: str, part: Mapping[str, Any]) -> list[Json]:
        items = part.get("items", {})
        if _type(items) == "object":
            one: list[Json] = [self._object(name, items, at) for at in range(3)]
        else:
            one = self._scalars(name, items)
        return [*([value] for value in one), one[:2], one[:3]]

    def _object(self, name: str, part: Mapping[str, Any], at: int) -> dict[str, Json]:
        found = {}
        for field, inner in part.get("properties", {}).items():
            source = f"{name}[].{field}"
            columns = {use.column for use in self.parameters.fact.uses if use.source == source}
            known = [value for column in sorted(columns) for value in self.parameters.world.values(column)]
            values = (
                [*known, *self._scalars(field, inner)]
                if field in self.parameters.schemas
                else [*known, *_NUMBERS, *_TEXTS]
            )
            if values:
                found[field] = values[at % len(values)]
        return found


def _type(part: Mapping[str, Any]) -> str:
    kind = part.get("type", "")
    return next((k for k in kind if k != "null"), "") if isinstance(kind, list) else str(kind)


def _early(chance: random.Random, count: int) -> int:
    """Any of them, the first ones more often."""
    return min(int(chance.random() ** 1.5 * count), count - 1)
