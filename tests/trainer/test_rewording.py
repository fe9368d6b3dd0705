"""Examples in other words: everything that belonged together still does."""

import json
from random import Random
from typing import Any

from trainer.rewording import exchanged, in_other_words, listed_otherwise, reworded, with_names


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
    assert found["messages"][3]["content"] == '{"slot_id": 7}'


def test_the_frame_of_a_schema_keeps_its_words() -> None:
    row = _row("describe", "type")
    frame = in_other_words(row, {"type": "kind", "object": "thing"})["tools"][0]["function"]["parameters"]
    assert frame["type"] == "object"
    assert frame["properties"] == {"kind_id": {"type": "integer", "description": "Id of the kind."}}


def test_copies_differ_and_are_the_same_every_time() -> None:
    rows = [_row("cancel", "booking"), _row("send", "parcel"), _row("cancel", "booking")]
    copies = reworded(rows, 2, seed=3)
    assert copies == reworded(rows, 2, seed=3)
    assert len(copies) == 6
    assert copies[0]["tools"] == copies[2]["tools"], "rows with the same tools belong together"
    assert any(copy["tools"] not in [row["tools"] for row in rows] for copy in copies)


def test_where_no_other_words_are_known_none_are_exchanged() -> None:
    assert exchanged(_row("cancel", "booking"), ["cancel", "booking"], Random(0)) == {}


def test_a_tool_that_lists_is_named_otherwise_where_it_is_offered_and_called() -> None:
    row = with_names(_row("list", "bookings"), {"list_bookings": "search_my_bookings"})
    assert row["tools"][0]["function"]["name"] == "search_my_bookings"
    assert row["messages"][2]["tool_calls"][0]["function"]["name"] == "search_my_bookings"
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
