"""Whether what a tool shows is what its arguments asked for.

Belongs here: judging results that are lists of rows: filters, bounds, limits, whose rows they are. Does not: making the
calls (`trial`), and what a call changed (`changes`).
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from envfactory_dagster.authoring.trials.calls import Arguments, Parameters
from envfactory_dagster.authoring.trials.keys import private_tables
from envfactory_dagster.authoring.trials.world import WorldRows
from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.records import Problem
from envfactory_dagster.runtime.facts import ColumnRef, OutputField

Direction = Literal["at least", "at most"]

_LOWEST = frozenset({"min", "minimum", "least", "lowest", "from", "since", "first", "earliest"})
_HIGHEST = frozenset({"max", "maximum", "most", "highest", "until", "to", "by", "last", "latest"})
_SURELY_BOUNDS = frozenset({"min", "minimum", "least", "lowest", "max", "maximum", "most", "highest"})
_LIMITS = frozenset({"limit", "max_results", "most_results", "top", "top_n"})
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_MOST_TRIED = 4


@dataclass(frozen=True, slots=True)
class Filter:
    """A parameter that lists only the rows whose field equals it, or keeps to one side of it."""

    parameter: str
    rows: str
    field: str
    direction: Direction | None
    """None: equal."""

    def holds(self, shown: Any, given: Any) -> bool:
        if self.direction is None:
            return bool(shown == given)
        shown = shown[: len(given)] if isinstance(shown, str) and isinstance(given, str) else shown
        return bool(shown >= given if self.direction == "at least" else shown <= given)

    def value(self, shown: Any, fits_whole: bool) -> Json:
        """What to ask for so that a row with this value is just still shown."""
        day = isinstance(shown, str) and not fits_whole and _DAY.match(shown)
        value: Json = day.group() if day else shown
        return value


@dataclass(frozen=True)
class Listing:
    """A tool that lists rows, with the filters and limits among its parameters."""

    parameters: Parameters

    @cached_property
    def filters(self) -> list[Filter]:
        found = [filter for name in self.parameters.schemas for filter in (*self._equal(name), *self._bounded(name))]
        return list(dict.fromkeys(found))

    @property
    def limits(self) -> list[str]:
        return [name for name in self.parameters.schemas if name in _LIMITS]

    def exact_fields(self, rows: str) -> set[str]:
        """The fields that show a column as it is: what a row is known by from one call to the next."""
        return {field for place, field in self._shown.values() if place == rows}

    @cached_property
    def _shown(self) -> dict[ColumnRef, tuple[str, str]]:
        """Column → the list and the field that show it unchanged."""
        fields = {}
        for output in self.parameters.fact.outputs:
            place = _place(output)
            if place is not None and output.exact and len(output.columns) == 1 and not output.parameters:
                fields[output.columns[0]] = place
        return fields

    def _equal(self, name: str) -> Iterator[Filter]:
        """A parameter with the name of the field that shows the column it is compared with; or of any field, when it
        is a choice or an id and can hardly mean anything else."""
        compared = {
            use.column for use in self.parameters.fact.uses if use.source == name and use.exact and use.operator == "="
        }
        part = self.parameters.schemas[name]
        surely = "enum" in part or name.endswith(("_id", "_code"))
        for column, (rows, field) in self._shown.items():
            if (column in compared and name in (field, column.column)) or (surely and name == field):
                yield Filter(name, rows, field, None)

    def _bounded(self, name: str) -> Iterator[Filter]:
        direction = _direction(name)
        if direction is None:
            return
        # A number computed from a column is no bound on it: free places are fewer than places. A day is a prefix of a
        # moment, so texts may be bounded by a part of the column.
        is_text = "string" in self.parameters.schemas[name].get("type", ())
        uses = [
            use
            for use in self.parameters.fact.uses
            if use.source == name and use.operator == "range" and (use.exact or is_text)
        ]
        columns = {use.column for use in uses if use.use != "value"}
        if len(columns) == 1 and columns <= self._shown.keys():
            yield Filter(name, *self._shown[columns.pop()], direction)
        elif not any(use.exact for use in uses):
            yield from self._bounded_by_name(name, direction)

    def _bounded_by_name(self, name: str, direction: Direction) -> Iterator[Filter]:
        """`min_free_places` bounds a field `free_places` that is computed."""
        words = name.split("_")
        if words[0] not in _SURELY_BOUNDS:
            return
        properties = self.parameters.tool.outputSchema.get("properties", {})
        for rows, part in properties.items():
            items = part.get("items", {}).get("properties", {}) if isinstance(part, dict) else {}
            called = [field for field in items if set(words[1:]) <= set(field.split("_"))]
            if len(called) == 1:
                yield Filter(name, rows, called[0], direction)


def of_a_filter(tool: str, filter: Filter, given: Json, result: Any) -> Iterator[Problem]:
    """Every row that is shown lies within the filter."""
    for row in rows_of(result, filter.rows):
        shown = row.get(filter.field)
        if shown is not None and not filter.holds(shown, given):
            relation = filter.direction or "equal to"
            yield _problem(
                f"{tool}: with {filter.parameter} = {given!r} it shows a row with {filter.field} = {shown!r}, "
                f"which is not {relation} that."
            )
            return


def of_the_left_out(
    tool: str, filter: Filter, given: Json, before: Any, after: Any, exact: set[str]
) -> Iterator[Problem]:
    """Rows that were shown before the filter was set, and lie within it, are still shown."""
    kept = [_identity(row, exact) for row in rows_of(after, filter.rows)]
    for row in rows_of(before, filter.rows):
        shown = row.get(filter.field)
        if shown is not None and filter.holds(shown, given) and _identity(row, exact) not in kept:
            relation = f"{filter.direction} {given!r}" if filter.direction else repr(given)
            edge = " A bound is included." if filter.direction and filter.holds(given, shown) else ""
            yield _problem(
                f"{tool}: with {filter.parameter} = {given!r} it leaves out a row with {filter.field} = {shown!r}, "
                f"which is {relation}.{edge}"
            )
            return


def of_a_limit(tool: str, name: str, limit: int, before: Any, after: Any) -> Iterator[Problem]:
    """As many rows as were asked for, as long as there are any."""
    for rows, shown in lists_of(before).items():
        wanted, got = min(limit, len(shown)), len(rows_of(after, rows))
        if got != wanted:
            yield _problem(f"{tool}: with {name} = {limit} it shows {got} of {len(shown)} rows in {rows}.")


def of_ownership(parameters: Parameters, world: WorldRows, result: Any) -> Iterator[Problem]:
    """A tool that keeps to the user's own rows shows no others."""
    private = private_tables(parameters.fact, world.keys)
    for output in parameters.fact.outputs:
        place = _place(output)
        if place is None or not output.exact or len(output.columns) != 1 or output.parameters:
            continue
        column = output.columns[0]
        if not world.keys.names_one_row(column) or column.table not in private:
            continue
        for row in rows_of(result, place[0]):
            for real in world.with_value(column, [row.get(place[1])]):
                if not world.is_users(column.table, real):
                    which = f"{column.column} = {row.get(place[1])!r}"
                    yield _problem(
                        f"{parameters.tool.name} shows the user a row of {column.table} that belongs to somebody else: "
                        f"{which}."
                    )
                    return


def tried_values(filter: Filter, parameters: Parameters, base: Any) -> list[Json]:
    """Values to set a filter to: those that rows have which are shown without it."""
    shown = [row.get(filter.field) for row in rows_of(base, filter.rows)]
    known = list(dict.fromkeys(value for value in shown if _can_be_compared(value, filter.direction)))
    found = [filter.value(value, parameters.fits(filter.parameter, value)) for value in known]
    fitting = [value for value in dict.fromkeys(found) if parameters.fits(filter.parameter, value)]
    return [*fitting[: _MOST_TRIED - 1], *fitting[-1:]] if len(fitting) > _MOST_TRIED else fitting


def _can_be_compared(value: Any, direction: Direction | None) -> bool:
    """Words have no order that a bound could keep to; days, moments and numbers do."""
    if isinstance(value, str):
        return direction is None or _DAY.match(value) is not None
    return isinstance(value, int | float)


def unlike(foretold: Mapping[str, Any], result: Any, place: str = "") -> Iterator[tuple[str, Json, Json]]:
    """Where a result differs from what was foretold of it: the field, what was foretold, what it is. An object inside
    it, or in a list of it, may be foretold in part too: nobody knows the id of a row that is yet to be made. A list is
    as long as foretold."""
    said: Mapping[str, Any] = result if isinstance(result, dict) else {}
    for name, wanted in foretold.items():
        if name in said:
            yield from _unlike_value(wanted, said[name], f"{place}{name}")
        else:
            yield f"{place}{name}", wanted, None


def _unlike_value(wanted: Json, got: Any, place: str) -> Iterator[tuple[str, Json, Json]]:
    if isinstance(wanted, dict) and isinstance(got, dict):
        yield from unlike(wanted, got, f"{place}.")
    elif isinstance(wanted, list) and isinstance(got, list) and len(wanted) == len(got):
        for index, (wanted_item, got_item) in enumerate(zip(wanted, got, strict=True)):
            yield from _unlike_value(wanted_item, got_item, f"{place}[{index}]")
    elif got != wanted:
        yield place, wanted, got


def lists_of(result: Any) -> dict[str, list[Any]]:
    return (
        {name: value for name, value in result.items() if isinstance(value, list)} if isinstance(result, dict) else {}
    )


def rows_of(result: Any, rows: str) -> list[Mapping[str, Any]]:
    return [row for row in lists_of(result).get(rows, []) if isinstance(row, dict)]


def without(name: str, arguments: Arguments) -> dict[str, Json]:
    return {key: value for key, value in arguments.items() if key != name}


def _identity(row: Mapping[str, Any], exact: set[str]) -> tuple[tuple[str, str], ...]:
    return tuple((field, repr(value)) for field, value in sorted(row.items()) if field in exact or not exact)


def _place(output: OutputField) -> tuple[str, str] | None:
    """`items[].price` is the field `price` of the list `items`."""
    rows, dot, field = output.path.partition("[].")
    return (rows, field) if dot and "." not in rows and "." not in field and "[" not in field else None


def _direction(name: str) -> Direction | None:
    words = set(name.split("_"))
    if words & _LOWEST and not words & _HIGHEST:
        return "at least"
    return "at most" if words & _HIGHEST and not words & _LOWEST else None


def _problem(message: str) -> Problem:
    return Problem(fault="code", message=message)
