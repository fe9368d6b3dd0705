"""Exercises can be done with what they show, and come before the examples."""

import json
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trainer.exercises import WORDS, exercises
from trainer.failures import RecipeError
from trainer.ordering import InOrder

_ROWS = [{"tools": [{"type": "function", "function": {"name": f"get_{letter * 5}", "parameters": {}}}]}
         for letter in "abcdefghijklmnopqrstuvwxyz"]  # fmt: skip


def _made() -> list[dict[str, Any]]:
    return list(exercises(_ROWS, 60, seed=1))


def test_every_call_is_of_a_tool_that_is_offered_with_parameters_it_has() -> None:
    for row in _made():
        offered = {tool["function"]["name"]: tool["function"]["parameters"]["properties"] for tool in row["tools"]}
        for message in row["messages"]:
            for call in message.get("tool_calls") or []:
                function = call["function"]
                assert set(json.loads(function["arguments"])) <= set(offered[function["name"]])


def test_what_is_answered_was_read() -> None:
    for row in _made():
        request, *_, result, answer = (str(message["content"]) for message in row["messages"][1:])
        if answer != "It is done.":
            _, _, value = answer.partition(": ")
            assert value in result
            assert value not in request


def test_they_are_the_same_every_time_and_none_is_like_another() -> None:
    assert _made() == _made()
    assert len({json.dumps(row) for row in _made()}) == 60


def test_too_few_words_are_refused() -> None:
    with pytest.raises(RecipeError, match=f"need {WORDS} different words"):
        list(exercises(_ROWS[:3], 1, seed=0))
    assert list(exercises(_ROWS[:3], 0, seed=0)) == []


@given(st.integers(0, 40), st.integers(1, 40), st.integers(0, 120), st.integers(1, 8), st.integers(0, 3))
def test_exercises_come_first_and_all_examples_equally_often(
    first: int, examples: int, more: int, batch: int, seed: int
) -> None:
    lengths = [(place * 7919) % 50 for place in range(first + examples)]
    order = list(InOrder(lengths, first, first + more, batch, seed))
    assert sorted(order[:first]) == list(range(first))
    times = Counter(order[first:])
    assert sum(times.values()) == len(order) - first == more
    assert set(times) <= set(range(first, first + examples))
    assert max(times.values(), default=0) - min(times[place] for place in range(first, first + examples)) <= 1
    assert order == list(InOrder(lengths, first, first + more, batch, seed))
    assert order[: first // 2] == list(InOrder(lengths, first, first // 2, batch, seed)), "a run may end among them"
