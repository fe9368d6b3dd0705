"""Wrong answers: what somebody would say who mixed up a row, was off by one, or listed everything there is.

Belongs here: finding what an answer states, and saying something else in its place. Does not: deciding whether the
answer of a task counts (`traces`).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.runtime.facts.results import ColumnRef
from envfactory_dagster.runtime.verifier_worker import MOST_NAMED
from envfactory_dagster.truth.traces import Subject, asks

_DAY = re.compile(r"(?<![\w-])\d{4}-\d{2}-\d{2}(?![\w-])")
_NUMBER = re.compile(r"(?<![\w.-])-?\d+(?:\.\d+)?(?![\w-]|\.\d)")
_REASON = re.compile(r"[^.;\n]*\b(cannot|can't)\b[^;\n]*")
"""The clause of a refusal that says no and gives the reason. It may say more of it than the task demands."""
_LEAST_LISTED = MOST_NAMED + 1
_MOST_NEAR = 5
_MOST_MIXED = 3


@dataclass(frozen=True, slots=True)
class Statement:
    """A number, a day or a name that an answer states."""

    text: str
    column: ColumnRef | None = None
    """Where a name comes from."""


def statements(subject: Subject) -> list[Statement]:
    """What the answer states beyond the words of the task, and every part of it that is nothing but a statement; all
    of it when that is nothing."""
    answer = subject.answer or ""
    if subject.task.kind in ("refusal", "unable"):
        answer = _REASON.sub(" ", answer)
    named: list[Statement] = []
    rest = answer
    for name, column in subject.ground.named_in(answer):
        if _says(rest, name):
            named.append(Statement(name, column))
            rest = _replace(rest, name, " ")
    for part in re.split(r"[;\n]", rest):
        said = part.strip()
        place = subject.ground.column_holding(said) if re.search("[a-z]", said, re.IGNORECASE) else None
        if place is not None:
            named.append(Statement(said, place))
    days = [Statement(text) for text in dict.fromkeys(_DAY.findall(rest))]
    numbers = [Statement(text) for text in dict.fromkeys(_NUMBER.findall(_DAY.sub(" ", rest)))]
    found = named + days + numbers
    parts = {part.strip(" .\n") for part in answer.split(";")}
    return [one for one in found if one.text in parts or not _says(subject.task.text, one.text)] or found


def neighbours(subject: Subject) -> Iterator[tuple[str, str]]:
    """Answers that are off by a little, with what is wrong in each; statement after statement, then again."""
    nearby = [(one.text, list(_near(one.text))) for one in statements(subject) if one.column is None]
    for number in range(_MOST_NEAR):
        for text, others in nearby:
            yield from (_instead(subject, text, other) for other in others[number : number + 1])


def mixed_up(subject: Subject) -> Iterator[tuple[str, str]]:
    """Answers that state what belongs to another row; then those that list all there is to choose from."""
    chosen: list[tuple[str, list[str]]] = []
    listed: list[tuple[str, str]] = []
    for statement in statements(subject):
        if statement.column is not None:
            others = [str(other.value) for other in subject.ground.others(statement.column, statement.text)]
            if len(others) >= _LEAST_LISTED - 1:
                listed.append(_instead(subject, statement.text, ", ".join([statement.text, *others])))
        else:
            others = _other_numbers(subject, statement.text)
        fitting = [other for other in others if not _says(subject.answer or "", other)]
        chosen.append((statement.text, subject.random.sample(fitting, min(_MOST_MIXED, len(fitting)))))
    for number in range(_MOST_MIXED):
        for text, others in chosen:
            yield from (_instead(subject, text, other) for other in others[number : number + 1])
    yield from listed


def unsaid(subject: Subject) -> Iterator[tuple[str, str]]:
    """Answers that lack one of the things to be said, for each of them."""
    answer = subject.answer or ""
    if subject.task.kind in ("refusal", "unable") and _REASON.search(answer):
        yield _REASON.sub("", answer), "does not say why it cannot be done"
    for statement in statements(subject) if asks(subject.task) else ():
        yield _instead(subject, statement.text, "…")


def _instead(subject: Subject, text: str, other: str) -> tuple[str, str]:
    return _replace(subject.answer or "", text, other), f"says {other} instead of {text}"


def _near(text: str) -> Iterator[str]:
    if _DAY.fullmatch(text):
        for days in (1, -1, 7):
            yield (date.fromisoformat(text) + timedelta(days=days)).isoformat()
        return
    decimals = len(text.partition(".")[2])
    for step in (1, -1, 10, 2, 100):
        yield f"{float(text) + step:.{decimals}f}"


def _other_numbers(subject: Subject, text: str) -> list[str]:
    """Numbers that the tools gave under the same names as this one; cents may have become euros."""
    if _DAY.fullmatch(text):
        return []
    decimals = len(text.partition(".")[2])
    pairs = [pair for step in subject.calls for pair in _named_numbers(step.value)]
    found: set[str] = set()
    for scale in (1, 100):
        names = {name for name, number in pairs if abs(number / scale - float(text)) < 0.005}
        found |= {f"{number / scale:.{decimals}f}" for name, number in pairs if name in names}
    return sorted(found - {text})


def _named_numbers(value: Json, name: str = "") -> Iterator[tuple[str, float]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _named_numbers(inner, key)
    elif isinstance(value, list):
        for inner in value:
            yield from _named_numbers(inner, name)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield name, float(value)


def _says(text: str, phrase: str) -> bool:
    return _whole(phrase).search(text) is not None


def _replace(text: str, phrase: str, other: str) -> str:
    return _whole(phrase).sub(lambda _: other, text)


def _whole(phrase: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(phrase)}(?!\w)", re.IGNORECASE)
