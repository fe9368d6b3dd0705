"""Recorded steps as messages."""

from envfactory_dagster.rollouts.history import exchange, heard, said
from tests.truth.episodes import says, step


def test_a_call_and_what_it_gave_back():
    one = step("get_item", {"item_id": 1}, value={"name": "lamp"}, reasoning="Look first.")
    assert exchange(one) == [
        {
            "role": "assistant",
            "content": "",
            "tool_calls": [
                {"id": "a", "type": "function", "function": {"name": "get_item", "arguments": '{"item_id":1}'}}
            ],
        },
        {"role": "tool", "tool_call_id": "a", "name": "get_item", "content": '{"name":"lamp"}'},
    ]


def test_what_a_person_does_with_tools_of_their_own_is_not_shown_to_the_agent():
    asked = says("Please confirm the order.")
    done = step("confirm_order", {"order_id": 1}, value={"confirmed": True}, principal="user")
    both = asked.model_copy(update={"calls": done.calls, "observations": done.observations, "reply": "I did."})
    assert said(both) == {"role": "assistant", "content": "Please confirm the order."}
    assert heard(both) == [{"role": "user", "content": "I did."}]
