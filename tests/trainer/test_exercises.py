"""Exercises can be done with what they show, and come before the examples."""

import json
import re
from collections import Counter
from itertools import chain, pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trainer.exercises import WORDS, Exercises
from trainer.failures import RecipeError
from trainer.ordering import Batches

_ROWS = [{"tools": [{"type": "function", "function": {"name": f"get_{letter * 5}", "parameters": {}}}]}
         for letter in "abcdefghijklmnopqrstuvwxyz"]  # fmt: skip


def _made() -> list[dict[str, Any]]:
    exercises = Exercises(_ROWS, seed=1)
    return [exercises.another(number / 60) for number in range(60)]


def test_every_call_is_of_a_tool_that_is_offered_with_parameters_it_has() -> None:
    for row in _made():
        offered = {tool["function"]["name"]: tool["function"]["parameters"]["properties"] for tool in row["tools"]}
        for message in row["messages"]:
            for call in message.get("tool_calls") or []:
                function = call["function"]
                assert set(json.loads(function["arguments"])) <= set(offered[function["name"]])


def test_what_is_answered_was_read() -> None:
    for row in _made():
        requests = [str(one["content"]) for one in row["messages"] if one["role"] == "user"]
        answers = [str(one["content"]) for one in row["messages"] if one["role"] == "assistant" and one["content"]]
        assert len(requests) == len(answers)
        rows = next(str(one["content"]) for one in row["messages"] if one["role"] == "tool")
        for request, answer in zip(requests, answers, strict=True):
            if answer != "It is done.":
                _, _, value = answer.partition(": ")
                assert value in rows
                assert request.startswith("Please tell me the ")


def test_whoever_is_called_for_a_row_is_given_its_id() -> None:
    for row in _made():
        (found,) = json.loads(next(one["content"] for one in row["messages"] if one["role"] == "tool")).values()
        for asks, does in pairwise(row["messages"]):
            call = (does.get("tool_calls") or [None])[0]
            if asks["role"] == "user" and call is not None and json.loads(call["function"]["arguments"]):
                _, name, _ = re.split("[“”]", asks["content"])
                (meant,) = [one for one in found if name in one.values() and name in (one.get("name"), *_names(one))]
                assert next(iter(json.loads(call["function"]["arguments"]).values())) == meant["id"]


def _names(row: dict[str, Any]) -> list[Any]:
    return [value for field, value in row.items() if field.endswith("_name")]


def test_they_become_harder() -> None:
    lengths = [len(json.dumps(row)) for row in _made()]
    assert sum(lengths[:30]) < sum(lengths[-30:]) / 1.3


def test_they_are_the_same_every_time_and_none_is_like_another() -> None:
    assert _made() == _made()
    assert len({json.dumps(row) for row in _made()}) == 60


def test_too_few_words_are_refused() -> None:
    with pytest.raises(RecipeError, match=f"need {WORDS} different words"):
        Exercises(_ROWS[:3], seed=0)


lengths = st.lists(st.integers(1, 50), min_size=1, max_size=60)


@given(lengths, st.data(), st.floats(0.1, 5), st.integers(20, 300), st.integers(0, 3))
def test_exercises_come_first_and_all_examples_equally_often(
    lengths: list[int], data: st.DataObject, epochs: float, tokens: int, seed: int
) -> None:
    first = data.draw(st.integers(0, len(lengths) - 1))
    batches = list(Batches(lengths, first, tokens, epochs, None, seed))
    order = list(chain.from_iterable(batches))
    assert sorted(order[:first]) == list(range(first))
    times = Counter(order[first:])
    assert sum(times.values()) == round(epochs * (len(lengths) - first))
    assert max(times.values(), default=0) - min(times[place] for place in range(first, len(lengths))) <= 1
    assert all(len(one) == 1 or len(one) * max(lengths[place] for place in one) <= tokens for one in batches)
    assert batches == list(Batches(lengths, first, tokens, epochs, None, seed))
    most = data.draw(st.integers(1, 100))
    cut = list(Batches(lengths, first, tokens, epochs, most, seed))
    assert len(cut) == most, "as long as the run"
