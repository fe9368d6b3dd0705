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

from envfactory_dagster.runtime.json_schema import compile_schema
from trainer.exercises import Exercises
from trainer.failures import RecipeError
from trainer.instants import in_prose
from trainer.lookups import with_lookups
from trainer.lots import LEAST
from trainer.ordering import Batches
from trainer.plurals import plural, singular

_ROWS = [{"tools": [{"type": "function", "function": {"name": f"get_{letter * 5}", "parameters": {}}}]}
         for letter in [*ascii_lowercase, *(f"{one}o" for one in ascii_lowercase), "title", "the_code"]]  # fmt: skip

_TIMES = ("_at", "_on", "_day")


def _made(seed: int = 1) -> list[dict[str, Any]]:
    exercises = Exercises(_ROWS, seed)
    return [exercises.another(number / 120) for number in range(120)]


def test_every_call_is_of_a_tool_that_is_offered_with_parameters_it_has() -> None:
    for row in _made():
        offered = {tool["function"]["name"]: tool["function"]["parameters"]["properties"] for tool in row["tools"]}
        for message in row["messages"]:
            for call in message.get("tool_calls") or []:
                function = call["function"]
                assert set(json.loads(function["arguments"])) <= set(offered[function["name"]])


@dataclass(frozen=True)
class Part:
    """One thing that was asked for, the row that it is about, as it is by then, and what was called and shown."""

    text: str
    meant: dict[str, Any]
    way: str
    calls: list[dict[str, Any]]
    shown: list[dict[str, Any]]


@dataclass(frozen=True)
class Request:
    parts: list[Part]
    answer: str
    """What is told, in words."""
    answers: dict[str, Any]
    """The same in the form of the report."""
    listed: int
    """How many things it was necessary to list for it."""


_TAKEN = '{"report":"taken"}'


def _report(message: dict[str, Any]) -> dict[str, Any] | None:
    """What a message reports; None where it hands in no report."""
    for call in message.get("tool_calls") or []:
        if call["function"]["name"] == "finish":
            found: dict[str, Any] = json.loads(call["function"]["arguments"])
            return found
    return None


def _requests(row: dict[str, Any]) -> Iterator[Request]:
    messages, found = row["messages"][1:], dict[str, list[dict[str, Any]]]()
    begins = [place for place, one in enumerate(messages) if one["role"] == "user"]
    for begin, end in pairwise([*begins, len(messages)]):
        asks, *between, ends = [one for one in messages[begin:end] if one["content"] != _TAKEN]
        report = _report(ends)
        assert report is not None
        done, before = list[tuple[dict[str, Any], dict[str, Any]]](), len(found)
        for call, result in zip(between[::2], between[1::2], strict=True):
            (function,) = [one["function"] for one in call["tool_calls"]]
            given, shown = json.loads(function["arguments"]), json.loads(result["content"])
            if given:
                done.append((given, shown))
            else:
                found |= {singular(name): rows for name, rows in shown.items()}
        assert asks["content"].startswith("Please ")
        labels, parts = [one.partition(": ")[0] for one in report["message"].split("; ")], list[Part]()
        for text in asks["content"].removeprefix("Please ").split(" Finally, "):
            label = labels.pop(0) if text.startswith("tell me ") else None
            parts.append(_part(text, label, found, done))
        assert not done, "nothing is called that nobody asked for"
        yield Request(parts, report["message"], report["answers"], len(found) - before)


def _part(
    text: str,
    label: str | None,
    found: dict[str, list[dict[str, Any]]],
    done: list[tuple[dict[str, Any], dict[str, Any]]],
) -> Part:
    """`label`: of the answer, where something is to be told. What stands in the row needs no call."""
    ((meant, way),) = [(row, way) for thing, rows in found.items() for row in rows for way in _ways(text, thing, row)]
    before = dict(meant)
    if label is not None and any(_is(name, label) for name in meant):
        return Part(text, before, way, [], [])
    given, shown = done.pop(0)
    meant |= {name: value for name, value in given.items() if name in meant}
    return Part(text, before, way, [given], [shown])


def _is(name: str, label: str) -> bool:
    return _said(name).removesuffix(" cents") == label.removesuffix(" amount")


def _ways(text: str, thing: str, row: dict[str, Any]) -> Iterator[str]:
    """How it says this row: by its name, by the name of what it is of, or by another value."""
    for name, value in row.items():
        forms = {
            "name": [f"{_said(thing)} “{value}”", f"{_said(thing)} with {_said(name)} “{value}”"],
            "owner": [f"{_said(thing)} of the {_said(name).removesuffix(' name')} “{value}”"],
            "value": [*(f"{_said(thing)} with {_said(name)} {one}" for one in (value, _in_prose(value))),
                      f"{_said(thing)} that {_doing(name)} on {_in_prose(value)}"],
        }  # fmt: skip
        for way, said in forms.items():
            if name != "id" and any(re.search(rf"{re.escape(one)}(?!\w|\.\d| at \d)", text) for one in said):
                yield way
                break


def _doing(name: str) -> str:
    verb = name.rpartition("_")[0].replace("_", " ")
    return f"was {verb}" if verb.endswith("ed") else verb


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
            telling = [part for part in request.parts if part.text.startswith("tell me ")]
            answers = request.answer.split("; ") if telling else []
            assert telling or request.answer == "It is done."
            for part, answer in zip(telling, answers, strict=True):
                label, _, value = answer.partition(": ")
                rows = [part.meant] if not part.shown else _rows(part.shown[0])
                told = [str(one[name]) for one in rows for name in one if _is(name, label)]
                assert value.removesuffix(" cents") in told
                assert value.removesuffix(" cents") in map(str, request.answers.values())
                asked["more" if part.shown else "same"] += 1
            assert sum(one is not None for one in request.answers.values()) == len(answers)
            asked["two"] += len(answers) == 2
            asked["two things"] += request.listed == 2
    assert asked["same"] > 30
    assert min(asked["more"], asked["two"], asked["two things"]) > 2


def _rows(shown: dict[str, Any]) -> list[dict[str, Any]]:
    *_, told = shown.values()
    return told if isinstance(told, list) else [told]


def test_whoever_is_called_for_a_row_is_given_its_id() -> None:
    called = Counter[str]()
    for row in _made():
        for request in _requests(row):
            for part in request.parts:
                for call in part.calls:
                    name, one = next(iter(call.items()))
                    assert one == part.meant.get(name, part.meant["id"])
                    called["another's" if name in part.meant else "its own"] += 1
    assert called["its own"] > 40
    assert called["another's"] > 3, "of what the row belongs to"


def test_what_is_looked_up_is_the_row_that_is_meant() -> None:
    looked_up = wrong = 0
    for row in _made():
        taught = [one for one in with_lookups(row, kept=True)["messages"] if one["role"] == "assistant"]
        calls = [str(one["content"]) for one in taught if one.get("tool_calls") and "_id" in str(one["tool_calls"])]
        answers = [str(one["content"]) for one in taught if _report(one) is not None]
        for request, answer in zip(_requests(row), answers, strict=True):
            for part in request.parts:
                for _ in part.calls:
                    assert f"#{part.meant['id']}" in calls.pop(0).split("; ")[-1]
                    looked_up += 1
            telling = [part for part in request.parts if part.text.startswith("tell me ")]
            steps = answer.split("; ") if telling else []
            for part, step in zip(telling, steps, strict=True):
                rows = _rows(part.shown[0]) if part.shown else [part.meant]
                wrong += not any(f"#{one['id']} " in step for one in rows)
                looked_up += 1
    assert looked_up > 80
    assert wrong <= looked_up / 100, "now and then another row has the same value"


def test_every_request_ends_with_a_report_that_fits_its_form() -> None:
    told = Counter[bool]()
    for row in _made():
        *others, finish = row["tools"]
        assert [one["function"]["name"] for one in (*others, finish)].count("finish") == 1
        fits = compile_schema(finish["function"]["parameters"])
        reports = [report for one in row["messages"] if (report := _report(one)) is not None]
        assert len(reports) == sum(one["role"] == "user" for one in row["messages"])
        for report in reports:
            assert fits(report) is None
            told.update(value is not None for value in report["answers"].values())
    assert min(told[True], told[False]) > 30, "what is not due is null"


def test_no_tool_is_told_by_how_many_parameters_it_has() -> None:
    needed = Counter[tuple[int, bool]]()
    for row in _made():
        called = {call["function"]["name"] for one in row["messages"] for call in one.get("tool_calls") or []}
        for tool in row["tools"]:
            number = len(tool["function"]["parameters"]["properties"])
            needed[number, tool["function"]["name"] in called] += 1
    assert min(needed[number, is_needed] for number in range(3) for is_needed in (True, False)) > 5


def test_rows_are_known_by_their_names_by_what_they_belong_to_or_by_other_values() -> None:
    parts = [part for row in _made() for request in _requests(row) for part in request.parts]
    ways = Counter(part.way for part in parts)
    assert min(ways[one] for one in ("name", "owner", "value")) > 3
    texts = [part.text for part in parts]
    forms = (r"[0-9] at [0-9]{2}:[0-9]{2}", r" my ", r" in cents\.", r"^tell me when ", r" on which day ")
    for form in forms:
        assert any(re.search(form, text) for text in texts), form


def test_whether_a_second_tool_is_needed_can_be_told_from_what_is_shown_before() -> None:
    """At first no rows are known: only a request that names something else needs one."""
    for row in _made():
        asks, *begun = row["messages"][1:]
        end = next(place for place, one in enumerate(begun) if one["role"] == "user")
        for one in begun[:end]:
            for call in one.get("tool_calls") or []:
                thing = call["function"]["name"].removeprefix("get_").removesuffix("_day")
                if thing != call["function"]["name"]:
                    said = _said(thing)
                    forms = (f"the {said} of the ", f"the {said} of my ", f" of the {said} ", f" of my {said} ")
                    assert any(form in asks["content"] for form in forms)


def test_they_become_harder() -> None:
    lengths = [len(json.dumps(row)) for row in _made()]
    assert sum(lengths[:30]) < sum(lengths[-30:]) / 1.3


def test_they_are_the_same_every_time_and_none_is_like_another() -> None:
    assert _made() == _made()
    assert len({json.dumps(row) for row in _made()}) == len(_made())


def test_few_words_suffice() -> None:
    exercises = Exercises(_ROWS[:LEAST], seed=0)
    assert len({json.dumps(exercises.another(number / 20)) for number in range(20)}) == 20


def test_too_few_words_are_refused() -> None:
    with pytest.raises(RecipeError, match=f"need {LEAST} different words"):
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


def _calls(row: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any], dict[str, Any]]]:
    """What was asked, the tool that was called then, with what, and what it told."""
    asked = ""
    for one, after in pairwise([*row["messages"], {}]):
        asked = one["content"] if one["role"] == "user" else asked
        for call in one.get("tool_calls") or []:
            name, given = call["function"]["name"], json.loads(call["function"]["arguments"])
            if name != "finish":
                yield asked, name, given, json.loads(after["content"])


def test_what_may_be_left_unsaid_is_told_only_where_the_request_says_it() -> None:
    seen = Counter[str]()
    for row in _made():
        schemas = {one["function"]["name"]: one["function"]["parameters"] for one in row["tools"]}
        for asked, tool, told, _ in _calls(row):
            properties, required = set(schemas[tool]["properties"]), set(schemas[tool]["required"])
            assert required <= set(told) <= properties
            for name in properties - required:
                seen["told" if name in told else "unsaid"] += 1
                if name in told:
                    is_time = name.endswith(_TIMES)
                    assert (_in_prose(told[name]) if is_time else _said(name).removesuffix(" cents")) in asked
    assert seen["told"] > 5
    assert seen["unsaid"] > 20


def test_of_two_times_a_request_says_from_when_and_until_when() -> None:
    """Of one it says only “on 3 May 2026”, or to, from or until then, and not what that is."""
    ways, spans = set[str](), 0
    for row in (row for seed in range(6) for row in _made(seed)):
        for asked, _, told, _ in _calls(row):
            times = {name: in_prose(value) for name, value in told.items() if name.endswith(_TIMES)}
            assert len(times) <= 2
            if len(times) == 2:
                (begin, first), (end, last) = times.items()
                assert begin.startswith(("starts", "begins", "from"))
                assert end.startswith(("ends", "until"))
                assert f" from {first} until {last}" in asked
                spans += 1
            ways |= {match[1] for said in times.values() for match in re.finditer(rf"(\w+) {said}", asked)}
    assert spans > 1
    assert {"on", "from", "to", "until"} <= ways


def test_how_many_is_said_before_what_they_are_and_a_lone_number_before_what_it_is_about() -> None:
    counted, alone = 0, 0
    for row in (row for seed in range(6) for row in _made(seed)):
        for asked, name, told, _ in _calls(row):
            verb = name.partition("_")[0]
            for field, value in told.items():
                counted += f"for {value} {field.replace('_', ' ')}" in asked
                alone += f"{verb} {value} of " in asked
    assert min(counted, alone) > 2


def test_what_rows_are_of_may_be_listed_by_a_tool_that_is_not_needed() -> None:
    """Who asks for the booking of a room need not list rooms."""
    offered = 0
    for row in (row for seed in range(3) for row in _made(seed)):
        tools = {one["function"]["name"] for one in row["tools"]}
        called = {name for _, name, _, _ in _calls(row)}
        shown = [rows for _, _, _, told in _calls(row) for rows in told.values() if isinstance(rows, list)]
        owners = {name.removesuffix("_name") for rows in shown for name in rows[0] if name.endswith("_name")}
        listing = {
            name for name in tools for one in owners if name.endswith(f"_{plural(re.sub('^(from|to)_', '', one))}")
        }
        offered += len(listing)
        assert not listing & called
    assert offered > 10


def test_two_things_may_have_fields_and_owners_in_common_but_no_values_of_fields() -> None:
    shared = Counter[str]()
    for row in (row for seed in range(3) for row in _made(seed)):
        lists = [next(iter(told.values())) for _, _, given, told in _calls(row) if not given]
        for one, other in pairwise(lists):
            for name in set(one[0]) & set(other[0]) - {"id", "name", "title", "subject", "code"}:
                same = {each[name] for each in one} & {each[name] for each in other}
                if name.endswith("_name"):
                    shared["owner"] += 1
                    shared["the same one"] += bool(same)
                elif not name.endswith("_id"):
                    shared["field"] += 1
                    assert not same
    assert min(shared["owner"], shared["the same one"], shared["field"]) > 2


def test_what_belongs_to_a_row_may_be_told_by_a_tool_named_after_the_row() -> None:
    told = [
        list(told.items())
        for row in _made()
        for _, name, given, told in _calls(row)
        if name.startswith("get_") and len(told) > 1
    ]
    assert len(told) > 2
    assert all(isinstance(of["id"], int) and isinstance(nested, list) for (_, of), (_, nested) in told)


def test_what_somebody_writes_is_several_words_and_handed_over_as_they_are() -> None:
    written = 0
    for row in (row for seed in range(3) for row in _made(seed)):
        for asked, _, told, _ in _calls(row):
            for field, value in told.items():
                if isinstance(value, str) and len(value.split()) > 2:
                    assert f"{_said(field)} “{value}”" in asked
                    written += 1
    assert written > 10


def test_a_request_may_have_another_verb_than_the_only_tool_that_does_something_with_the_thing() -> None:
    otherwise = 0
    for row in (row for seed in range(3) for row in _made(seed)):
        doing = [one["function"]["name"] for one in row["tools"]]
        doing = [name for name in doing if not name.startswith(("get_", "list_", "search_", "find_"))]
        for asked, name, _, told in _calls(row):
            verb, _, thing = name.partition("_")
            if told == {"ok": 1} and not re.search(rf"\b{verb}\b", asked):
                otherwise += 1
                assert [one for one in doing if one.partition("_")[2] == thing] == [name]
    assert otherwise > 5


def test_what_is_told_of_a_day_is_asked_for_with_the_day() -> None:
    of_days = 0
    for row in (row for seed in range(6) for row in _made(seed)):
        for asked, name, said, told in _calls(row):
            if told != {"ok": 1} and len(said) > 1:
                _, day = said.values()
                of_days += 1
                assert f" on {_in_prose(day)}" in asked, name
    assert of_days > 5


def test_rows_may_tell_when_something_begins_and_hours_later_when_it_ends() -> None:
    lasting, one_day = 0, 0
    for row in (row for seed in range(3) for row in _made(seed)):
        lists = [next(iter(told.values())) for _, _, handed, told in _calls(row) if not handed]
        for one in chain.from_iterable(lists):
            begin, end = one.get("starts_at", one.get("begins_at")), one.get("ends_at")
            if begin and end:
                lasting += 1
                one_day += begin[:10] == end[:10] and begin < end
    assert lasting > 20
    assert one_day > lasting / 2, "others are two times that have nothing to do with each other"


def test_things_may_have_a_word_of_their_names_in_common() -> None:
    kin = 0
    for row in (row for seed in range(3) for row in _made(seed)):
        things = [thing for _, _, handed, told in _calls(row) if not handed for thing in told]
        for one, other in pairwise(things):
            kin += bool(set(one.split("_")) & {*other.split("_"), *map(plural, other.split("_"))})
    assert kin > 3
