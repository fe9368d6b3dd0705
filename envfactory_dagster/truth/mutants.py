"""Mutants: traces that do not do what the task asks, each by one mistake that agents make.

Belongs here: the eight operators over a gold trace, and drawing from them in turn. Does not: executing a mutant, and
seeing that it came out right after all (`gate`).
"""

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date, timedelta

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.database import Cell
from envfactory_dagster.contracts.truth import TracedStep
from envfactory_dagster.truth import answers
from envfactory_dagster.truth.ground import USER, Other
from envfactory_dagster.truth.traces import (
    Operator,
    Path,
    Subject,
    Trace,
    answer_counts,
    asks,
    leaves,
    name_of,
    replaced,
)

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_DONE = "It is all done."
_OTHERS_OF_ONE_VALUE = 3


def draw(subject: Subject) -> Iterator[Trace]:
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


def wrong_entity(subject: Subject) -> Iterator[Trace]:
    """A write meets another row, of the same owner where rows have owners; an answer names another one."""
    yield from _alternate(
        _pointed_elsewhere(subject, "wrong_entity", lambda owner, other: owner == other.owner),
        _said(subject, "wrong_entity", answers.mixed_up) if asks(subject.task) else iter(()),
    )


def wrong_owner(subject: Subject) -> Iterator[Trace]:
    """The right write on a row of somebody else: instead of the right row, or as well."""
    for trace in _pointed_elsewhere(subject, "wrong_owner", lambda owner, other: owner != other.owner):
        yield trace
        yield _as_well(subject, trace, "wrong_owner")


def neighbouring_value(subject: Subject) -> Iterator[Trace]:
    """A number is off by one, a day is the next, a choice is another; in a write or in the answer."""
    yield from _alternate(
        _nearby(subject), _said(subject, "neighbouring_value", answers.neighbours) if asks(subject.task) else iter(())
    )


def _nearby(subject: Subject) -> Iterator[Trace]:
    for index, path, value in _places(subject):
        for near in _neighbours(subject, index, path, value):
            yield _changed(subject, "neighbouring_value", index, path, near)


def _pointed_elsewhere(subject: Subject, operator: Operator, fits: Callable[[Cell, Other], bool]) -> Iterator[Trace]:
    streams = []
    for index, path, value in _places(subject):
        column = subject.ground.entity(name_of(path), value, subject.task.text)
        if column is None:
            continue
        owner = subject.ground.owner_of(column, value) or USER
        others = [other for other in subject.ground.others(column, value) if fits(other.owner and owner, other)]
        chosen = subject.random.sample(others, min(_OTHERS_OF_ONE_VALUE * subject.breadth, len(others)))
        streams.append(iter([_changed(subject, operator, index, path, other.value) for other in chosen]))
    yield from _alternate(*streams)


def _places(subject: Subject) -> list[tuple[int, Path, Json]]:
    """Every scalar that a write was given and that is no free choice, in an order of its own for each task."""
    found = []
    for index in subject.writes:
        step = subject.calls[index]
        for path, value, _ in leaves(step.arguments, subject.tools[step.tool].inputSchema):
            if not subject.is_free(index, str(path[0])):
                found.append((index, path, value))
    return subject.random.sample(found, len(found))


def _neighbours(subject: Subject, index: int, path: Path, value: Json) -> list[Json]:
    step = subject.calls[index]
    schema = next(s for p, _, s in leaves(step.arguments, subject.tools[step.tool].inputSchema) if p == path)
    members = [member for member in schema.get("enum", []) if member not in (value, None)]
    if members:
        return subject.random.sample(members, min(2 * subject.breadth, len(members)))
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int | float):
        return [] if subject.ground.entity(name_of(path), value) else [value + step for step in _steps(subject)]
    if isinstance(value, str) and (day := _DAY.match(value)):
        return [later + value[10:] for later in _days_around(day[0], _steps(subject))]
    return []


def _steps(subject: Subject) -> list[int]:
    """Up and down by one, and as far as the mutants go."""
    return [step for distance in range(1, subject.breadth + 1) for step in (distance, -distance)]


def _days_around(day: str, steps: Sequence[int]) -> list[str]:
    try:
        return [(date.fromisoformat(day) + timedelta(days=days)).isoformat() for days in steps]
    except (ValueError, OverflowError):
        return []


def _changed(subject: Subject, operator: Operator, index: int, path: Path, new: Json) -> Trace:
    step = subject.calls[index]
    what = f"{step.tool}: {'.'.join(map(str, path))} is {new!r}"
    return Trace(operator, what, subject.with_arguments(index, replaced(step.arguments, path, new)), subject.answer)


def _as_well(subject: Subject, trace: Trace, operator: Operator) -> Trace:
    """The changed call made after everything that gold does, instead of in gold's place."""
    extra = next(new for new, old in zip(trace.calls, subject.calls, strict=True) if new is not old)
    return Trace(operator, f"as well, {trace.what}", [*subject.calls, extra], subject.answer)


# -- calls left out, repeated, added -----------------------------------------------------------------------------------


def skipped_call(subject: Subject) -> Iterator[Trace]:
    """Stops halfway, or leaves out two of the writes."""
    for index in reversed(subject.writes[1:]):
        rest = [i for i in subject.writes if i >= index]
        what = f"stops before {subject.calls[index].tool}"
        yield Trace("skipped_call", what, subject.without(*rest), subject.answer)
    pairs = [(a, b) for n, a in enumerate(subject.writes) for b in subject.writes[n + 1 :]]
    for a, b in subject.random.sample(pairs, len(pairs)):
        what = f"without {subject.calls[a].tool} and {subject.calls[b].tool}"
        yield Trace("skipped_call", what, subject.without(a, b), subject.answer)


def duplicated_call(subject: Subject) -> Iterator[Trace]:
    """Makes a write twice: at once, or again at the end."""
    for index in subject.random.sample(subject.writes, len(subject.writes)):
        step = subject.calls[index]
        at_once = [*subject.calls[: index + 1], step, *subject.calls[index + 1 :]]
        yield Trace("duplicated_call", f"makes {step.tool} twice", at_once, subject.answer)
        yield Trace("duplicated_call", f"makes {step.tool} again at the end", [*subject.calls, step], subject.answer)


def extra_write(subject: Subject) -> Iterator[Trace]:
    """Does something else as well: what other tasks ask for, or one of the task's own writes on another row."""
    elsewhere = _pointed_elsewhere(subject, "extra_write", lambda owner, other: owner == other.owner)
    yield from _alternate(
        (_added(subject, donor) for donor in subject.random.sample(subject.donors, len(subject.donors))),
        (_as_well(subject, trace, "extra_write") for trace in elsewhere),
    )


def _added(subject: Subject, extra: TracedStep) -> Trace:
    what = f"as well, {extra.tool} with {extra.arguments}"
    return Trace("extra_write", what[:300], [*subject.calls, extra], subject.answer)


# -- words and deeds ---------------------------------------------------------------------------------------------------


def answer_without_action(subject: Subject) -> Iterator[Trace]:
    """Says that it is done."""
    if subject.writes:
        reads = subject.without(*subject.writes)
        yield Trace("answer_without_action", "only looks things up and gives the answer", reads, subject.answer)
        yield Trace("answer_without_action", "gives the answer and makes no call", [], subject.answer)
        yield Trace("answer_without_action", "says it is done and makes no call", [], _DONE)


def action_without_answer(subject: Subject) -> Iterator[Trace]:
    """Does everything, and does not say what was to be said."""
    if answer_counts(subject.task, subject.answer):
        yield Trace("action_without_answer", "says nothing", list(subject.calls), None)
        yield Trace("action_without_answer", f"says only: {_DONE}", list(subject.calls), _DONE)


def _said(
    subject: Subject, operator: Operator, wrong: Callable[[Subject], Iterator[tuple[str, str]]]
) -> Iterator[Trace]:
    for answer, what in wrong(subject):
        yield Trace(operator, what[:300], list(subject.calls), answer)


def _alternate(*streams: Iterator[Trace]) -> Iterator[Trace]:
    """One of each in turn."""
    waiting = list(streams)
    while waiting:
        for stream in list(waiting):
            trace = next(stream, None)
            if trace is None:
                waiting.remove(stream)
            else:
                yield trace


_OPERATORS: dict[Operator, Callable[[Subject], Iterator[Trace]]] = {
    "wrong_entity": wrong_entity,
    "neighbouring_value": neighbouring_value,
    "skipped_call": skipped_call,
    "duplicated_call": duplicated_call,
    "extra_write": extra_write,
    "wrong_owner": wrong_owner,
    "answer_without_action": answer_without_action,
    "action_without_answer": action_without_answer,
}


def minus_each_write(subject: Subject) -> Sequence[Trace]:
    """Gold without one of its writes, for each of them."""
    return [
        Trace("", f"without {subject.calls[index].tool} (call {index + 1})", subject.without(index), subject.answer)
        for index in subject.writes
    ]
