"""Learning which columns do not hold the same in every run of a program.

Belongs here: running gold at another time and with other ids, and comparing what it wrote. Does not: what a mask does
to a changeset (`changesets`).

Another clock may make the program do other things: a booking that begins today no longer does. So several shifts are
tried, whole days before hours and minutes, and only runs count that make the same calls and write the same rows.
"""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import zip_longest

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.calls import Change
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.reports import AnswerForm
from envfactory_dagster.runtime.facts.results import ColumnRef
from envfactory_dagster.runtime.facts.schema import Schema
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.truth.changesets import Mask, Shapes
from envfactory_dagster.truth.execution import Run, run_solution

SHIFTS = (timedelta(days=1), timedelta(hours=1), timedelta(minutes=1), timedelta())
ID_OFFSET = 700


@dataclass(frozen=True, slots=True)
class LearnedMask:
    """A mask, and how it was come by."""

    mask: Mask
    shift: timedelta
    """By how much the clock was moved. Zero: what depends on the clock is not known."""
    note: str = ""
    """Why it is not the widest shift, in a sentence; empty when it is."""


async def learn_mask(
    runtime: Runtime, bundle: Bundle, task: Task, schema: Schema, source: str, form: AnswerForm, gold: Run
) -> LearnedMask:
    """Run the program again at other times and with other ids, and see what becomes of the rows that `gold` wrote.

    Of the shifts under which the program does the same, that one is taken which leaves the fewest columns volatile,
    and of those the widest: a fee for every day overdue is no volatile column, it only takes a smaller shift to see.
    """
    found: list[LearnedMask] = []
    obstacle = ""
    for shift in SHIFTS:
        if found and not (shift and found[-1].mask.volatile):
            break
        clock = (datetime.fromisoformat(gold.clock) + shift).isoformat()
        again = await run_solution(runtime, bundle, task, source, form, clock=clock, id_offset=ID_OFFSET)
        difference = _other_deeds(gold, again)
        if difference is None:
            mask = _compare(gold, again, schema)
            found.append(LearnedMask(mask, shift, obstacle))
            columns = ", ".join(map(str, sorted(mask.volatile)))
            difference = f"these columns change in no regular way: {columns}"
        obstacle = obstacle or f"With the clock {shift} later and other ids {difference}."
    if not found:
        return LearnedMask(Mask(), timedelta(), f"{obstacle} Other ids alone change what the program does.")
    return min(found, key=lambda learned: (len(learned.mask.volatile), -learned.shift))


def _other_deeds(gold: Run, again: Run) -> str | None:
    """What the second run did otherwise; None when calls and rows correspond."""
    if again.error is not None:
        return f"the program fails: {again.error}"
    calls = zip_longest(gold.calls, again.calls)
    for number, (one, other) in enumerate(calls, start=1):
        if one is None or other is None or (one.tool, one.outcome) != (other.tool, other.outcome):
            return f"the program goes another way from call {number} on"
    for change, its in zip_longest(_aligned(gold), _aligned(again)):
        if change is None or its is None or _place(change) != _place(its):
            return "the program writes other rows"
    return None


def _aligned(run: Run) -> list[Change]:
    """Changes in an order in which those of another run of the same calls correspond: later rows have higher ids."""
    return sorted(run.changes, key=lambda change: (change.table, change.kind, [(str(type(v)), v) for v in change.key]))


def _place(change: Change) -> tuple[object, ...]:
    return change.table, change.kind, () if change.before is None else change.key


def _compare(gold: Run, again: Run, schema: Schema) -> Mask:
    """A column in which some moments moved and others stayed keeps all of them as they are: at the gold's own time
    that is just as exact."""
    moved: set[ColumnRef] = set()
    stayed: set[ColumnRef] = set()
    volatile: set[ColumnRef] = set()
    of_gold, of_again = _Looks(gold, schema), _Looks(again, schema)
    for change, its in zip(_aligned(gold), _aligned(again), strict=True):
        for column in _written(change, its):
            here = ColumnRef(change.table, column)
            one, other = of_gold.at(here, change), of_again.at(here, its)
            if one.exact == other.exact:
                if one.exact != one.relative:
                    stayed.add(here)
            elif one.relative == other.relative:
                moved.add(here)
            else:
                volatile.add(here)
    return Mask(frozenset(volatile), frozenset(moved - stayed - volatile))


def _written(change: Change, its: Change) -> Iterator[str]:
    for column in change.after or {}:
        if any(c.before is None or c.before[column] != (c.after or {})[column] for c in (change, its)):
            yield column


@dataclass(frozen=True, slots=True)
class _Look:
    exact: Hashable
    relative: Hashable


class _Looks:
    """The cells of one run, as they are and as distances to its clock; ids and codes are taken out of both."""

    def __init__(self, run: Run, schema: Schema) -> None:
        everywhere = {ColumnRef(t.name, column.name) for t in schema.tables.values() for column in t.columns}
        self._exact = Shapes(run.changes, schema, run.clock, Mask())
        self._relative = Shapes(run.changes, schema, run.clock, Mask(relative=frozenset(everywhere)))

    def at(self, column: ColumnRef, change: Change) -> _Look:
        value = (change.after or {})[column.column]
        return _Look(self._exact.of(column, value).fixed, self._relative.of(column, value).fixed)
