"""Results of tools, taken apart into rows.

Belongs here: what a row is. Does not: how rows hang together (`evidence`), and what a request says of them (`fitting`).
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from envfactory_dagster.language.embedded.roles.words import is_identity, stems, thing_of

Scalar = str | int | float | bool | None
MOMENT = re.compile(r"(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}:\d{2}))?$")
LABELS = ("name", "title", "label", "subject", "heading")
"""Fields that say what a thing is called."""


@dataclass(frozen=True, eq=False)
class Source:
    """The call that showed a row."""

    tool: str
    asked: Mapping[str, Scalar]
    """What the tool was asked with: a list of one thing's parts need not say whose parts they are."""
    own: bool
    """Whether it shows only what belongs to the person."""


@dataclass(frozen=True, eq=False)
class Row:
    group: str
    """The name of the list or object it stood in."""
    source: "Source"
    values: Mapping[str, Scalar]
    around: "Row | None" = None
    flags: frozenset[str] = frozenset()
    """Fields that hold 0 or 1 in every row of its list."""

    @property
    def tool(self) -> str:
        return self.source.tool

    @cached_property
    def identity(self) -> Scalar:
        """Its own id: the field of that name, or else the first."""
        named = (value for name, value in self.values.items() if is_identity(name))
        return next(named, next(iter(self.values.values()), None))

    @cached_property
    def has_identity(self) -> bool:
        return any(is_identity(name) for name in self.values)

    @cached_property
    def about(self) -> list[str]:
        return stems(self.group)

    @property
    def moments(self) -> list[str]:
        return [value for value in self.values.values() if isinstance(value, str) and MOMENT.match(value)]


def taken_apart(value: Any, source: Source) -> list[Row]:
    """Every object in a result, with the one around it."""
    return _rows(value, "", source, None)


def _rows(value: Any, group: str, source: Source, around: Row | None, flags: frozenset[str] = frozenset()) -> list[Row]:
    found: list[Row] = []
    if isinstance(value, dict):
        scalars = {name: one for name, one in value.items() if not isinstance(one, dict | list)}
        here = Row(group, source, scalars, around, flags) if scalars else around
        if scalars and here is not None:
            found.append(here)
        for name, one in value.items():
            if isinstance(one, dict | list):
                found += _rows(one, name, source, here)
    elif isinstance(value, list):
        items = [one for one in value if isinstance(one, dict)]
        held = {
            name: {_hashable(one.get(name)) for one in items}
            for name in (items[0] if len(items) > 1 else ())
            if not is_identity(name) and not thing_of(name)
        }
        flags = frozenset(name for name, values in held.items() if _all_flags(values))
        for one in items:
            found += _rows(one, group, source, around, flags)
    return found


def _all_flags(values: set[Any]) -> bool:
    return all(isinstance(value, int) and value in (0, 1) for value in values)


def _hashable(value: Any) -> Any:
    return None if isinstance(value, dict | list) else value
