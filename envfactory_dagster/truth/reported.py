"""Mutants and variants of a report: what somebody would report who lies, guesses, hedges or mixes things up, and what
somebody would who says the same in other words.

Belongs here: other reports beside the same calls. Does not: other calls (`mutants`, `variants`), reading a report
(`reports`), and judging it (`verdicts`).
"""

from collections.abc import Callable, Iterator, Mapping
from datetime import date, timedelta
from decimal import Decimal
from itertools import combinations, islice

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.finish_tool import MOST_MESSAGE_CHARACTERS
from envfactory_dagster.contracts.reports import AnswerField, Report, ReportOutcome
from envfactory_dagster.runtime.amounts import in_whole_units, minor_units
from envfactory_dagster.runtime.reports import read_report
from envfactory_dagster.truth.messages import contradictions
from envfactory_dagster.truth.reports import alike, same_report
from envfactory_dagster.truth.traces import TracedTask, TrialTrace

MOST_WRONG = 32
LYING = "lying_message"
EMPTY = "empty_message"
LYING_IN_WORDS = "lying_words"
FORFEITS_ALL: frozenset[str] = frozenset(("wrong_outcome", "wrong_reason", LYING, EMPTY))
"""Operators whose mutants earn nothing at all, however many goals are reached."""
_SILENT = "I have finished."
_OUTCOMES: tuple[ReportOutcome, ...] = ("done", "refused", "impossible", "needs_information")
_OTHERS_OF_ONE_FIELD = 4
_OTHER_RULES = 5
_WORDS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"),
)


# -- wrong -------------------------------------------------------------------------------------------------------------


def wrong(subject: TracedTask) -> list[TrialTrace]:
    """Reports that are not right, of every operator in turn, beside the calls that gold makes."""
    streams = [iter(operator(subject)) for operator in _OPERATORS]
    found: list[TrialTrace] = []
    while streams:
        for stream in list(streams):
            trace = next(stream, None)
            if trace is None:
                streams.remove(stream)
            elif trace.operator in (LYING, EMPTY) or not same_report(subject.form, trace.report, subject.report):
                found.append(trace)
    return found[:MOST_WRONG]


def _wrong_outcome(subject: TracedTask) -> Iterator[TrialTrace]:
    for outcome in _OUTCOMES:
        if outcome != subject.report.outcome:
            reason = next(iter(subject.rules), None) if outcome == "refused" else None
            if outcome != "refused" or reason is not None:
                changed = {"outcome": outcome, "reason": reason}
                yield _trace(subject, "wrong_outcome", f"reports it as {outcome}", changed)


def _wrong_reason(subject: TracedTask) -> Iterator[TrialTrace]:
    if subject.report.outcome == "refused":
        for rule in [rule for rule in subject.rules if rule != subject.report.reason][:_OTHER_RULES]:
            yield _trace(subject, "wrong_reason", f"names the rule {rule}", {"reason": rule})


def _wrong_answer(subject: TracedTask) -> Iterator[TrialTrace]:
    streams = [_wrong_values(subject, field) for field in _answered(subject)]
    for number in range(_OTHERS_OF_ONE_FIELD):
        for field, values in zip(_answered(subject), streams, strict=True):
            for value in values[number : number + 1]:
                yield _misanswering(
                    subject, "wrong_answer", f"answers {field.name} with {value!r}", {field.name: value}
                )


def _no_answer(subject: TracedTask) -> Iterator[TrialTrace]:
    answered = [field.name for field in _answered(subject)]
    if len(answered) > 1:
        yield _misanswering(subject, "no_answer", "answers nothing", dict.fromkeys(answered))
    for name in answered:
        yield _misanswering(subject, "no_answer", f"leaves {name} empty", {name: None})


def _answers_swapped(subject: TracedTask) -> Iterator[TrialTrace]:
    answers = subject.report.answers
    for one, other in combinations(_answered(subject), 2):
        if (one.type, one.many) == (other.type, other.many):
            swapped = {one.name: answers[other.name], other.name: answers[one.name]}
            yield _misanswering(subject, "answers_swapped", f"swaps {one.name} and {other.name}", swapped)


def _every_answer(subject: TracedTask) -> Iterator[TrialTrace]:
    """Fills in what is not due as well, and lists everything there is where some of it is asked for."""
    given = subject.report.answers
    empty = [field for field in subject.form.fields if given.get(field.name) is None]
    for field in empty:
        value = _any_value(field)
        yield _misanswering(
            subject, "every_answer", f"answers {field.name} with {value!r} as well", {field.name: value}
        )
    for field in _answered(subject):
        value = given[field.name]
        if field.many and isinstance(value, list):
            everything = [*value, *(other for other in _other_values(subject, field, value[0] if value else None))]
            if len(everything) > len(value):
                yield _misanswering(
                    subject, "every_answer", f"lists all there is as {field.name}", {field.name: everything}
                )


def _lying_message(subject: TracedTask) -> Iterator[TrialTrace]:
    """The right answer in the report, and another value of it in the message."""
    for field in _answered(subject):
        value = subject.report.answers[field.name]
        for other in near_values(field, value[0] if isinstance(value, list) and value else value)[:1]:
            message = f"{field.description.rstrip('.')}: {_in_words(field, other)}."
            trace = _trace(subject, LYING, f"tells the person {other!r} as {field.name}", {"message": message})
            assert trace.report is not None
            if contradictions(trace.report, subject.form, subject.task.text, subject.calls):
                yield trace


def _empty_message(subject: TracedTask) -> Iterator[TrialTrace]:
    """The right report, in which the person is told nothing: it is not taken, and the episode ends without one."""
    handed_in = {**subject.report.model_dump(mode="json"), "message": " … "}
    taken = read_report(handed_in, subject.form, subject.rules)
    yield TrialTrace(
        EMPTY, "tells the person nothing", list(subject.calls), taken if isinstance(taken, Report) else None
    )


def lying_in_words(report: Report) -> tuple[str, Report]:
    """What it does, and the right report with a message that says the opposite and names no value: a deed told as
    refused, a refusal told as done. Only a judge can tell."""
    if report.outcome == "done":
        what, message = "tells the person that it is refused", "I could not do any of this: a rule forbids it. Sorry."
    else:
        what, message = "tells the person that it is done", "It is all done, just as you asked."
    return what, report.model_copy(update={"message": message})


_OPERATORS: tuple[Callable[[TracedTask], Iterator[TrialTrace]], ...] = (
    _wrong_outcome,
    _wrong_reason,
    _wrong_answer,
    _no_answer,
    _answers_swapped,
    _every_answer,
    _lying_message,
    _empty_message,
)


# -- right -------------------------------------------------------------------------------------------------------------


def right(subject: TracedTask) -> list[TrialTrace]:
    """The same report in other words: every value in another form, a message with politeness around it."""
    report = subject.report
    found = []
    forms = {field.name: _other_forms(field, report.answers[field.name]) for field in _answered(subject)}
    for number in range(max(map(len, forms.values()), default=0)):
        values = {name: each[number % len(each)] for name, each in forms.items() if each}
        shown = ", ".join(f"{name} as {value!r}" for name, value in values.items())
        found.append(_answering(subject, "answers_reworded", f"gives {shown}", values))
    polite = f"Thank you for waiting. {report.message} Is there anything else you need?"
    polite = polite if len(polite) <= MOST_MESSAGE_CHARACTERS else report.message
    found += [
        _trace(subject, "message_reworded", "puts the message between two polite sentences", {"message": polite}),
        _trace(subject, "message_reworded", "says no more than that it is finished", {"message": _SILENT}),
    ]
    return found


def _other_forms(field: AnswerField, value: Json) -> list[Json]:
    if field.many and isinstance(value, list):
        turned: list[Json] = list(reversed(value))
        inner = [_other_forms(field.model_copy(update={"many": False}), one) for one in value]
        given: list[Json] = [] if field.ordered else [turned]
        return [*given, [forms[0] if forms else one for one, forms in zip(value, inner, strict=True)]]
    forms: list[Json] = []
    if field.type in ("integer", "number") and isinstance(value, int | float):
        forms += [str(value), f"{value:,}"]
        forms += [_WORDS[int(value)]] if value == int(value) and 0 <= value <= 20 else []
        forms += [f"{value} {field.unit}"] if field.unit else []
    elif field.type == "money" and isinstance(value, int):
        whole = in_whole_units(value, field.unit)
        forms += [whole, f"{whole} {field.unit}", f"{Decimal(whole):,}"]
        forms += [f"{value} cents"] if minor_units(field.unit) == 100 else []
    elif field.type == "date" and (day := _day(value)) is not None:
        forms += [
            f"{day.day} {day:%B} {day.year}",
            f"{day:%B} {day.day}, {day.year}",
            f"{day:%A}, {day.day} {day:%B} {day.year}",
        ]
    elif field.type == "time" and isinstance(value, str) and (clock := _clock(value)) is not None:
        hour, minute = clock
        forms += [f"{hour:02d}:{minute:02d}", f"{(hour - 1) % 12 + 1}:{minute:02d} {'am' if hour < 12 else 'pm'}"]
    elif field.type == "duration" and isinstance(value, int | float):
        forms += [f"{value} {field.unit}"]
    elif field.type in ("text", "choice") and isinstance(value, str):
        forms += [value.upper(), f"“{value}”", f"{value}."]
    elif field.type == "yes_no" and isinstance(value, bool):
        forms += ["yes" if value else "no"]
    return [form for form in forms if form != value and alike(field, value, form)]


# -- values ------------------------------------------------------------------------------------------------------------


def _answered(subject: TracedTask) -> list[AnswerField]:
    return [field for field in subject.form.fields if subject.report.answers.get(field.name) is not None]


def _wrong_values(subject: TracedTask, field: AnswerField) -> list[Json]:
    """Near values and those of other rows, none of which could be taken for the right one."""
    value = subject.report.answers[field.name]
    if field.many and isinstance(value, list):
        others = list(_other_values(subject, field, value[0] if value else None))
        found: list[Json] = [value[::-1]] if field.ordered else []
        found += [[*value, other] for other in others[:1]]
        found += [value[:-1]] if value else []
        found += [[*value[:-1], other] for other in others[1:2]] if value else []
    else:
        near, others = near_values(field, value), list(_other_values(subject, field, value))
        found = [one for pair in zip(near, others, strict=False) for one in pair]
        found += near[len(others) :] + others[len(near) :]
    return [other for other in found if not alike(field, value, other)][:_OTHERS_OF_ONE_FIELD]


def _other_values(subject: TracedTask, field: AnswerField, value: Json) -> Iterator[Json]:
    """What else could stand there: other choices, other rows' values, numbers that tools gave under the same name."""
    single = field.model_copy(update={"many": False})
    if field.type == "choice":
        found: list[Json] = list(field.choices)
    elif isinstance(value, str):
        column = subject.start_rows.column_holding(value)
        found = [] if column is None else [other.value for other in subject.start_rows.others(column, value)]
    elif isinstance(value, int | float) and not isinstance(value, bool):
        pairs = [pair for step in subject.calls for pair in _named_numbers(step.value)]
        names = {name for name, number in pairs if number == value}
        whole = field.type in ("integer", "money")  # a report cannot hold another number there
        found = list[Json](
            sorted({number for name, number in pairs if name in names and (number % 1 == 0 or not whole)})
        )
    else:
        found = []
    fitting = [other for other in found if other is not None and not alike(single, value, other)]
    return islice(iter(subject.random.sample(fitting, len(fitting))), 50)


def near_values(field: AnswerField, value: Json) -> list[Json]:
    """Wrong answers that are not far from a single right one; none where nothing is near."""
    if isinstance(value, bool):
        return [not value]
    if field.type == "choice":
        return list[Json]([choice for choice in field.choices if choice != value][:3])
    if isinstance(value, int | float):
        steps = (100, -100, 1) if field.type == "money" else (1, -1, 10)
        return [value + step for step in steps]
    if field.type == "date" and (day := _day(value)) is not None:
        return [(day + timedelta(days=days)).isoformat() for days in (1, -1, 7)]
    if field.type == "time" and isinstance(value, str) and (clock := _clock(value)) is not None:
        return [f"{(clock[0] + hours) % 24:02d}:{clock[1]:02d}" for hours in (1, 12)]
    return [f"{value} and more"] if isinstance(value, str) else []


def _any_value(field: AnswerField) -> Json:
    values: dict[str, Json] = {"date": "2030-01-01", "time": "12:00", "text": "yes", "yes_no": True}
    value = field.choices[0] if field.type == "choice" else values.get(field.type, 1)
    return [value] if field.many else value


def _in_words(field: AnswerField, value: Json) -> str:
    return in_whole_units(value, field.unit) if field.type == "money" and isinstance(value, int) else str(value)


def _day(value: Json) -> date | None:
    try:
        return date.fromisoformat(str(value)[:10])
    except ValueError:
        return None


def _clock(value: str) -> tuple[int, int] | None:
    hour, _, minute = value.partition(":")
    return (int(hour), int(minute[:2])) if hour.isdigit() and minute[:2].isdigit() else None


def _named_numbers(value: Json, name: str = "") -> Iterator[tuple[str, int | float]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _named_numbers(inner, key)
    elif isinstance(value, list):
        for inner in value:
            yield from _named_numbers(inner, name)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield name, value


def _misanswering(subject: TracedTask, operator: str, what: str, values: dict[str, Json]) -> TrialTrace:
    """With a message that says nothing of any value: gold's own would contradict the answer, and the verdict would be 0
    whatever the verifier says."""
    return _trace(subject, operator, what, {"answers": subject.report.answers | values, "message": _SILENT})


def _answering(subject: TracedTask, operator: str, what: str, values: dict[str, Json]) -> TrialTrace:
    return _trace(subject, operator, what, {"answers": subject.report.answers | values})


def _trace(subject: TracedTask, operator: str, what: str, changed: Mapping[str, object]) -> TrialTrace:
    report = Report.model_validate({**subject.report.model_dump(), **changed})
    return TrialTrace(operator, what[:300], list(subject.calls), report)
