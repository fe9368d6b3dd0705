"""Results of tools in cells: every value stands between two labels of its row, and every text is there."""

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from trainer.cells import Row, as_cells, rows_of, shown

_ROOMS = json.dumps(
    {
        "rooms": [{"id": 3, "name": "Attic", "beds": 2, "house_id": 7}, {"id": 12, "name": "Cellar", "beds": None}],
        "total": 2,
    }
)


def test_a_value_is_followed_by_its_row_and_a_field_by_its_value() -> None:
    assert as_cells(_ROOMS).splitlines() == [
        "total: 2",
        "rooms",
        "name#3: Attic#3 beds#3: 2#3 house_id#3: #7#3",
        "name#12: Cellar#12 beds#12: null#12",
    ]


def test_what_is_nested_stands_below_its_row() -> None:
    day = {"room": {"id": 3, "hours": [{"from": "09:00"}, {"from": "11:00"}], "tags": ["new", "blue"], "notes": []}}
    assert as_cells(json.dumps(day)).splitlines() == [
        "room",
        "#3",
        "hours",
        "from: 09:00",
        "from: 11:00",
        "tags",
        "new",
        "blue",
        "notes: none",
    ]


def test_text_stays_as_it_is() -> None:
    assert [as_cells(said) for said in ("no such room", "[1, 2]", "3", "")] == ["no such room", "[1, 2]", "3", ""]


def test_the_same_rows_are_read_that_are_shown() -> None:
    assert rows_of(_ROOMS) == [
        Row("", "", {"total": 2}),
        Row("rooms", "#3", {"name": "Attic", "beds": 2, "house_id": 7}),
        Row("rooms", "#12", {"name": "Cellar", "beds": None}),
    ]


def test_what_follows_something_nested_is_no_part_of_it() -> None:
    guests = {"rooms": [{"id": 3, "guests": [{"id": 1, "name": "Ada"}]}, {"id": 4, "name": "Cellar"}]}
    assert as_cells(json.dumps(guests)).splitlines() == [
        "rooms",
        "#3",
        "guests",
        "name#1: Ada#1",
        "rooms",
        "name#4: Cellar#4",
    ]


def test_only_a_number_is_a_label() -> None:
    assert as_cells('{"room": {"id": "R3", "beds": 2}, "open": {"id": true}}').splitlines() == [
        "room",
        "id: R3; beds: 2",
        "open",
        "id: true",
    ]


def test_what_cannot_be_read_as_json_is_text() -> None:
    for said in ('{"a": ' * 100_000, '{"a": ' + "9" * 5_000 + "}"):
        assert as_cells(said) == said
        assert rows_of(said) == []


_TEXTS = st.text("ab é_:#", min_size=2, max_size=4)
_NAMES = _TEXTS | st.just("id") | st.just("room_id")
_SCALARS = st.none() | st.booleans() | st.integers() | _TEXTS
_VALUES = st.recursive(
    _SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_NAMES, inner, max_size=3), max_leaves=12
)


@settings(deadline=None)
@given(st.dictionaries(_NAMES, _VALUES, max_size=4))
def test_every_text_of_any_result_is_shown_and_every_row_between_its_labels(result: dict[str, Any]) -> None:
    cells = as_cells(json.dumps(result, ensure_ascii=False))
    assert all(text in cells for text in _texts(result))
    for row in rows_of(json.dumps(result)):
        for field, value in row.cells.items():
            assert f"{field}{row.label}: {shown(field, value)}{row.label}" in cells


def _texts(value: object) -> list[str]:
    if isinstance(value, dict):
        return [text for name, inner in value.items() for text in ([name] if name != "id" else []) + _texts(inner)]
    if isinstance(value, list):
        return [text for inner in value for text in _texts(inner)]
    return [value] if isinstance(value, str) else []
