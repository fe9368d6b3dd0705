"""Dictionaries over rows do what dictionaries do, and write no more than what was changed."""

from collections.abc import MutableMapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from envfactory_dagster.contracts.database import TableRows
from envfactory_dagster.runtime.images import build_image
from envfactory_dagster.runtime.object_state import COLUMNS, SCHEMA, TABLE, NotStorable, rows_of_json
from envfactory_dagster.runtime.overlay import Database, Pages
from envfactory_dagster.runtime.stored_json import stored

CLOCK = "2026-01-01T00:00:00"
KEYS = some.sampled_from(("a", "b/c", "~", "", "a0", "a/", "$keys", "$ref"))
VALUES = some.recursive(
    some.integers() | some.text(max_size=3) | some.none(),
    lambda inner: some.lists(inner, max_size=2) | some.dictionaries(KEYS, inner, max_size=3),
    max_leaves=8,
)
DEEDS = some.lists(
    some.tuples(some.lists(KEYS, min_size=1, max_size=4), some.sampled_from(("set", "delete", "get")), VALUES)
)


def database_of(value: Any) -> tuple[Database, Pages]:
    rows = [[path, text] for path, text in rows_of_json(value).items()]
    pages = Pages(build_image(SCHEMA, [TableRows(table=TABLE, columns=list(COLUMNS), rows=rows)]), CLOCK)  # type: ignore[arg-type]
    return Database(pages), pages


def plain(value: Any) -> Any:
    return {key: plain(item) for key, item in value.items()} if isinstance(value, MutableMapping) else value


def do(state: Any, way: list[str], deed: str, value: Any) -> None:
    *inner, last = way
    for key in inner:
        state = state[key]
    if not isinstance(state, MutableMapping):
        raise KeyError(last)
    if deed == "set":
        state[last] = value
    elif deed == "delete":
        del state[last]
    else:
        state[last]


@settings(deadline=None)
@given(some.dictionaries(KEYS, VALUES, min_size=1), DEEDS)
def test_the_same_as_with_a_dictionary(start: dict[str, Any], deeds: list[tuple[list[str], str, Any]]) -> None:
    database, _ = database_of(start)
    database.begin(read_only=False)
    state = stored(database)
    for way, deed, value in deeds:
        outcomes = []
        for each in (start, state):
            try:
                do(each, way, deed, value)
                outcomes.append("done")
            except (KeyError, TypeError) as error:
                outcomes.append(type(error).__name__)
        assert len(set(outcomes)) == 1
    state.save()
    assert database.commit() is None
    database.begin(read_only=True)
    found = {row["path"]: row["value"] for row in database.rows("SELECT path, value FROM state", (), 1_000)}
    assert found == rows_of_json(start)


@pytest.mark.parametrize("data", [{"$schema": "x", "a": {"b": 1}}, {"$keys": ["x"]}, {"$ref": "#/a"}, {"$map": []}])
@pytest.mark.parametrize("levels", range(5))
def test_a_key_with_a_dollar_is_a_key(data: dict[str, Any], levels: int) -> None:
    for _ in range(levels):
        data = {"doc": data}
    database, _ = database_of(data)
    database.begin(read_only=True)
    assert plain(stored(database)) == data


def test_json_has_keys_of_text() -> None:
    with pytest.raises(NotStorable, match=r"\./a: JSON has no keys that are not text"):
        rows_of_json({"a": {1: "one", "1": "text"}})


def test_what_was_only_read_is_not_written() -> None:
    database, _ = database_of({"orders": {"W1": {"total": {"cents": 1}}, "W2": {"total": {"cents": 2}}}})
    database.begin(read_only=True)
    state = stored(database)
    assert state["orders"]["W2"]["total"] == {"cents": 2} and list(state["orders"]) == ["W1", "W2"]
    assert "W3" not in state["orders"] and len(state["orders"]) == 2
    state.save()
    assert database.commit() is None and database.changes() == []


def test_one_entry_is_one_change() -> None:
    database, _ = database_of({"orders": {"W1": {"total": {"cents": 1}}, "W2": {"total": {"cents": 2}}}})
    database.begin(read_only=False)
    state = stored(database)
    state["orders"]["W1"]["total"]["cents"] = 5
    state.save()
    assert database.commit() is None
    [change] = database.changes()
    assert change["key"] == ["./orders/W1/total"] or change["key"] == ("./orders/W1/total",)
