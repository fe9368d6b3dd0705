"""Exercises can be done with what they show, and come before and among the examples."""

import calendar
import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, pairwise
from string import ascii_lowercase
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trainer.exercises import WORDS, Exercises
from trainer.failures import RecipeError
from trainer.ordering import Batches

_ROWS = [{"tools": [{"type": "function", "function": {"name": f"get_{letter * 5}", "parameters": {}}}]}
         for letter in [*ascii_lowercase, "ab", "cd", "ef", "gh"]]  # fmt: skip


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


@dataclass(frozen=True)
class Request:
    """What was asked, the rows that it is about, as they are by then, and what was called, shown and said."""

    text: str
    rows: list[dict[str, Any]]
    calls: list[dict[str, Any]]
    shown: list[dict[str, Any]]
    answer: str


def _requests(row: dict[str, Any]) -> Iterator[Request]:
    messages = row["messages"][1:]
    (found,) = json.loads(messages.pop(2)["content"]).values()
    messages.pop(1)  # the call that lists the rows
    begins = [place for place, one in enumerate(messages) if one["role"] == "user"]
    for begin, end in pairwise([*begins, len(messages)]):
        asks, *between, says = messages[begin:end]
        calls = [json.loads(one["function"]["arguments"]) for step in between for one in step.get("tool_calls", [])]
        shown = [json.loads(one["content"]) for one in between if one["role"] == "tool"]
        meant = [_meant(part, found) for part in asks["content"].split(" Finally, ")]
        yield Request(asks["content"], meant, calls, shown, says["content"])
        for call in calls:
            meant[0] |= {name: value for name, value in call.items() if name in meant[0]}


def _meant(request: str, found: list[dict[str, Any]]) -> dict[str, Any]:
    """The only row with the name in quotation marks, its own or of what it belongs to, or with the value that is told
    of a field."""
    quoted = re.search("“(.+)”", request)
    told = request.partition(" with ")[2]
    if quoted:
        of = [one for one in found if any(f" {_said(k)[:-5]} “{v}”" in request for k, v in one.items())]
        (meant,) = of or [one for one in found if quoted[1] in one.values()]
    else:
        (meant,) = [
            one
            for one in found
            if any(re.match(rf"{re.escape(f'{_said(k)} {_in_prose(v)}')}[,.]", told) for k, v in one.items())
        ]
    return meant


def _said(name: str) -> str:
    return name.replace("_", " ")


def _in_prose(value: Any) -> Any:
    """Days and hours as people say them."""
    if not re.match("[0-9]{4}-[0-9]{2}-", str(value)):
        return value
    day = f"{int(value[8:10])} {calendar.month_name[int(value[5:7])]} {value[:4]}"
    return f"{day} at {value[11:16]}" if "T" in value else day


def test_what_is_answered_stands_in_what_was_shown_of_the_row_that_is_meant() -> None:
    asked = Counter[str]()
    for row in _made():
        for request in _requests(row):
            if not request.text.startswith("Please tell me the "):
                continue
            answers = request.answer.split("; ")
            for part, meant, answer in zip(request.text.split("Finally, "), request.rows, answers, strict=True):
                field, _, value = answer.partition(": ")
                assert f"tell me the {field} of the " in part
                told = meant
                if request.shown:
                    (told,) = request.shown[0].values()
                    told = told[0] if isinstance(told, list) else told
                assert value == str(told[field.replace(" ", "_")])
                assert f"with {field} " not in part, "what is asked for is not told"
            assert len(set(answers)) == len(answers), "nothing is asked twice"
            asked["more" if request.shown else "two" if len(answers) == 2 else "one"] += 1
    assert asked["one"] > 30
    assert asked["two"] > 3, "two things may be asked at once"
    assert asked["more"] > 3, "and something that only another tool tells"


def test_whoever_is_called_for_a_row_is_given_its_id() -> None:
    called = 0
    for row in _made():
        for request in _requests(row):
            for call in request.calls:
                assert next(iter(call.values())) == request.rows[0]["id"]
                called += 1
    assert called > 40


def test_rows_are_known_by_their_names_by_what_they_belong_to_or_by_other_values() -> None:
    ways, hours = Counter[str](), 0
    for row in _made():
        for request in _requests(row):
            for part, meant in zip(request.text.split(" Finally, "), request.rows, strict=True):
                ways[_known_by(part, meant)] += 1
                hours += re.search("[0-9] at [0-9]{2}:[0-9]{2}", part) is not None
    assert min(ways[one] for one in ("name", "owner", "value")) > 3
    assert hours > 0


def _known_by(request: str, meant: dict[str, Any]) -> str:
    if "“" not in request:
        return "value"
    owners = [f" {_said(k).removesuffix(' name')} “{v}”" for k, v in meant.items() if k.endswith("_name")]
    return "owner" if any(one in request for one in owners) else "name"


def test_whether_a_second_tool_is_needed_can_be_told_from_what_is_shown_before() -> None:
    """At first no rows are known: only a request that names something else needs one."""
    for row in _made():
        _, asks, lists, _, second, *_ = row["messages"]
        for call in second.get("tool_calls") or []:
            if call["function"]["name"].startswith("get_"):
                pytest.fail(f"{asks['content']} may be answered by {lists['tool_calls'][0]['function']['name']} alone")


def test_which_tools_have_parameters_does_not_tell_the_right_one() -> None:
    needed = Counter[bool]()
    for row in _made():
        called = {call["function"]["name"] for one in row["messages"] for call in one.get("tool_calls") or []}
        for tool in row["tools"]:
            name, parameters = tool["function"]["name"], tool["function"]["parameters"]["properties"]
            if parameters:
                needed[name in called] += 1
    assert min(needed[True], needed[False]) > 40, "of tools with parameters, some are needed and some are not"


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
def test_all_exercises_are_done_and_all_examples_equally_often(
    lengths: list[int], data: st.DataObject, epochs: float, tokens: int, seed: int
) -> None:
    number, first = data.draw(st.integers(0, len(lengths) - 1)), data.draw(st.floats(0, 1))
    batches = list(Batches(lengths, number, first, tokens, epochs, None, seed))
    order = list(chain.from_iterable(batches))
    exercises = [place for place in order if place < number]
    assert sorted(exercises) == list(range(number)), "each once"
    times = Counter(place for place in order if place >= number)
    assert sum(times.values()) == round(epochs * (len(lengths) - number))
    assert max(times.values(), default=0) - min(times[place] for place in range(number, len(lengths))) <= 1
    for one in batches:
        longest = max(lengths[place] for place in one)
        assert len(one) == 1 or len(one) * longest <= tokens + longest / 2, "hardly longer than wanted"
        assert len(set(one)) == len(one), "none meets itself"
    assert batches == list(Batches(lengths, number, first, tokens, epochs, None, seed))
    most = data.draw(st.integers(1, 100))
    cut = list(Batches(lengths, number, first, tokens, epochs, most, seed))
    assert len(cut) == most, "as long as the run"


def test_half_of_the_exercises_come_first_and_the_others_evenly_among_the_examples() -> None:
    order = list(chain.from_iterable(Batches([10] * 60, 20, 0.5, tokens=20, epochs=1, most=None, seed=0)))
    is_exercise = [place < 20 for place in order]
    assert sorted(order[:10]) == list(range(10)), "the easier half"
    assert [sum(is_exercise[begin : begin + 10]) for begin in range(10, 60, 10)] == [2] * 5


def test_who_goes_on_has_exercises_evenly_among_the_examples() -> None:
    order = list(chain.from_iterable(Batches([10] * 60, 20, 0.0, tokens=20, epochs=1, most=None, seed=0)))
    is_exercise = [place < 20 for place in order]
    assert [sum(is_exercise[begin : begin + 12]) for begin in range(0, 60, 12)] == [4] * 5
