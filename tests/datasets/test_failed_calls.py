"""Which failed calls can be left out of an episode, and which an episode cannot do without."""

import pytest

from envfactory_dagster.contracts.trajectory import Step
from envfactory_dagster.datasets.failed_calls import without_failed_calls
from tests.truth.episodes import episode, says, step

ASKED = "You are the assistant of a shop. Please order the lamp."
LOST = step("get_item", {"item_id": 9}, "agent", error="item 9 was moved to shelf K-77")
FOUND = step("list_items", value={"items": [{"id": 3, "name": "lamp"}]})
ORDERED = step("place_order", {"item_id": 3}, value={"order_id": 1})


def left(*steps: Step, kind: str = "action") -> list[str] | None:
    """The tools that are called in what is left; None when the episode cannot be had without its failed calls."""
    cleaned = without_failed_calls(episode(*steps).steps, ASKED, kind)
    return None if cleaned is None else [call.name for one in cleaned.steps for call in one.calls]


def test_what_failed_and_left_no_trace_is_gone():
    assert left(LOST, FOUND, ORDERED, says("The lamp is on its way.")) == ["list_items", "place_order"]


def test_the_steps_that_are_left_keep_their_numbers():
    cleaned = without_failed_calls(episode(LOST, FOUND, says("There is a lamp.")).steps, ASKED, "information")
    assert cleaned is not None and cleaned.removed == 1
    assert [one.number for one in cleaned.steps] == [1, 2]


@pytest.mark.parametrize(
    "later",
    [
        says("It is on shelf K-77."),
        says("It is there.", reasoning="The shelf is what I was told."),
        step("place_order", {"item_id": 3, "note": "K-77"}),
    ],
)
def test_what_only_a_failed_call_told_may_not_be_used(later: Step):
    assert left(LOST, FOUND, later, says("Done.")) is None


def test_what_is_told_again_may_be_used():
    again = step("list_items", value={"items": [{"id": 3, "shelf": "K-77"}]})
    assert left(LOST, again, says("It is on shelf K-77.")) == ["list_items"]


@pytest.mark.parametrize("text", ["That did not work.", "Sorry, once more.", "I try the list instead."])
def test_the_next_message_may_not_speak_of_the_failure(text: str):
    assert left(LOST, FOUND.model_copy(update={"text": text}), says("Done.")) is None


@pytest.mark.parametrize("kind", ["refusal", "unable"])
def test_where_a_refusal_is_the_answer_the_refused_call_stays(kind: str):
    assert left(LOST, says("It cannot be had."), kind=kind) == ["get_item"]


def test_only_the_failed_ones_of_several_calls_go():
    together = LOST.model_copy(
        update={
            "calls": [LOST.calls[0], FOUND.calls[0].model_copy(update={"id": "b"})],
            "observations": [LOST.observations[0], FOUND.observations[0].model_copy(update={"call": "b"})],
        }
    )
    assert left(together, ORDERED, says("Done.")) == ["list_items", "place_order"]


def test_calls_of_the_person_are_nobodys_fault():
    declined = step("confirm_order", {"order_id": 1}, "agent", error="there is no order 1", principal="user")
    assert left(FOUND, declined, says("Done.")) == ["list_items", "confirm_order"]
