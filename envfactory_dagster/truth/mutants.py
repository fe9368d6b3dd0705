"""Mutants of deeds: traces that do not do what the task asks, each by one mistake that agents make.

Belongs here: the operators over a gold trace, and drawing from them in turn. Does not: mutants of what is reported
(`reported`), executing a mutant, and seeing that it came out right after all (`gate`).
"""

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date, timedelta

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.database import Cell
from envfactory_dagster.contracts.truth import TracedStep
from envfactory_dagster.truth.start_rows import USER, Other
from envfactory_dagster.truth.traces import (
    Operator,
    Path,
    TracedTask,
    TrialTrace,
    leaves,
    name_of,
    replaced,
)

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_DIGIT = re.compile(r"\d")
_OTHERS_OF_ONE_VALUE = 3


def draw(subject: TracedTask) -> Iterator[TrialTrace]:
    """Mutants of all operators in turn, until none has any left. The same subject gives the same mutants."""
    waiting = [operator(subject) for operator in _OPERATORS.values()]
    while waiting:
        for operator in list(waiting):
            mutant = next(operator, None)
            if mutant is None:
                waiting.remove(operator)
            else:
                yield mutant


# -- another value in an argument --------------------------------------------------------------------------------------


def wrong_entity(subject: TracedTask) -> Iterator[TrialTrace]:
    """A write meets another row, of the same owner where rows have owners."""
    yield from _pointed_elsewhere(subject, "wrong_entity", lambda owner, other: owner == other.owner)


def wrong_owner(subject: TracedTask) -> Iterator[TrialTrace]:
    """The right write on a row of somebody else: instead of the right row, or as well."""
    for trace in _pointed_elsewhere(subject, "wrong_owner", lambda owner, other: owner != other.owner):
        yield trace
        yield _as_well(subject, trace, "wrong_owner")


def neighbouring_value(subject: TracedTask) -> Iterator[TrialTrace]:
    """A number is off by one, a day is the next, a choice is another."""
    for index, path, value in _places(subject):
        for near in _neighbours(subject, index, path, value):
            yield _changed(subject, "neighbouring_value", index, path, near)


def _pointed_elsewhere(
    subject: TracedTask, operator: Operator, fits: Callable[[Cell, Other], bool]
) -> Iterator[TrialTrace]:
    streams = []
    for index, path, value in _places(subject):
        column = subject.start_rows.entity(name_of(path), value, subject.task.text)
        if column is None:
            continue
        owner = subject.start_rows.owner_of(column, value) or USER
        others = [other for other in subject.start_rows.others(column, value) if fits(other.owner and owner, other)]
        if not subject.start_rows.is_key(column):
            others = [other for other in others if not _may_be_the_same(value, other.value)]
        chosen = subject.random.sample(others, min(_OTHERS_OF_ONE_VALUE * subject.breadth, len(others)))
        streams.append(iter([_changed(subject, operator, index, path, other.value) for other in chosen]))
    yield from _alternate(*streams)


def _may_be_the_same(value: Json, other: Json) -> bool:
    """Whether both may be ways to write one name: "Dr Anna Bertoni" and "Bertoni". A name with another number is
    another one: "flat 5, left" and "flat 3, left"."""
    if not isinstance(value, str) or not isinstance(other, str):
        return False
    words, others = ({*re.findall(r"[^\W_]+", text.casefold())} for text in (value, other))
    if all(any(map(_DIGIT.search, more)) for more in (words - others, others - words)):
        return False
    shared = words & others
    return bool(shared) and (shared in (words, others) or 2 * len(shared) > max(len(words), len(others)))


def _places(subject: TracedTask) -> list[tuple[int, Path, Json]]:
    """Every scalar that a write was given and that is no free choice, in an order of its own for each task."""
    found = []
    for index in subject.writes:
        step = subject.calls[index]
        for path, value, _ in leaves(step.arguments, subject.tools[step.tool].inputSchema):
            if not subject.is_free(index, str(path[0])):
                found.append((index, path, value))
    return subject.random.sample(found, len(found))


def _neighbours(subject: TracedTask, index: int, path: Path, value: Json) -> list[Json]:
    step = subject.calls[index]
    schema = next(s for p, _, s in leaves(step.arguments, subject.tools[step.tool].inputSchema) if p == path)
    members = [member for member in schema.get("enum", []) if member not in (value, None)]
    if members:
        return subject.random.sample(members, min(2 * subject.breadth, len(members)))
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int | float):
        return [] if subject.start_rows.entity(name_of(path), value) else [value + step for step in _steps(subject)]
    if isinstance(value, str) and (day := _DAY.match(value)):
        return [later + value[10:] for later in _days_around(day[0], _steps(subject))]
    return []


def _steps(subject: TracedTask) -> list[int]:
    """Up and down by one, and as far as the mutants go."""
    return [step for distance in range(1, subject.breadth + 1) for step in (distance, -distance)]


def _days_around(day: str, steps: Sequence[int]) -> list[str]:
    try:
        return [(date.fromisoformat(day) + timedelta(days=days)).isoformat() for days in steps]
    except (ValueError, OverflowError):
        return []


def _changed(subject: TracedTask, operator: Operator, index: int, path: Path, new: Json) -> TrialTrace:
    step = subject.calls[index]
    what = f"{step.tool}: {'.'.join(map(str, path))} is {new!r}"
    return TrialTrace(
        operator, what, subject.with_arguments(index, replaced(step.arguments, path, new)), subject.report
    )


def _as_well(subject: TracedTask, trace: TrialTrace, operator: Operator) -> TrialTrace:
    """The changed call made after everything that gold does, instead of in gold's place."""
    extra = next(new for new, old in zip(trace.calls, subject.calls, strict=True) if new is not old)
    return TrialTrace(operator, f"as well, {trace.what}", [*subject.calls, extra], subject.report)


# -- calls left out, repeated, added -----------------------------------------------------------------------------------


def skipped_call(subject: TracedTask) -> Iterator[TrialTrace]:
    """Stops halfway, or leaves out two of the writes."""
    for index in reversed(subject.writes[1:]):
        rest = [i for i in subject.writes if i >= index]
        what = f"stops before {subject.calls[index].tool}"
        yield TrialTrace("skipped_call", what, subject.without(*rest), subject.report)
    pairs = [(a, b) for n, a in enumerate(subject.writes) for b in subject.writes[n + 1 :]]
    for a, b in subject.random.sample(pairs, len(pairs)):
        what = f"without {subject.calls[a].tool} and {subject.calls[b].tool}"
        yield TrialTrace("skipped_call", what, subject.without(a, b), subject.report)


def duplicated_call(subject: TracedTask) -> Iterator[TrialTrace]:
    """Makes a write twice: at once, or again at the end."""
    for index in subject.random.sample(subject.writes, len(subject.writes)):
        step = subject.calls[index]
        at_once = [*subject.calls[: index + 1], step, *subject.calls[index + 1 :]]
        yield TrialTrace("duplicated_call", f"makes {step.tool} twice", at_once, subject.report)
        yield TrialTrace(
            "duplicated_call", f"makes {step.tool} again at the end", [*subject.calls, step], subject.report
        )


def extra_write(subject: TracedTask) -> Iterator[TrialTrace]:
    """Does something else as well: what other tasks ask for, or one of the task's own writes on another row."""
    elsewhere = _pointed_elsewhere(subject, "extra_write", lambda owner, other: owner == other.owner)
    yield from _alternate(
        (_added(subject, donor) for donor in subject.random.sample(subject.donors, len(subject.donors))),
        (_as_well(subject, trace, "extra_write") for trace in elsewhere),
    )


def _added(subject: TracedTask, extra: TracedStep) -> TrialTrace:
    what = f"as well, {extra.tool} with {extra.arguments}"
    return TrialTrace("extra_write", what[:300], [*subject.calls, extra], subject.report)


# -- words instead of deeds --------------------------------------------------------------------------------------------


def report_without_action(subject: TracedTask) -> Iterator[TrialTrace]:
    """Reports what was not done."""
    if subject.writes:
        reads = subject.without(*subject.writes)
        yield TrialTrace("report_without_action", "only looks things up and reports it as done", reads, subject.report)
        yield TrialTrace("report_without_action", "makes no call and reports it as done", [], subject.report)


def _alternate(*streams: Iterator[TrialTrace]) -> Iterator[TrialTrace]:
    """One of each in turn."""
    waiting = list(streams)
    while waiting:
        for stream in list(waiting):
            trace = next(stream, None)
            if trace is None:
                waiting.remove(stream)
            else:
                yield trace


_OPERATORS: dict[Operator, Callable[[TracedTask], Iterator[TrialTrace]]] = {
    "wrong_entity": wrong_entity,
    "neighbouring_value": neighbouring_value,
    "skipped_call": skipped_call,
    "duplicated_call": duplicated_call,
    "extra_write": extra_write,
    "wrong_owner": wrong_owner,
    "report_without_action": report_without_action,
}


def minus_each_write(subject: TracedTask) -> Sequence[TrialTrace]:
    """Gold without one of its writes, for each of them."""
    return [
        TrialTrace(
            "", f"without {subject.calls[index].tool} (call {index + 1})", subject.without(index), subject.report
        )
        for index in subject.writes
    ]


def minus_the_person(subject: TracedTask) -> Sequence[TrialTrace]:
    """Gold without everything that the person changes in it; nothing where the person changes nothing."""
    deeds = [index for index in subject.writes if subject.calls[index].principal == "user"]
    named = ", ".join(dict.fromkeys(subject.calls[index].tool for index in deeds))
    return [TrialTrace("", f"without {named}", subject.without(*deeds), subject.report)] if deeds else []
