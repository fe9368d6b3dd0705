"""What the embedded solver reckons and decides: figures over lists, conditions, changes to all that fit, chains."""

from typing import Any

import pytest

from envfactory_dagster.language.embedded.roles.catalogue import native
from envfactory_dagster.language.embedded.roles.things import Reader, UnclearError, Unread
from tests.language.embedded.test_roles import tool
from tests.language.embedded.test_solver import LOAN_TOOLS, Answers, chat

BOATS = [
    {"id": 1, "name": "Otter", "status": "free", "metres": 6, "warden_id": 8, "price_cents": 4500},
    {"id": 2, "name": "Heron", "status": "free", "metres": 9, "warden_id": 9, "price_cents": 2500},
    {"id": 3, "name": "Swan", "status": "on_trip", "metres": 4, "warden_id": 8, "price_cents": 1500},
]
LOANS = [
    {"id": 4, "boat_id": 1, "status": "open", "cost_cents": 900, "asked_at": "2026-02-01T10:00:00"},
    {"id": 5, "boat_id": 2, "status": "open", "cost_cents": 700, "asked_at": "2026-01-01T10:00:00"},
    {"id": 6, "boat_id": 2, "status": "over", "cost_cents": 300, "asked_at": "2025-01-01T10:00:00"},
]
TRIPS = {1: [{"id": 1, "hours": 2}, {"id": 2, "hours": 5}], 2: [{"id": 3, "hours": 9}], 3: []}
WARDENS = {8: {"id": 8, "name": "Ola", "phone": "+1-555-0108"}, 9: {"id": 9, "name": "Per", "phone": "+1-555-0109"}}
BOAT_ID = {"type": "integer", "description": "Id of the boat."}
WARDEN_ID = {"type": "integer", "description": "Id of the warden."}
TOOLS = [
    tool("list_boats", "List the boats. Read-only.", "{boats: [{id, name, status, metres, warden_id, price_cents}]}"),
    tool("list_trips", "List the trips of a boat. Read-only.", "{trips: [{id, hours}]}", boat_id=BOAT_ID),
    tool("get_warden", "Get a warden. Read-only.", "{warden: {id, name, phone}}", warden_id=WARDEN_ID),
    tool("list_my_loans", "List the person's own loans. Read-only.", "{loans: [{id, boat_id, status, cost_cents}]}"),
    LOAN_TOOLS[1],
]
ANSWERS: Answers = {
    "list_boats": lambda _: {"boats": BOATS},
    "list_trips": lambda asked: {"trips": TRIPS[asked["boat_id"]]},
    "get_warden": lambda asked: {"warden": WARDENS[asked["warden_id"]]},
    "list_my_loans": lambda _: {"loans": LOANS},
    "cancel_loan": lambda asked: asked,
}


def talk(*said: str) -> tuple[list[Any], list[str]]:
    calls, heard = chat(list(said), TOOLS, ANSWERS, ask=len(said) > 1)
    return [arguments["loan_id"] for name, arguments in calls if name == "cancel_loan"], heard


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("how many boats that are free there are", "The number is 2."),
        ("how many boats that are on trip there are", "The number is 1."),
        ("how many loans of mine with status over there are", "The number is 1."),
        ("how many loans of mine whose cost is above 500 cents there are", "The number is 2."),
        ("how many trips the boats have altogether", "The number is 3; the largest share is 2, of Otter."),
        ("what the highest price among the boats is, in cents", "The highest is 4500."),
        ("what the lowest price among the boats that are free is, in cents", "The lowest is 2500."),
        ("what the cost of all my loans adds up to, in cents", "Together it is 1900."),
        ("what the hours of all trips of the boats add up to", "Together it is 16; the largest share is 9, of Heron."),
    ],
)
def test_figures_are_reckoned_over_whole_lists(asked: str, told: str) -> None:
    assert talk(f"Please tell me {asked}.") == ([], [told])


def test_two_figures_are_held_against_each_other() -> None:
    asked = "Find out how many boats there are, and how many trips the boats that are free have."
    assert talk(f"{asked} Say how far apart they are.")[1] == [
        "The number is 3. The number is 3; the largest share is 2, of Otter. They are 3 and 3, 0 apart."
    ]


def test_a_condition_decides_what_else_is_told() -> None:
    asked = "Find out how many boats there are, and how many boats that are free there are. "
    more = "If the first is larger, tell me also how many loans of mine there are; "
    heard = talk(asked + more + "otherwise tell me how many trips the boats have.")[1][0]
    assert heard.endswith("That is the case. The number is 3. That is not the case.")


def test_a_verb_of_two_words_does_the_same() -> None:
    assert talk("Call off the loan with the highest cost among my loans that are open.")[0] == [4]


@pytest.mark.parametrize(("limit", "cancelled"), [(2, [4]), (3, [5])])
def test_a_condition_decides_what_is_done(limit: int, cancelled: list[int]) -> None:
    asked = f"Tell me how many boats there are. If it is more than {limit}, cancel the loan with the highest cost "
    assert talk(f"{asked}among my loans that are open. Otherwise cancel the one with the lowest cost.")[0] == cancelled


def test_a_figure_and_a_condition_are_remembered_for_the_next_request() -> None:
    first, second = (
        "Tell me how many boats there are.",
        "If it is more than 5, cancel the loan with the highest cost among ",
    )
    cancelled, heard = talk(first, f"{second}my loans that are open.", "Otherwise cancel the one that was asked first.")
    assert cancelled == [5]
    assert heard[1].startswith("That is not the case.")


def test_something_is_done_to_all_that_fit_and_to_no_other() -> None:
    assert talk("Please cancel all my loans that are open.")[0] == [4, 5]
    cancelled, heard = talk(
        "Cancel my loans that are open, each and every one. "
        "I also need to know how many boats there are, counted before you begin."
    )
    assert cancelled == [4, 5]
    assert "The number is 3." in heard[0]


def test_what_hangs_on_a_thing_by_several_steps_is_followed() -> None:
    assert talk("Tell me the phone of the warden of the boat with the most metres.")[1] == ["The phone is +1-555-0109."]
    assert talk("Tell me the phone of the warden of the boat of my loan with the highest cost.")[1] == [
        "The phone is +1-555-0108."
    ]


def test_what_is_not_read_yet_is_asked_for_and_what_is_unknown_is_refused() -> None:
    reader = Reader(native(TOOLS), {})
    with pytest.raises(Unread):
        reader.rows("my loans that are open")
    assert reader.wanted == [("list_my_loans", {})]
    with pytest.raises(UnclearError):
        reader.rows("all submarines")
    with pytest.raises(UnclearError):
        reader.rows("loans of mine I regret")


def test_a_list_that_is_cut_short_unless_told_otherwise_is_read_whole() -> None:
    cap = {"type": "integer", "description": "At most so many.", "minimum": 1, "maximum": 50, "default": 20}
    tools = [tool("list_boats", "List the boats. Read-only.", "{boats: [{id, name}]}", limit=cap)]
    tools[0]["function"]["parameters"]["required"] = []
    reader = Reader(native(tools), {})
    with pytest.raises(Unread):
        reader.rows("the boats")
    assert reader.wanted == [("list_boats", {"limit": 50})]
