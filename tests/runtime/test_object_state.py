"""Python objects as rows, and back: the same object, the same rows, whatever the object is made of."""

import collections
import datetime
import decimal
import enum
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from pydantic import BaseModel

from envfactory_dagster.runtime.object_state import NotStorable, object_of, rows_of, rows_of_json


class Colour(enum.Enum):
    RED = "red"


class Node:
    def __init__(self, name: str, parent: "Node | None" = None) -> None:
        self.name = name
        self.parent = parent
        self.children: dict[Any, Node] = {}


class Price(BaseModel):
    amount: float
    currency: str = "EUR"


class Slotted:
    __slots__ = ("value",)

    def __init__(self, value: int) -> None:
        self.value = value


KNOWN: dict[str, Any] = {
    f"{one.__module__}:{one.__qualname__}": one
    for one in (Colour, Node, Price, Slotted, random.Random, decimal.Decimal, datetime.datetime, datetime.timedelta)
}


def name(value: Any) -> str:
    found = f"{value.__module__}:{value.__qualname__}"
    if "<" in found:
        raise LookupError("it has no name")
    KNOWN.setdefault(found, value)
    return found


def find(text: str) -> Any:
    return KNOWN[text]


def back(value: Any) -> Any:
    rows = rows_of(value, name)
    found = object_of(rows, find)
    assert rows_of(found, name) == rows
    return found


@pytest.mark.parametrize(
    "value",
    [
        {"a": {"b": {"c": {"d": [1, 2.5, None, True, "x"]}}}},
        {"keys": {1: "one", "1": "text", (2, 3): "pair", None: "none"}},
        {"a/b": {"~": {"": 1}}, "$x": 1},
        {"sets": [{1, 2, 3}, frozenset("abc"), (1, (2,)), b"\x00\xff"]},
        {"numbers": [float("inf"), 1e300, -0.0, 2**70, decimal.Decimal("1.10")]},
        {"times": [datetime.datetime(2026, 3, 2, 9), datetime.timedelta(days=1)], "colour": Colour.RED},
        {"queues": [collections.deque([1, 2], 5), collections.Counter("aab"), collections.OrderedDict(a=1)]},
        {"price": Price(amount=1.5), "text": 'a "$ref" in "$keys":[ text \u2028 \x00'},
        [],
        {},
        {"empty": {"dict": {}, "list": [], "set": set()}},
    ],
)
def test_comes_back_as_it_was(value: Any) -> None:
    found = back({"level": value, "two": [value]})
    assert repr(found) == repr({"level": value, "two": [value]})
    assert (found["level"] == value and found["two"][0] is found["level"]) or not isinstance(value, dict | list)


def test_what_is_shared_stays_shared_and_circles_close() -> None:
    root = Node("root")
    child = root.children["child"] = Node("child", root)
    root.children[7] = child
    found = back({"tree": root, "here": child, "list": [child, child]})
    assert found["tree"].children["child"] is found["here"] is found["list"][0] is found["list"][1]
    assert found["here"].parent is found["tree"] and found["tree"].children[7] is found["here"]


def test_a_list_in_several_places_and_in_itself() -> None:
    inner: list[Any] = [1]
    inner.append(inner)
    found = back({"one": inner, "two": {"same": inner}})
    assert found["one"] is found["two"]["same"] is found["one"][1]


def test_members_of_a_set_share_and_are_shared() -> None:
    for count in range(2, 12):
        shared, members = [1], [Node(f"member {number}") for number in range(count)]
        for member in members:
            member.children = {"shared": shared}  # type: ignore[dict-item]
        found = back({"all": {"in": set(members)}, "last": members[-1], "first": members[0]})
        assert found["first"].name == "member 0" and found["last"].name == f"member {count - 1}"
        assert {found["first"], found["last"]} <= found["all"]["in"] and len(found["all"]["in"]) == count
        assert len({id(member.children["shared"]) for member in found["all"]["in"]}) == 1


def test_members_of_a_set_that_know_each_other_through_sets() -> None:
    members = [Node(f"member {number}") for number in range(8)]
    for member in members:
        member.children = {"friends": set(members)}  # type: ignore[dict-item]
    found = back({"all": set(members), "pairs": {(1, member) for member in members}})
    assert all(member.children["friends"] == found["all"] for member in found["all"])
    assert {member for _, member in found["pairs"]} == found["all"]


def test_a_generator_of_numbers_goes_on_where_it_was() -> None:
    generator = random.Random(3)
    generator.random()
    found = back({"random": generator})
    assert found["random"].random() == generator.random()


def test_what_a_model_was_not_given_stays_not_given() -> None:
    found = back({"price": Price(amount=1.0)})["price"]
    assert found.model_fields_set == {"amount"} and found.model_dump(exclude_unset=True) == {"amount": 1.0}


def test_slots_come_back() -> None:
    assert back({"slotted": Slotted(4)})["slotted"].value == 4


def test_the_first_levels_have_rows_of_their_own() -> None:
    rows = rows_of({"orders": {"W1": {"total": 1}, "W2": {"total": 2}}}, name)
    assert rows["./orders/W1"] == '{"$keys":["total"]}' and rows["./orders/W1/total"] == "1"
    assert len(rows) == 6


@pytest.mark.parametrize("value", [lambda: 1, (one for one in []), open], ids=["lambda", "generator", "function"])
def test_what_no_row_can_hold_is_named(value: Any) -> None:
    if value is open:
        assert back({"f": value})["f"] is open
        return
    with pytest.raises(NotStorable, match=r"\./a/b"):
        rows_of({"a": {"b": value}}, name)


def test_nothing_is_followed_without_end() -> None:
    deep: Any = []
    for _ in range(500):
        deep = [deep]
    with pytest.raises(NotStorable, match="nested deeper"):
        rows_of({"deep": deep}, name)


JSON = some.recursive(
    some.none() | some.booleans() | some.integers() | some.floats(allow_nan=False) | some.text(),
    lambda inner: some.lists(inner) | some.dictionaries(some.text(), inner),
    max_leaves=20,
)


@settings(deadline=None)
@given(JSON)
def test_any_json_comes_back(value: Any) -> None:
    found = back({"value": value})
    assert repr(found) == repr({"value": value})


@settings(deadline=None)
@given(some.dictionaries(some.text().filter(lambda key: not key.startswith("$")), some.integers() | some.text()))
def test_plain_json_has_the_same_rows_by_the_shorter_way(value: Any) -> None:
    assert rows_of_json({"value": value}) == rows_of({"value": value}, name)
