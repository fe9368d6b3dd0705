"""What an assistant looks up before it writes a message, written down before it: for a policy from scratch.

Belongs here: finding in a request and in results where a message comes from, and saying it in the words of `cells`.
Does not: choosing or judging the messages.

    book room: book_room(room_id); room: list_rooms   calls that are planned, the last first, up to the one that is made
    book room: book_room; Attic#3                     later, when it is made, the row that it is made with
    Attic#3 beds#3: 2                                 the value of an answer, or of a report that answers it: beds: 2
    Attic#3 beds#3: 2; guest: list_guests             the same, noted before a call whose result is no more about rooms

The words of the request lead to a tool, the tool to what it needs, other words to a row, the row and a field to a
value. For a model with few layers that is much at one glance; writing it down it takes several. Before a call it stands
as text beside the call, also beside that of the report; before an answer in words in `<think>`, which is no part of
the answer. What was noted before a call is
copied there: of two results, both with a time at which something starts, each is read when it is the last one.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from envfactory_dagster.contracts.finish_tool import FINISH
from envfactory_dagster.rollouts.prompts import report_due
from trainer.cells import Row, rows_of, shown
from trainer.instants import in_prose
from trainer.naming import about
from trainer.plurals import singular
from trainer.rendering import as_object

_WORDS = re.compile(r"[^\W_]+")
_LITTLE = frozenset(("a", "an", "at", "from", "the", "my", "of", "on", "to"))


def with_lookups(row: Mapping[str, Any], *, kept: bool = False) -> dict[str, Any]:
    """The conversation with what the assistant looks up for its messages: of answers only the last, since a policy is
    never shown what it thought before an earlier one. `kept`: all the same, in exercises, which nobody plays. Of an
    episode that was cut into steps nobody knows what comes later: there, nothing is planned or noted."""
    messages = list[dict[str, Any]]()
    request, found, known = "", list[Row](), 0
    for place, message in enumerate(row["messages"]):
        if message["role"] == "user" and not str(message["content"]).endswith(report_due(FINISH)):
            request = str(message["content"])
        elif message["role"] == "tool":
            found += rows_of(str(message["content"]))
        if message["role"] == "assistant" and (message.get("tool_calls") or kept or place + 1 == len(row["messages"])):
            turn = list(_turn(row["messages"][place:]))
            whole = row.get("step") is None
            first = [*_noted(turn, request, found, known), *_planned(turn, found)] if whole else []
            messages.append(_looking_up(message, request, found, first))
        else:
            messages.append(dict(message))
        if message["role"] == "assistant":
            known = len(found)
    return {**row, "messages": messages}


def _turn(messages: Iterable[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """Up to where the user says something again."""
    return takewhile(lambda one: one["role"] != "user", messages)


def _noted(messages: Sequence[Mapping[str, Any]], request: str, found: Sequence[Row], known: int) -> list[str]:
    """What the answer will say and the last results tell; so many rows were known before these. Nothing before the
    answer itself: it says all of it."""
    later = messages[1:]
    answers = [answer for one in later if one["role"] == "assistant" and (answer := _answer(one)) is not None]
    if not answers:
        return []
    answer = answers[0]
    end = [*found, *_told(later)]
    before, now = _ways(answer, request, found[:known]), _ways(answer, request, found)
    return [one for one in _steps(_of_each(answer, request, end)) if one in now and one not in before]


def _ways(answer: str, request: str, found: Sequence[Row]) -> set[str]:
    return {way.text for ways in _of_each(answer, request, found) for way in ways}


def _told(messages: Iterable[Mapping[str, Any]]) -> list[Row]:
    return [row for one in messages if one["role"] == "tool" for row in rows_of(str(one["content"]))]


def _planned(messages: Sequence[Mapping[str, Any]], found: Sequence[Row]) -> list[str]:
    """The tools that are called after the first of these messages, the last first and each once, with the ids that only
    a result tells. So the next message plans the same, but for what is done."""
    told, planned = list[Row](), dict[str, list[str]]()
    given = [one for call in _calls(messages[0]) for one in _ids(call)]
    for message in messages[1:]:
        told += _told([message])
        for call in _calls(message) if reported(message) is None else []:
            fresh = [one for one in _ids(call) if one not in given and not _is_known(*one, found)]
            needs = [one[0] for one in fresh if _of_id(*one, "", told)]
            planned.setdefault(call["function"]["name"], needs)
    for call in _calls(messages[0]):
        planned.pop(call["function"]["name"], None)
    return [_tool(name, needs) for name, needs in reversed(planned.items())]


def _tool(name: str, needs: Sequence[str] = ()) -> str:
    return f"{about(name)}: {name}" + (f"({', '.join(needs)})" if needs else "")


def _is_known(name: str, value: int, found: Sequence[Row]) -> bool:
    """Whether exactly this has been told: another thing may have the same number."""
    thing = name.removesuffix("_id")
    return any(
        (row.label == f"#{value}" and singular(row.of) == thing) or row.cells.get(name) == value for row in found
    )


def _looking_up(message: Mapping[str, Any], request: str, found: Sequence[Row], first: Sequence[str]) -> dict[str, Any]:
    if message.get("tool_calls"):
        if message.get("content"):
            return dict(message)
        if reported(message) is not None:
            found_in = "; ".join(_steps(_of_each(_answer(message) or "", request, found)))
            return {**message, "content": found_in or message.get("content")}
        steps = [*first, *(_tool(call["function"]["name"]) for call in reversed(_calls(message)))]
        steps += _steps(_of_id(*one, request, found) for call in _calls(message) for one in _ids(call))
        return {**message, "content": "; ".join(steps)}
    answer = str(message.get("content") or "")
    steps = _steps(_of_each(answer, request, found))
    return {**message, "content": f"<think>\n{'; '.join(steps)}</think>\n{answer}"} if steps else dict(message)


@dataclass(frozen=True, slots=True)
class _Step:
    """A way to a value: from words of the request to a row, and mostly on to one of its fields."""

    words: str
    """As the result has them; empty where the row is the only one, or the request says nothing of it."""
    only: bool
    """Whether no other row has them."""
    place: int
    """Where the request says them."""
    label: str
    then: str = ""

    @property
    def text(self) -> str:
        return f"{self.words}{self.label}{self.then}".strip()


def _steps(values: Iterable[Sequence[_Step]]) -> list[str]:
    """The best way to each value: by words that only one row has, that served no earlier value, that come first in the
    request, by the longer of these. Of equals the last: what was read last is at hand."""
    taken = list[_Step]()
    for ways in values:
        ranked = sorted(ways, key=lambda one: _rank(one, taken))
        taken += ranked[-1:]
    return [one.text for one in taken]


def _rank(step: _Step, taken: Iterable[_Step]) -> tuple[bool, bool, bool, int, int]:
    fresh = step.words not in [one.words for one in taken]
    return bool(step.words), step.only, fresh, -step.place, len(step.words)


def _calls(message: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    return message.get("tool_calls") or []


def reported(message: Mapping[str, Any]) -> dict[str, Any] | None:
    """The report that a message hands in, as its arguments say it; None where it hands in none."""
    for call in _calls(message):
        if call["function"]["name"].startswith(FINISH):
            given = as_object(call["function"]["arguments"])
            if isinstance(given, dict) and isinstance(given.get("answers"), dict):
                return given
    return None


def _answer(message: Mapping[str, Any]) -> str | None:
    """What a message answers, value by value: in words, or as a report; None where it calls for something else."""
    report = reported(message)
    if report is not None:
        told = [(name, one) for name, each in report["answers"].items() for one in _each(each) if one is not None]
        return "; ".join(f"{name.replace('_', ' ')}: {shown(name, value)}" for name, value in told)
    return None if _calls(message) else str(message.get("content") or "")


def _each(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _ids(call: Mapping[str, Any]) -> list[tuple[str, int]]:
    arguments = as_object(call["function"]["arguments"])
    given = arguments.items() if isinstance(arguments, dict) else ()
    return [(name, one) for name, one in given if name.endswith("_id") and isinstance(one, int)]


def _of_id(name: str, value: int, request: str, found: Sequence[Row]) -> list[_Step]:
    """The row itself, by what the request says of it; or a row that says it belongs to it."""
    thing = name.removesuffix("_id")
    own = [row for row in found if row.label == f"#{value}" and _alike(row.of, thing)]
    same = [row for row in own if singular(row.of) == thing]  # a tasting is no tasting seat
    said = [
        (row, field)
        for row in found
        for field, one in row.cells.items()
        if one == value and field.endswith("_id") and _alike(field, name)
    ]
    exact = [(row, field) for row, field in said if field == name or field.endswith(f"_{name}")]
    steps = [_step(row, request, found) for row in (same or own)]
    return steps + [_step(row, request, found, field) for row, field in (exact or said)]


def _of_each(answer: str, request: str, found: Sequence[Row]) -> list[list[_Step]]:
    return [_of_answer(part, request, found) for part in answer.split("; ")]


def _of_answer(part: str, request: str, found: Sequence[Row]) -> list[_Step]:
    label, separator, said = part.partition(": ")
    value = said.removesuffix(" cents")
    return [
        _step(row, request, found, field)
        for row in found
        for field, one in row.cells.items()
        if separator and value in (shown(field, one), shown(field, one).removeprefix("#")) and _alike(field, label)
    ]


def _step(row: Row, request: str, found: Sequence[Row], field: str | None = None) -> _Step:
    """Known best by what the request says of this row and of no other one; of such words by the longest."""
    others = [one for one in found if one.of == row.of and (one.label, one.cells) != (row.label, row.cells)]
    then = "" if field is None else f" {field}{row.label}: {shown(field, row.cells[field])}"
    ways = [
        _Step(shown(name, value), all(one.cells.get(name) != value for one in others), place, row.label, then)
        for name, value in row.cells.items()
        if others and name != field and (place := _place(name, value, request)) >= 0
    ]
    return max(ways, key=lambda one: (one.only, len(one.words)), default=_Step("", True, 0, row.label, then))


def _place(field: str, value: Any, request: str) -> int:
    """Where the request says this value, -1 where it does not."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return -1
    if isinstance(value, str):
        said = in_prose(value) or value.replace("_", " ")
        if len(value) < 2:
            return -1
    else:
        said = f"{field.replace('_', ' ')} {value}"
    found = re.search(rf"(?<!\w){re.escape(said)}(?!\w)", request, re.IGNORECASE)
    return found.start() if found is not None else -1


def _alike(one: str, other: str) -> bool:
    """Whether names have a word in common that says something."""
    return bool(_words(one) & _words(other))


def _words(name: str) -> set[str]:
    return {singular(word) for word in _WORDS.findall(name.lower())} - {"id"} - _LITTLE
