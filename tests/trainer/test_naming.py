"""A tool is found by words that a request would say."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trainer.naming import about


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("list_my_stock_moves", "stock move"),
        ("search_flushes", "flush"),
        ("list_stock_levels_of_flush", "stock level of flush"),
        ("list_calls_for_applications", "call for application"),
        ("search_my_policies", "policy"),
        ("book_room", "book room"),
        ("get_my_profile", "get profile"),
        ("add_to_order", "add to order"),
        ("find", "find"),
        ("my_", ""),
    ],
)
def test_one_and_many_listed_and_searched_are_said_alike(name: str, said: str) -> None:
    assert about(name) == said


@settings(deadline=None)
@given(st.text())
def test_whatever_a_tool_is_called(name: str) -> None:
    assert "_" not in about(name)
