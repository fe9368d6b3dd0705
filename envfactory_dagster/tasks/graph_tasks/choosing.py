"""Choosing an item of a list, and saying which one by as little as possible.

Belongs here: signs of items, and which fields may be spoken of. Does not: wording (`describing`).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from random import Random

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.tasks.graph_tasks.reading import Items, is_id, kind_of
from envfactory_dagster.tasks.graph_tasks.steps import Item, Sign

_NAME = re.compile(r"(^|_)(name|title|code|label|reference|number)$")
_CALLED = re.compile(r"(^|_)(name|title)$")
_MOST_SIGNS = 3
_LEAST_LETTERS = 3
_ORDER = ("text", "day", "moment", "money", "number")


def choose(items: Items, obscured: bool, chance: Random) -> tuple[dict[str, Json], tuple[Sign, ...]] | None:
    """An item with the signs it is known by. `obscured`: not by its name, where it can be helped."""
    if obscured and (extremes := list(_extremes(items))):
        return chance.choice(extremes)
    for item in chance.sample(items, len(items)):
        signs = (obscured and _fewest(items, item, plain=False)) or _fewest(items, item, plain=True)
        if signs:
            return item, signs
    return None


def meant(item: Item, items: Items) -> Items:
    """All the items that the signs fit."""
    first = item.signs[0]
    if first.relation == "is":
        return [row for row in items if all(row.get(sign.field) == sign.value for sign in item.signs)]
    values = [value for row in items if isinstance(value := row.get(first.field), str | int | float)]
    end = (min if first.relation == "least" else max)(values, default=None)
    return [row for row in items if row.get(first.field) == end]


def speakable(items: Items, field: str) -> bool:
    """Whether a person would speak of this field of the items, and all of them have it."""
    values = [item.get(field) for item in items]
    if is_id(field) or len(field) < _LEAST_LETTERS or any(kind_of(field, value) in (None, "flag") for value in values):
        return False
    return not all(value in (0, 1) for value in values)


def fields_of(items: Items) -> list[str]:
    """The fields that may be spoken of: names first, then from words to numbers."""
    found = [field for field in items[0] if speakable(items, field)]
    return sorted(found, key=lambda field: (not is_name(field), _ORDER.index(_kind(items, field))))


def is_name(field: str) -> bool:
    return _NAME.search(field) is not None


def names_of(item: Mapping[str, Json]) -> list[str]:
    """What a person would call the thing, or whose it is: names and titles, no codes."""
    named = [field for field in item if _CALLED.search(field)]
    return list(dict.fromkeys(value for field in named if isinstance(value := item[field], str) and value))


def _kind(items: Items, field: str) -> str:
    return kind_of(field, items[0][field]) or ""


def _fewest(items: Items, item: dict[str, Json], *, plain: bool) -> tuple[Sign, ...]:
    """The fewest fields in which no other item is the same."""
    fields = [field for field in fields_of(items) if plain or not is_name(field)]
    for count in range(1, _MOST_SIGNS + 1):
        for chosen in combinations(fields, count):
            if sum(_same(item, other, chosen) for other in items) == 1:
                return tuple(Sign(field, "is", item[field]) for field in chosen)
    return ()


def _same(item: dict[str, Json], other: dict[str, Json], fields: Sequence[str]) -> bool:
    return all(item[field] == other.get(field) for field in fields)


def _extremes(items: Items) -> Iterator[tuple[dict[str, Json], tuple[Sign, ...]]]:
    """Items that alone have the least or the most of something."""
    if len(items) < 2:
        return
    for field in fields_of(items):
        if _kind(items, field) == "text" or is_name(field):
            continue
        ranked = sorted(items, key=lambda item, field=field: item[field])  # type: ignore[misc]
        if ranked[0][field] != ranked[1][field]:
            yield ranked[0], (Sign(field, "least", ranked[0][field]),)
        if ranked[-1][field] != ranked[-2][field]:
            yield ranked[-1], (Sign(field, "most", ranked[-1][field]),)
