"""Exercises can be done with what they show, and come before the examples."""

import json
import re
from collections import Counter
from collections.abc import Iterator
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


def _requests(row: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    """What was asked, the row that it is about, as it is by then, and the message that answers it."""
    (found,) = json.loads(next(one["content"] for one in row["messages"] if one["role"] == "tool")).values()
    messages = [one for one in row["messages"] if one["role"] != "tool"]
    del messages[2]  # the call that lists the rows
    for asks, does in pairwise(messages):
        if asks["role"] == "user":
            _, name, _ = re.split("[“”]", asks["content"])
            (meant,) = [one for one in found if name in one.values()]
            yield asks["content"], meant, does
            for call in does.get("tool_calls") or []:
                meant |= {k: v for k, v in json.loads(call["function"]["arguments"]).items() if k in meant}


def test_what_is_answered_stands_in_the_row_that_is_meant() -> None:
    asked = 0
    for row in _made():
        for request, meant, does in _requests(row):
            if request.startswith("Please tell me the "):
                field, _, value = does["content"].partition(": ")
                assert request.startswith(f"Please tell me the {field} of the ")
                assert value == str(meant[field.strip().replace(" ", "_")])
                asked += 1
    assert asked > 40


def test_whoever_is_called_for_a_row_is_given_its_id() -> None:
    called = 0
    for row in _made():
        for _, meant, does in _requests(row):
            for call in does.get("tool_calls") or []:
                assert next(iter(json.loads(call["function"]["arguments"]).values())) == meant["id"]
                called += 1
    assert called > 40


def test_which_tools_have_parameters_does_not_tell_the_right_one() -> None:
    for row in _made():
        for tool in row["tools"]:
            name, parameters = tool["function"]["name"], list(tool["function"]["parameters"]["properties"])
            verb, _, thing = name.partition("_")
            if verb in ("list", "search", "find"):
                assert parameters == []
            else:
                assert parameters[0] == f"{thing}_id"


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
    for one in batches:
        longest = max(lengths[place] for place in one)
        assert len(one) == 1 or len(one) * longest <= tokens + longest / 2, "hardly longer than wanted"
        assert len(set(one)) == len(one), "none meets itself"
    assert batches == list(Batches(lengths, first, tokens, epochs, None, seed))
    most = data.draw(st.integers(1, 100))
    cut = list(Batches(lengths, first, tokens, epochs, most, seed))
    assert len(cut) == most, "as long as the run"
