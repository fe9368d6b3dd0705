"""Reading results of tools: lists of items, plain fields, what kind of value a field holds, how a person would say it.

Belongs here: pure functions over results and values. Does not: choosing among items (`choosing`).
"""

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.graph_tasks import ValueKind
from envfactory_dagster.language.nouns import singular

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_MOMENT = re.compile(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2})?")
_ID = re.compile(r"(^|_)ids?$")
_CENTS = re.compile(r"(^|_)cents$")
_MOST_CHARS = 80
_COUNTS = frozenset(["total", "total_count", "count", "n", "found", "matches", "more", "has_more"])
_SMALL = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
_ORDINALS = [
    *("", "first", "second", "third", "fourth", "fifth", "sixth"),
    *("seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth"),
]
_IN_TURN = frozenset(["quarter", "week", "term", "semester", "round", "floor", "storey"])
"""What people count off: the first quarter. The ordinal alone says nothing of it, for any request may begin "First"."""
_AMOUNTS = frozenset(
    ["price", "amount", "total", "cost", "fee", "balance", "rent", "deposit", "sum", "value", "worth", "salary", "wage"]
)
Items = list[dict[str, Json]]


def lists(result: Json, path: str = "") -> Iterator[tuple[str, Items]]:
    """Every list of objects that stands in no other list, with its dotted path."""
    if isinstance(result, dict):
        for name, inner in result.items():
            yield from lists(inner, f"{path}.{name}" if path else name)
    elif isinstance(result, list) and path and result and all(isinstance(item, dict) for item in result):
        yield path, [item for item in result if isinstance(item, dict)]


def scalars(result: Json, path: str = "") -> Iterator[tuple[str, Json]]:
    """Every plain value that stands in no list."""
    if isinstance(result, dict):
        for name, inner in result.items():
            yield from scalars(inner, f"{path}.{name}" if path else name)
    elif not isinstance(result, list) and path:
        yield path, result


def is_whole(result: Json, items: Items) -> bool:
    """Whether the list holds everything there is: no number beside it says that there is more."""
    counted = [value for path, value in scalars(result) if name_of(path) in _COUNTS and isinstance(value, int)]
    return all(value <= len(items) for value in counted)


def items_at(result: Json, path: str) -> Items:
    return dict(lists(result)).get(path, [])


def value_at(result: Json, path: str) -> Json:
    return dict(scalars(result)).get(path)


def in_list(output: str) -> tuple[str, str] | None:
    """`items[].price` as list and field; None where it is no field of one list."""
    before, mark, field = output.partition("[].")
    return (before, field) if mark and "[]" not in field and "." not in field else None


def name_of(path: str) -> str:
    return path.removesuffix("[]").rsplit(".", 1)[-1]


def is_id(path: str) -> bool:
    return _ID.search(name_of(path)) is not None


def kind_of(path: str, value: Json) -> ValueKind | None:
    """What a person would take the value for; None where it is nothing a person would speak of."""
    if isinstance(value, bool):
        return "flag"
    if isinstance(value, int | float):
        return "money" if _CENTS.search(name_of(path)) and isinstance(value, int) else "number"
    if not isinstance(value, str) or not value.strip() or len(value) > _MOST_CHARS or "\n" in value:
        return None
    if _MOMENT.fullmatch(value):
        return "moment"
    return "day" if _DAY.fullmatch(value) else "text"


def words(path: str) -> str:
    """A name of code as words."""
    name = name_of(path)
    if _CENTS.search(name):
        name = _CENTS.sub("", name)
        name = name if name.rsplit("_", 1)[-1] in _AMOUNTS else f"{name}_amount".lstrip("_")
    return name.replace("_", " ")


def noun(path: str) -> str:
    """The kind of thing that a list holds or an id is of."""
    name = name_of(path)
    name = re.sub(r"_(id|code|number)s?$", "", name) if name not in ("id", "ids", "code") else "thing"
    return singular(name.replace("_", " "))


def item_noun(path: str) -> str:
    """What one item of a list is called."""
    many = name_of(path).replace("_", " ")
    one = singular(many)
    if one != many:
        return one
    return f"entry {many}" if many.startswith("by ") else f"{many} entry"


def forms(path: str, value: Json) -> list[str]:
    """How the value may be said, the plainest form first; nothing where no words are needed to say it."""
    kind = kind_of(path, value)
    if kind == "money" and isinstance(value, int):
        whole = [str(value // 100)] if value % 100 == 0 else []
        return [f"{value / 100:.2f}", f"{value / 100:,.2f}", *whole, f"{value} cents"]
    if kind == "number" and isinstance(value, int | float):
        plain = f"{value:g}" if isinstance(value, float) else str(value)
        small = [_SMALL[int(value)]] if value == int(value) and 0 <= value < len(_SMALL) else []
        if small and value and (last := words(path).rpartition(" ")[2]) in _IN_TURN:
            small.append(f"{_ORDINALS[int(value)]} {last}")
        return list(dict.fromkeys([plain, f"{value:,}", f"{value:.2f}", *small]))
    if kind in ("day", "moment") and isinstance(value, str):
        return _forms_of_time(value, kind)
    if isinstance(value, bool):
        return ["yes" if value else "no"]
    plain = str(value)
    return list(dict.fromkeys([plain.replace("_", " "), plain])) if "_" in plain else [plain]


def _forms_of_time(value: str, kind: ValueKind) -> list[str]:
    moment = datetime.fromisoformat(value)
    days = [f"{moment.day} {moment:%B} {moment.year}", f"{moment:%B} {moment.day}, {moment.year}", value[:10]]
    if kind == "day":
        return days
    clock = f"{moment:%H:%M}"
    return [*(f"{day}{mark}{clock}" for mark in (" at ", ", ", " ") for day in days), value, value[:16]] + [
        f"{clock} on {day}" for day in days
    ]


def mentions(text: str, form: str) -> bool:
    """Whether the text says it as a whole, in any case."""
    return re.search(rf"(?<![\w.]){re.escape(form)}(?!\w|[.,]\d)", text, re.IGNORECASE) is not None


def schema_at(schema: Mapping[str, Any], path: str) -> Mapping[str, Any]:
    """The schema of a parameter by its path."""
    for part in path.split("."):
        schema = schema.get("properties", {}).get(part.removesuffix("[]"), {})
        if part.endswith("[]"):
            schema = schema.get("items", {})
    return schema


def placed(values: Mapping[str, Json]) -> dict[str, Json]:
    """Arguments from values by path; where a path goes through a list, the list has one member."""
    arguments: dict[str, Any] = {}
    for path, value in values.items():
        here = arguments
        *front, last = path.split(".")
        for part in front:
            if part.endswith("[]"):
                here = here.setdefault(part.removesuffix("[]"), [{}])[0]
            else:
                here = here.setdefault(part, {})
        here[last.removesuffix("[]")] = [value] if last.endswith("[]") else value
    return arguments
