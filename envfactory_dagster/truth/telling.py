"""What the result of a call tells, and whether somebody who writes later relies on it.

Belongs here: facts in results, and finding them again in arguments, in words and in the answers of a report. Does not:
deciding what follows from it: which arguments do not matter (`tasks.masking`), which calls were needless
(`datasets.shortening`).
"""

import re
from collections.abc import Iterator

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.reports import AnswerField, AnswerForm, Report
from envfactory_dagster.runtime.answer_values import same_answer

Fact = tuple[str, str | int | float]
"""A value with the name of its field. How long a list is, is a fact about the list."""

_CENTS = 100
_DAY = re.compile(r"\b\d{4}-\d{2}-\d{2}(?=t|\b)|(?:\b|(?<=t))\d{1,2}:\d{2}(?::\d{2})?\b")
_NUMBER = re.compile(r"(?<![\w.])(?<![a-z]-)-?\d+(?:\.\d+)?(?!\w)")
"""In a casefolded text: neither part of a day or a time nor of a code like `bk-00187`."""


def facts(value: Json, name: str = "") -> Iterator[Fact]:
    """Every fact in a result. What is true, false or empty has no value that could be found again."""
    if isinstance(value, dict):
        for inner_name, inner in value.items():
            yield from facts(inner, inner_name)
    elif isinstance(value, list):
        yield f"len({name})", len(value)
        for inner in value:
            yield from facts(inner, name)
    elif isinstance(value, str | int | float) and not isinstance(value, bool) and value != "":
        yield name, value


def relies(arguments: Json, fact: Fact) -> bool:
    """Whether some arguments give this value, as it is or within a text."""
    _, wanted = fact
    if isinstance(arguments, dict):
        return any(relies(inner, fact) for inner in arguments.values())
    if isinstance(arguments, list):
        return any(relies(inner, fact) for inner in arguments)
    return arguments == wanted or (isinstance(arguments, str) and _holds(arguments, wanted))


def single_answers(form: AnswerForm, report: Report) -> Iterator[tuple[AnswerField, Json]]:
    """Every value that a report answers, with its field; of a list each one."""
    for field in form.fields:
        answer = report.answers.get(field.name)
        for value in answer if field.many and isinstance(answer, list) else [answer]:
            if value is not None:
                yield field.model_copy(update={"many": False}), value


def answers(field: AnswerField, value: Json, fact: Fact) -> bool:
    """Whether a single answer is this value, or a part of it: of a moment the day or the time."""
    _, told = fact
    parts = [told]
    if isinstance(told, str) and field.type == "time" and "T" in told:
        parts.append(told.partition("T")[2])
    return any(same_answer(field.model_dump(), part, value) for part in parts)


def says(text: str, fact: Fact) -> bool:
    """Whether words state this value; cents may have become euros, and a moment a day."""
    _, wanted = fact
    if isinstance(wanted, str):
        return _holds(text, wanted) or ("T" in wanted and _holds(text, wanted.partition("T")[0]))
    return _holds(text, wanted) or _holds(text, wanted / _CENTS)


def _holds(text: str, value: str | int | float) -> bool:
    """Whether a text has this number, or these words, as a whole. It finds what is needed, and judges nobody."""
    plain = " ".join(text.casefold().split())
    if isinstance(value, int | float):
        numbers = _NUMBER.findall(_DAY.sub(" ", re.sub(r"(?<=\d),(?=\d{3}\b)", "", plain)))
        return any(abs(float(number) - value) < 0.005 for number in numbers)
    return re.search(rf"(?<!\w){re.escape(' '.join(value.casefold().split()))}(?!\w)", plain) is not None
