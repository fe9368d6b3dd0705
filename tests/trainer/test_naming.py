"""A tool is found by words that a request would say."""

from string import ascii_lowercase

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trainer.naming import about
from trainer.plurals import plural, singular


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


_nouns = st.text(ascii_lowercase, min_size=1, max_size=12).filter(
    lambda one: singular(one) == one == singular(plural(one))
)


@settings(deadline=None)
@given(_nouns, st.sampled_from(["list_", "list_my_", "search_", "search_my_", "find_"]))
def test_whoever_asks_for_one_finds_the_tool_for_many(noun: str, verb: str) -> None:
    assert about(verb + plural(noun)) == noun


@settings(deadline=None)
@given(st.text())
def test_whatever_a_tool_is_called(name: str) -> None:
    assert "_" not in about(name)
