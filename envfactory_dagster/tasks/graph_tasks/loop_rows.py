"""The rows that a loop goes through: what is so of them, which fields they have, and what can be added up.

Belongs here: reading rows and their names. Does not: finding a loop by calls (`looping`).
"""

from collections.abc import Sequence
from dataclasses import replace

from envfactory_dagster.contracts.base import Json, canonical_json
from envfactory_dagster.contracts.tools import ToolDefinition
from envfactory_dagster.tasks.graph_tasks.choosing import is_name, speakable
from envfactory_dagster.tasks.graph_tasks.describing import kind_of_place, names_itself
from envfactory_dagster.tasks.graph_tasks.reading import forms, is_id, placed, scalars, schema_at, words
from envfactory_dagster.tasks.graph_tasks.steps import Here, Loop, Sign, Source

LEAST_ROWS = 3
_MOST_VALUES = 6
"""A field by which rows are told apart has at most so many values."""

Row = dict[str, Json]
Place = tuple[Row, ...]
"""Where a loop is: its row at every depth so far."""


def given_arguments(arguments: dict[str, Source | Here], place: Place) -> Row:
    return placed(
        {
            path: value_at(place[source.place], source.path) if isinstance(source, Here) else source.value
            for path, source in arguments.items()
        }
    )


def next_places(places: Sequence[Place], results: Sequence[Row], path: str) -> list[Place]:
    if not path:
        return [(*place, result) for place, result in zip(places, results, strict=True)]
    inner = ((place, value_at(result, path)) for place, result in zip(places, results, strict=True))
    return [(*place, row) for place, rows in inner if isinstance(rows, list) for row in rows if isinstance(row, dict)]


def narrow(loop: Loop, only: Sign | None) -> Loop:
    """What has to be so of the innermost rows."""
    if only is None:
        return loop
    if not loop.rounds:
        return replace(loop, only=only)
    return replace(loop, rounds=(*loop.rounds[:-1], replace(loop.rounds[-1], only=only)))


def conditions(rows: Sequence[Row], path: str) -> list[Sign]:
    """What is so of several rows and not of all, and can be said: one of few values, no name."""
    if not rows:
        return []
    found: list[Sign] = []
    for name in rows[0]:
        values = [row.get(name) for row in rows]
        known = list(dict.fromkeys(value for value in values if isinstance(value, str)))
        if not (2 <= len(known) <= _MOST_VALUES) or is_name(name) or not speakable(list(rows), name):
            continue
        found += [Sign(name, "is", one) for one in known if values.count(one) >= LEAST_ROWS]
    return found


def fits(row: Row, only: Sign | None) -> bool:
    return only is None or value_at(row, only.field) == only.value


def is_met_twice(loop: Loop, places: Sequence[Place]) -> bool:
    """Whether a thing belongs to two of those it is listed with: nobody knows how often it counts. What has no number
    of its own belongs to one only."""
    if not loop.rounds[-1].path:
        return False  # no call is made twice
    keys = names_of(places[0][-1], kind_of_place(len(loop.rounds), loop))
    told = [canonical_json([place[-1].get(name) for name in keys] if keys else list(place)) for place in places]
    return len(set(told)) < len(told)


def names_of(row: Row, kind: str) -> list[str]:
    """The fields that name the row itself: `id`, or `loan_id` of a loan."""
    return [path for path, _ in scalars(row) if is_id(path) and names_itself(path, kind)]


def plain_fields(rows: Sequence[Row]) -> list[str]:
    """The plain fields that all rows have."""
    paths = [path for path, _ in scalars(rows[0])]
    return [path for path in paths if not is_id(path) and all(value_at(row, path) is not None for row in rows)]


def value_at(row: Json, path: str) -> Json:
    for part in path.split("."):
        row = row.get(part) if isinstance(row, dict) else None
    return row


def is_dictated(tool: ToolDefinition, parameter: str) -> bool:
    """Whether it is a text in the person's own words: nobody has the same to say of each."""
    schema = schema_at(tool.inputSchema, parameter)
    return schema.get("type") == "string" and not is_id(parameter) and not {"enum", "format", "pattern"} & schema.keys()


def without_lists(output: str) -> str | None:
    return None if "[]" in output else output


def is_an_amount(path: str) -> bool:
    """Whether it makes sense to add it up: so many of something, not a year, a number, a limit or a notice."""
    last = path.rsplit(".", 1)[-1]
    return last.endswith(_AMOUNTS) and not set(last.split("_")) & _NOT_ADDED_UP


def is_a_sum(path: str) -> bool:
    """Whether money is added up: what is paid or owed, not what one of something costs."""
    last = path.rsplit(".", 1)[-1]
    return not set(last.split("_")) & {"price", "rate", "per", "unit", *_NOT_ADDED_UP}


_NOT_ADDED_UP = {"max", "min", "least", "most", "limit", "cancellation", "notice", "grace", "allowance"}
_AMOUNTS = (
    "count", "quantity", "hours", "minutes", "nights", "days", "weight_g", "weight_kg", "distance_km", "points",
    "places", "pieces", "copies", "units", "people", "guests", "seats", "sessions", "pages", "metres", "ascent_m",
)  # fmt: skip


def known_by(only: Sign | None, whose: str) -> str:
    return f" with the {words(only.field)}{whose} “{forms(only.field, only.value)[0]}”" if only is not None else ""
