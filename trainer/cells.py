"""Results of tools as a small policy is shown them: cell by cell, each between two labels that say whose it is.

Belongs here: the form, and reading a result into rows. Does not: what is looked up in them (`lookups`).

    {"rooms": [{"id": 3, "name": "Attic", "beds": 2}]}   →   rooms
                                                            name#3: Attic#3 beds#3: 2#3

A small model copies what once followed the same words. In this form a value is followed by its row, and a field with
its row is followed by the value, so that both are found by copying, at one glance: a model that sees which words stand
right before a word need not put a row and a field together from afar. The form is for reading only: it does not tell
the text `12` from the number.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Row:
    """A record of a result: its own values, without what is nested in it."""

    of: str
    """The name it was found under: of a list, or of the only one."""
    label: str
    """Its id, as it is shown; empty where it has none."""
    cells: dict[str, Any]


def as_cells(content: str) -> str:
    """What a tool said, in cells; text that is no JSON object as it is."""
    said = _object(content)
    return content if said is None else "\n".join(_lines(said, ""))


def rows_of(content: str) -> list[Row]:
    said = _object(content)
    return [] if said is None else list(_rows(said, ""))


def shown(field: str, value: Any) -> str:
    """One value. Ids of other rows look like the labels of these rows."""
    if isinstance(value, str):
        return value
    if field.endswith("_id") and _is_number(value):
        return f"#{value}"
    return json.dumps(value, ensure_ascii=False)


def _object(content: str) -> dict[str, Any] | None:
    try:
        said = json.loads(content)
    except (ValueError, RecursionError):
        return None
    return said if isinstance(said, dict) else None


def _rows(value: Any, of: str) -> Iterator[Row]:
    if isinstance(value, Mapping):
        row = _row(value, of)
        if row.cells:
            yield row
        for name, inner in value.items():
            yield from _rows(inner, name)
    elif isinstance(value, list):
        for inner in value:
            if isinstance(inner, Mapping):  # lists within lists are shown as they are
                yield from _rows(inner, of)


def _row(value: Mapping[str, Any], of: str) -> Row:
    cells = {name: inner for name, inner in value.items() if not isinstance(inner, dict | list)}
    label = f"#{cells.pop('id')}" if _is_number(cells.get("id")) else ""
    return Row(of, label, cells)


def _lines(value: Mapping[str, Any], of: str) -> Iterator[str]:
    row = _row(value, of)
    texts = [f"{name}{row.label}: {shown(name, inner)}{row.label}" for name, inner in row.cells.items()]
    if texts:
        yield (" " if row.label else "; ").join(texts)
    elif row.label:
        yield row.label
    for name, inner in value.items():
        if isinstance(inner, Mapping):
            yield name
            yield from _lines(inner, name)
        elif isinstance(inner, list):
            yield from _listed(inner, name)


def _listed(values: Sequence[Any], name: str) -> Iterator[str]:
    """Below the name, which is repeated after a row with something nested in it: what follows is no part of that."""
    yield name if values else f"{name}: none"
    for place, one in enumerate(values):
        lines = list(_lines(one, name)) if isinstance(one, Mapping) else [shown(name, one)]
        yield from lines
        if len(lines) > 1 and place + 1 < len(values):
            yield name


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
