"""Examples in other words: everything that belonged together still does."""

import json
from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from envfactory_dagster.contracts.reports import AnswerField, AnswerForm, finish_schema
from envfactory_dagster.runtime.json_schema import compile_schema
from trainer.rewording import (
    exchanged,
    in_other_words,
    listed_otherwise,
    name_words,
    offered_otherwise,
    reworded,
    with_names,
)


def _row(verb: str, thing: str) -> dict[str, Any]:
    parameters = {
        "type": "object",
        "properties": {f"{thing}_id": {"type": "integer", "description": f"Id of the {thing}."}},
        "required": [f"{thing}_id"],
    }
    function = {"name": f"{verb}_{thing}", "description": f"{verb.capitalize()} a {thing}.", "parameters": parameters}
    call = {"name": f"{verb}_{thing}", "arguments": json.dumps({f"{thing}_id": 7})}
    return {
        "tools": [{"type": "function", "function": function}],
        "messages": [
            {"role": "system", "content": f"They keep {thing}s."},
            {"role": "user", "content": f"{verb.capitalize()} my {thing} 7."},
            {"role": "assistant", "content": None, "tool_calls": [{"id": "c", "type": "function", "function": call}]},
            {"role": "tool", "content": json.dumps({f"{thing}_id": 7}), "tool_call_id": "c", "name": call["name"]},
            {"role": "assistant", "content": "Done."},
        ],
    }


def _tool(name: str) -> dict[str, Any]:
    return {"type": "function", "function": {"name": name, "parameters": {"type": "object", "properties": {}}}}


def test_a_report_keeps_its_own_words_and_answers_by_the_names_of_its_form() -> None:
    rows = [_row(f"do{letter * 3}", f"thing{letter * 3}") for letter in "abcdefgh"]
    for row in rows:
        thing = row["tools"][0]["function"]["name"].partition("_")[2]
        field = AnswerField(name=f"{thing}_price", type="money", unit="EUR", description="What it costs")
        parameters = finish_schema(AnswerForm(fields=[field]), [])
        row["tools"].append({"type": "function", "function": {"name": "finish", "parameters": parameters}})
        report = {"outcome": "done", "answers": {field.name: 7}, "reason": None, "message": "It is done."}
        function = {"name": "finish", "arguments": json.dumps(report)}
        row["messages"][-1] |= {"tool_calls": [{"id": "d", "type": "function", "function": function}]}
    named = set[str]()
    for copy in reworded(rows, 6, seed=1):
        [finish] = [one["function"] for one in copy["tools"] if one["function"]["name"] == "finish"]
        said = json.loads(copy["messages"][-1]["tool_calls"][0]["function"]["arguments"])
        assert compile_schema(finish["parameters"])(said) is None
        assert said["message"] == "It is done."
        named |= set(said["answers"])
    assert len(named) > len(rows), "the fields are called by other words"


def test_a_word_is_exchanged_everywhere_alike() -> None:
    found = in_other_words(_row("cancel", "booking"), {"cancel": "erase", "booking": "slot"})
    function = found["tools"][0]["function"]
    assert (function["name"], function["description"]) == ("erase_slot", "Erase a slot.")
    assert function["parameters"] == {
        "type": "object",
        "properties": {"slot_id": {"type": "integer", "description": "Id of the slot."}},
        "required": ["slot_id"],
    }
    assert [one["content"] for one in found["messages"][:2]] == ["They keep slots.", "Erase my slot 7."]
    assert found["messages"][2]["tool_calls"][0]["function"] == {"name": "erase_slot", "arguments": '{"slot_id": 7}'}
    assert (found["messages"][3]["name"], found["messages"][3]["content"]) == ("erase_slot", '{"slot_id": 7}')


def test_the_frame_of_a_schema_keeps_its_words() -> None:
    row = _row("describe", "type")
    frame = in_other_words(row, {"type": "kind", "object": "thing"})["tools"][0]["function"]["parameters"]
    assert frame["type"] == "object"
    assert frame["properties"] == {"kind_id": {"type": "integer", "description": "Id of the kind."}}


def test_copies_differ_and_are_the_same_every_time() -> None:
    rows = [_row("cancel", "booking"), _row("send", "parcel"), _row("hire", "van"), _row("plant", "tree")]
    copies = reworded(rows, 20, seed=3)
    assert copies == reworded(rows, 20, seed=3)
    assert len({json.dumps(copy) for copy in copies}) > len(copies) / 2
    assert reworded(rows, 0, seed=3) == []


def test_what_is_rare_gets_more_copies() -> None:
    rows = [_row("cancel", "booking")] * 9 + [_row("send", "parcel")]
    for number, row in enumerate(rows):
        row["messages"] = [*row["messages"], {"role": "user", "content": f"{number < 9}"}]
    copies = Counter(copy["messages"][-1]["content"] for copy in reworded(rows, 4, seed=0))
    assert copies.total() == pytest.approx(40, abs=5)
    assert copies["False"] == pytest.approx(10, abs=2), "nine times as rare: three times as many of each"


@settings(deadline=None)
@given(st.integers(0, 10_000))
def test_other_tools_are_offered_but_those_that_are_called(seed: int) -> None:
    row = _row("cancel", "booking")
    row["tools"] += [_tool(name) for name in ("list_bookings", "list_rooms", "get_room", "find_gates", "open_gate")]
    others = [_tool(name) for name in ("search_bookings", "cancel_my_booking", "send_parcel", "list_parcels")]
    found = offered_otherwise(row, others, Random(seed))
    names = [tool["function"]["name"] for tool in found["tools"]]
    assert "cancel_booking" in names, "it is called"
    assert len(set(names)) == len(names)
    assert not {"search_bookings", "cancel_my_booking"} & set(names), "they are about what another one is about"
    assert found["messages"] == row["messages"]


def test_the_order_of_tools_tells_nothing_and_neither_does_how_many_there_are() -> None:
    row = _row("cancel", "booking")
    row["tools"] += [_tool(name) for name in ("list_bookings", "list_rooms", "get_room", "find_gates", "open_gate")]
    others = [_tool(name) for name in ("send_parcel", "list_parcels")]
    offered = [
        [tool["function"]["name"] for tool in offered_otherwise(row, others, Random(seed))["tools"]]
        for seed in range(100)
    ]
    assert {names.index("cancel_booking") for names in offered} >= set(range(5))
    for name in ("list_rooms", "send_parcel"):
        assert 0 < sum(name in names for names in offered) < 100


def test_words_that_everybody_has_stay() -> None:
    row = _row("list", "price_cents")
    for seed in range(20):
        words = exchanged(row, ["parcel", "van", "tree", "gate"], Random(seed))
        assert set(words) <= {"price"}
    assert name_words(row["tools"]) == {"price"}


def test_the_fields_of_results_have_other_words_too() -> None:
    row = _row("get", "parcel")
    row["messages"][1]["content"] = "Tell me the weight of parcel 7."
    row["messages"][3]["content"] = json.dumps({"parcel": {"id": 7, "weight_grams": 12, "stored_since": "2026-01-01"}})
    row["messages"][4]["content"] = "weight grams: 12"
    words = [exchanged(row, ["tree", "gate", "van", "oak", "elm"], Random(seed)) for seed in range(20)]
    assert {word for one in words for word in one} == {"parcel", "weight", "gram", "stored"}, "not get, and not since"
    other = in_other_words(row, {"weight": "gate", "gram": "oak"})
    assert [one["content"] for one in other["messages"][1::2]] == [
        "Tell me the gate of parcel 7.",
        '{"parcel": {"id": 7, "gate_oaks": 12, "stored_since": "2026-01-01"}}',
    ]
    assert other["messages"][4]["content"] == "gate oaks: 12"


def test_where_no_other_words_are_known_none_are_exchanged() -> None:
    assert exchanged(_row("cancel", "booking"), ["cancel", "booking"], Random(0)) == {}


def test_a_tool_that_lists_is_named_otherwise_where_it_is_offered_and_called() -> None:
    row = with_names(_row("list", "bookings"), {"list_bookings": "search_my_bookings"})
    assert row["tools"][0]["function"]["name"] == "search_my_bookings"
    assert row["messages"][2]["tool_calls"][0]["function"]["name"] == "search_my_bookings"
    assert row["messages"][3]["name"] == "search_my_bookings"
    assert row["messages"][1]["content"] == "List my bookings 7."


def test_only_tools_that_list_are_named_otherwise_and_all_keep_names_of_their_own() -> None:
    offered = [
        "list_my_bookings",
        "list_bookings",
        "search_bookings",
        "find_rooms",
        "get_room",
        "list_room",
        "book_room",
    ]
    tools = [{"type": "function", "function": {"name": name}} for name in offered]
    renamed = set[str]()
    for seed in range(50):
        names = listed_otherwise(tools, Random(seed))
        assert len({names.get(name, name) for name in offered}) == len(offered)
        assert all(old.split("_")[-1] == new.split("_")[-1] for old, new in names.items())
        assert all(("_my_" in old) == ("_my_" in new) for old, new in names.items() if old.endswith("_bookings"))
        renamed |= set(names)
    assert renamed == {name for name in offered if name.startswith(("list_", "search_", "find_"))}
