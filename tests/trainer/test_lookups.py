"""What is looked up is written down where the results show it, by the words of the request, and never made up."""

import json
from typing import Any

from envfactory_dagster.language.messages import ChatAnswer, Choice, Usage
from envfactory_dagster.rollouts.prompts import report_due
from envfactory_dagster.rollouts.reading import read
from trainer.corpus import conversations
from trainer.examples import examples
from trainer.lookups import with_lookups
from trainer.rendering import Renderer
from trainer.tokenizers import train_tokenizer

_ROOMS = {
    "rooms": [
        {"id": 3, "name": "Attic", "beds": 2, "house_id": 7, "opens_at": "2026-05-20T16:00:00"},
        {"id": 5, "name": "Cellar", "beds": 2, "house_id": 8, "opens_at": "2026-06-01T09:30:00"},
    ]
}


def _conversation(request: str, *messages: dict[str, Any]) -> list[dict[str, Any]]:
    row = {"tools": [], "messages": [{"role": "user", "content": request}, *messages]}
    found: list[dict[str, Any]] = with_lookups(row)["messages"]
    return found


def _call(name: str, **arguments: Any) -> dict[str, Any]:
    function = {"name": name, "arguments": json.dumps(arguments)}
    return {"role": "assistant", "content": None, "tool_calls": [{"id": "c", "type": "function", "function": function}]}


def _told(result: dict[str, Any]) -> dict[str, Any]:
    return {"role": "tool", "content": json.dumps(result), "tool_call_id": "c"}


def _says(text: str) -> dict[str, Any]:
    return {"role": "assistant", "content": text}


def _before_answer(request: str, answer: str, result: dict[str, Any]) -> str:
    *_, last = _conversation(request, _call("list_rooms"), _told(result), _says(answer))
    content = str(last["content"])
    assert content.endswith(answer)
    return content.removesuffix(answer)


def _before_call(request: str, call: dict[str, Any], result: dict[str, Any]) -> str | None:
    *_, last = _conversation(request, _call("list_rooms"), _told(result), call)
    assert last["tool_calls"] == call["tool_calls"]
    content: str | None = last["content"]
    return content


def test_an_answer_comes_from_the_row_that_the_request_names() -> None:
    thought = _before_answer("Tell me the beds of the room “Cellar”.", "beds: 2", _ROOMS)
    assert thought == "<think>\nCellar#5 beds#5: 2</think>\n"


def test_each_part_of_an_answer_is_looked_up() -> None:
    thought = _before_answer("The beds of the Attic? The house of the Cellar?", "beds: 2; house id: 8", _ROOMS)
    assert thought == "<think>\nAttic#3 beds#3: 2; Cellar#5 house_id#5: #8</think>\n"


def test_a_row_may_be_known_by_a_day_and_an_hour() -> None:
    thought = _before_answer("The name of the room that opens on 1 June 2026 at 09:30?", "name: Cellar", _ROOMS)
    assert thought == "<think>\n2026-06-01T09:30:00#5 name#5: Cellar</think>\n"


def test_what_all_rows_have_in_common_tells_less_than_what_one_has() -> None:
    thought = _before_answer("With beds 2: the house id of the Attic?", "house id: 7", _ROOMS)
    assert thought == "<think>\nAttic#3 house_id#3: #7</think>\n"


def test_the_only_row_needs_no_words_of_the_request() -> None:
    thought = _before_answer("What is my city, Ada?", "city: Ulm", {"guest": {"id": 1, "name": "Ada", "city": "Ulm"}})
    assert thought == "<think>\n#1 city#1: Ulm</think>\n"


def test_a_call_names_the_row_it_is_about() -> None:
    call = _call("book_room", room_id=5, nights=2)
    assert _before_call("Book the room “Cellar”.", call, _ROOMS) == "book room: book_room; Cellar#5"


def test_an_id_may_come_from_a_row_that_belongs_to_it() -> None:
    call = _call("book_house", house_id=8)
    found = _before_call("Book the house of the room “Cellar”.", call, _ROOMS)
    assert found == "book house: book_house; Cellar#5 house_id#5: #8"


def test_a_tool_is_looked_up_as_it_is_shown() -> None:
    tools = [{"type": "function", "function": {"name": "list_my_early_bookings", "parameters": {}}}]
    call = _call("list_my_early_bookings")
    request = {"role": "user", "content": "How many early bookings do I have?"}
    (text,) = conversations([with_lookups({"tools": tools, "messages": [request, call]})])
    assert "\nearly booking: list_my_early_bookings()</tools>" in text
    assert "\nearly booking: list_my_early_bookings<tool_call>" in text


def test_a_call_says_what_comes_after_it_and_what_that_needs() -> None:
    booked = _call("book_room", room_id=5), _told({"ok": True})
    messages = _conversation("Book the room “Cellar”.", _call("list_rooms"), _told(_ROOMS), *booked, _says("Done."))
    assert messages[1]["content"] == "book room: book_room(room_id); room: list_rooms"
    assert messages[3]["content"] == "book room: book_room; Cellar#5"


def test_each_call_plans_what_the_one_before_it_did_but_for_what_is_done() -> None:
    house = _call("list_owners_of_house", house_id=8), _told({"owners": [{"id": 40, "name": "Ada"}]})
    wrote = _call("write_to_owner", owner_id=40), _told({"ok": True})
    messages = _conversation(
        "To the owner of the Cellar!", _call("list_rooms"), _told(_ROOMS), *house, *wrote, _says("Done.")
    )
    assert [one["content"] for one in messages[1:6:2]] == [
        "write to owner: write_to_owner(owner_id); owner of house: list_owners_of_house(house_id); room: list_rooms",
        "write to owner: write_to_owner(owner_id); owner of house: list_owners_of_house; Cellar#5 house_id#5: #8",
        "write to owner: write_to_owner; #40",
    ]


_BOOKINGS = {"bookings": [{"id": 3, "code": "B-1", "opens_at": "2027-01-01T08:00:00"}]}


def test_what_an_answer_says_is_noted_as_soon_as_it_is_read_and_once() -> None:
    bookings = _call("list_bookings"), _told(_BOOKINGS)
    paid = _call("pay_booking", booking_id=3), _told({"ok": True})
    messages = _conversation(
        "When does the Attic open? Pay my booking B-1, and when does it open?",
        *(_call("list_rooms"), _told(_ROOMS), *bookings, *paid),
        _says("opens at: 2026-05-20T16:00:00; opens at: 2027-01-01T08:00:00"),
    )
    assert [one["content"] for one in messages[3:8:2]] == [
        "Attic#3 opens_at#3: 2026-05-20T16:00:00; pay booking: pay_booking(booking_id); booking: list_bookings",
        "#3 opens_at#3: 2027-01-01T08:00:00; pay booking: pay_booking; #3",
        "<think>\nAttic#3 opens_at#3: 2026-05-20T16:00:00; #3 opens_at#3: 2027-01-01T08:00:00</think>\n"
        "opens at: 2026-05-20T16:00:00; opens at: 2027-01-01T08:00:00",
    ]


def test_nothing_is_noted_for_what_the_user_asks_later() -> None:
    asks = {"role": "user", "content": "The beds of the Attic?"}
    messages = _conversation(
        "Book the Attic.", _call("list_rooms"), _told(_ROOMS), _call("book_room", room_id=3), _told({"ok": True}),
        _says("Done."), asks, _says("beds: 2"),
    )  # fmt: skip
    assert messages[3]["content"] == "book room: book_room; Attic#3"


def test_what_is_known_is_not_needed_any_more() -> None:
    houses = _call("list_houses"), _told({"houses": [{"id": 5, "name": "Mill"}]})
    booked = _call("book_room", room_id=5), _told({"ok": True})
    calls = _call("list_rooms"), _told(_ROOMS), *houses, *booked, _says("Done.")
    messages = _conversation("List the houses and book the Cellar.", *calls)
    assert messages[3]["content"] == "book room: book_room; house: list_houses"


def test_calls_that_are_made_at_once_are_planned_and_made_in_one_order() -> None:
    profile, rooms, houses = _call("get_profile"), _call("list_rooms"), _call("list_houses")
    both = {**rooms, "tool_calls": rooms["tool_calls"] + houses["tool_calls"]}
    first, _, second, *_ = _conversation("All of it.", profile, _told({}), both, _told({}), _told({}), _says("Done."))[
        1:
    ]
    assert first["content"] == "house: list_houses; room: list_rooms; get profile: get_profile"
    assert second["content"] == "house: list_houses; room: list_rooms"


def test_how_often_something_will_be_done_is_not_foretold() -> None:
    booked = [one for number in (3, 5) for one in (_call("book_room", room_id=number), _told({"ok": True}))]
    messages = _conversation("Book all.", _call("list_rooms"), _told(_ROOMS), *booked, _says("Done."))
    assert messages[1]["content"] == "book room: book_room(room_id); room: list_rooms"
    assert messages[3]["content"] == "book room: book_room; #3"


def test_another_thing_with_the_same_number_is_not_what_is_needed() -> None:
    kinds = _call("list_room_kinds"), _told({"room_kinds": [{"id": 5, "name": "Large"}, {"id": 6, "name": "Small"}]})
    booked = _call("book_room", room_id=5), _told({"ok": True})
    calls = *kinds, _call("list_rooms"), _told(_ROOMS), *booked, _says("Done.")
    assert _conversation("Book the Cellar.", *calls)[3]["content"] == "book room: book_room(room_id); room: list_rooms"


def test_an_episode_that_was_cut_into_steps_plans_in_no_step_what_another_does_not_show() -> None:
    messages = [
        {"role": "user", "content": "Book it."},
        _call("list_rooms"),
        _told(_ROOMS),
        _call("book_room", room_id=5),
    ]
    for step, end in ((0, 2), (1, 4)):
        shown = with_lookups({"tools": [], "step": step, "messages": messages[:end]})["messages"]
        assert shown[1]["content"] == "room: list_rooms"


def test_nothing_is_planned_that_nobody_has_asked_for_yet() -> None:
    later = {"role": "user", "content": "Book the room “Cellar” too."}
    booked = _call("book_room", room_id=5), _told({"ok": True})
    said = _call("list_rooms"), _told(_ROOMS), _says("Attic; Cellar")
    assert _conversation("Which rooms?", *said, later, *booked)[1]["content"] == "room: list_rooms"


def test_what_no_result_has_said_is_not_looked_up() -> None:
    assert _before_answer("Tell me the beds of the Attic.", "beds: 3", _ROOMS) == ""
    assert _before_call("Book the room 9.", _call("book_room", room_id=9), _ROOMS) == "book room: book_room"
    assert _before_answer("Cancel it.", "It is done.", _ROOMS) == ""


def test_whatever_stands_in_a_conversation_it_is_read() -> None:
    odd = {"rooms": [{"id": 1, "opens_on": "2026-02-30"}, {"id": 2, "opens_on": "2026-02-03"}]}
    broken = {"id": "c", "type": "function", "function": {"name": "book_room", "arguments": '{"room_id": '}}
    found = _conversation(
        "Book the room of 3 February 2026.", _told(odd), {"role": "tool", "content": "no JSON", "tool_call_id": "c"},
        {"role": "assistant", "content": None, "tool_calls": [broken]}, {"role": "assistant", "content": None},
    )  # fmt: skip
    assert [one["content"] for one in found[-2:]] == ["book room: book_room", None]


def test_rows_without_a_number_are_told_apart_too() -> None:
    rooms = {"rooms": [{"id": "R3", "name": "Attic", "beds": 2}, {"id": "R5", "name": "Cellar", "beds": 4}]}
    assert _before_answer("The beds of the Cellar?", "beds: 4", rooms) == "<think>\nCellar beds: 4</think>\n"


def test_what_a_later_part_asks_for_serves_no_earlier_one() -> None:
    rooms = {
        "rooms": [
            {"id": 3, "name": "Attic", "beds": 2, "floor": 1},
            {"id": 5, "name": "Cellar", "beds": 2, "floor": 3, "price": 40},
        ]
    }
    request = "Tell me the beds of the Attic. Finally, tell me the price of the room with floor 3."
    thought = _before_answer(request, "beds: 2; price: 40", rooms)
    assert thought == "<think>\nAttic#3 beds#3: 2; 3#5 price#5: 40</think>\n"


_TWO_REQUESTS = (
    "The beds of the Attic?", _call("list_rooms"), _told(_ROOMS), _says("beds: 2"),
    {"role": "user", "content": "And the beds of the Cellar?"}, _says("beds: 2"),
)  # fmt: skip


def test_the_latest_request_counts() -> None:
    assert _conversation(*_TWO_REQUESTS)[-1]["content"] == "<think>\nCellar#5 beds#5: 2</think>\nbeds: 2"


def test_a_policy_is_taught_no_thought_that_it_would_not_be_shown() -> None:
    assert _conversation(*_TWO_REQUESTS)[3]["content"] == "beds: 2"


def test_an_exercise_keeps_what_was_looked_up_before() -> None:
    request, *messages = _TWO_REQUESTS
    row = {"tools": [], "messages": [{"role": "user", "content": request}, *messages]}
    assert with_lookups(row, kept=True)["messages"][3]["content"] == "<think>\nAttic#3 beds#3: 2</think>\nbeds: 2"


def test_the_conversation_it_was_given_stays_as_it_was() -> None:
    answer = _says("beds: 2")
    row = {"messages": [{"role": "user", "content": "Beds?"}, _told({"room": {"id": 1, "beds": 2}}), answer]}
    assert with_lookups(row) != row
    assert answer == _says("beds: 2")


def test_what_is_taught_is_what_a_policy_that_wrote_it_is_shown() -> None:
    """The tokens of each message are read as a policy's own; the next prompt begins as the example does."""
    told = [_call("list_rooms"), _told(_ROOMS), _call("book_room", room_id=5), _told({"ok": True}), _says("beds: 2")]
    messages = _conversation("Book the room “Cellar” and tell me its beds.", *told)
    tools = [{"type": "function", "function": {"name": name, "parameters": {}}} for name in ("list_rooms", "book_room")]
    row = {"messages": messages, "tools": tools}
    renderer = Renderer(train_tokenizer(list(conversations([row] * 20)), 800))
    (example,) = examples(renderer, [row], "trajectories")
    history = messages[:1]
    for message in messages[1:]:
        if message["role"] == "assistant":
            prompt = renderer.prompt(history, tools)
            assert prompt == example.ids[: len(prompt)]
            end = example.ids.index(renderer.end, len(prompt)) + 1
            choice = Choice(renderer.read(example.ids[len(prompt) : end]), "stop", None, None)
            said = read(ChatAnswer((choice,), None, Usage(), False, "policy"), 0)
            message = said.message
        history.append(message)
    assert (said.reasoning, said.text) == ("Cellar#5 beds#5: 2", "beds: 2")


# -- reports -----------------------------------------------------------------------------------------------------------


def _reports(message: str, **answers: Any) -> dict[str, Any]:
    return _call("finish", outcome="done", answers=answers, reason=None, message=message)


def test_what_a_report_answers_is_looked_up_beside_it() -> None:
    listed = _call("list_rooms"), _told(_ROOMS)
    *_, last = _conversation("The beds of the Attic?", *listed, _reports("Two.", beds=2, opens_at=None))
    assert last["content"] == "Attic#3 beds#3: 2"
    assert last["tool_calls"] == _reports("Two.", beds=2, opens_at=None)["tool_calls"]
    *_, last = _conversation("Which rooms are there?", *listed, _reports("Both.", names=["Attic", "Cellar"]))
    assert last["content"] == "#3 name#3: Attic; #5 name#5: Cellar"
    *_, last = _conversation("Book it.", *listed, _reports("It is done."))
    assert last["content"] is None


def test_what_a_report_answers_is_noted_like_an_answer_and_the_report_is_no_plan() -> None:
    booked = _call("book_room", room_id=5), _told({"ok": True})
    asks = "Tell me the beds of the Attic. Finally, book the Cellar."
    messages = _conversation(asks, _call("list_rooms"), _told(_ROOMS), *booked, _reports("Two.", beds=2))
    assert [one["content"] for one in messages[1::2]] == [
        "book room: book_room(room_id); room: list_rooms",
        "Attic#3 beds#3: 2; book room: book_room; Cellar#5",
        "Attic#3 beds#3: 2",
    ]


def test_that_a_report_is_due_is_no_request() -> None:
    due = {"role": "user", "content": f"Thank you.\n\n{report_due('finish')}"}
    said = _call("list_rooms"), _told(_ROOMS), _says("beds: 2"), due
    assert (
        _conversation("The beds of the Attic?", *said, _reports("Two.", beds=2))[-1]["content"] == "Attic#3 beds#3: 2"
    )
