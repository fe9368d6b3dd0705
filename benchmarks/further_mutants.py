"""Ten further ways to do a task wrongly or to report it wrongly, which no gate knows of.

Belongs here: operators over a reference solution that only this benchmark has, and executing what they make. Does not:
the gate's own operators, or judging (`truth`).

What comes to the same normalized changes and the same report as the reference solution, or as another end that the
task allows, is no mutant; nor is a second one of the same end. Only a lying message counts beside a right report. A
report that an agent could not hand in, because it does not fit its form, is none either.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from random import Random
from typing import Any

import apsw

from benchmarks.made_worlds import Made, changes
from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.database import Cell
from envfactory_dagster.contracts.reports import AnswerField, Report
from envfactory_dagster.contracts.truth import ReferenceSolution, RowChange, TracedStep
from envfactory_dagster.runtime.facts.schema import SchemaTable
from envfactory_dagster.runtime.reports import read_report
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.truth.changesets import Changeset, Mask, normalize
from envfactory_dagster.truth.execution import Run, run_calls, run_solution
from envfactory_dagster.truth.reports import alike, same_report

TAKEN_OF_AN_OPERATOR = 3
_TRIED_OF_AN_OPERATOR = 24
LYING = "lies_in_the_message"
SILENT = "I have finished."
_UNITS = (100, 0.01, 60)


End = tuple[Changeset, Report | None]


@dataclass(frozen=True, slots=True)
class Mutant:
    operator: str
    what: str
    run: Run


@dataclass(frozen=True, slots=True)
class _Deed:
    """Calls, a report, and perhaps an edit of the database that they leave behind."""

    what: str
    calls: Sequence[TracedStep]
    report: Report
    edit: Callable[[apsw.Connection], None] | None = None


async def mutants(runtime: Runtime, made: Made, task: str) -> list[Mutant]:
    """Up to a few of every operator."""
    source = _Source(made, task, await _elsewhere(runtime, made, task))
    known = [source.end(run) for run in await _allowed(runtime, made, task)]
    found: list[Mutant] = []
    for operator, deeds in OPERATORS.items():
        taken = 0
        for deed in islice(deeds(source), _TRIED_OF_AN_OPERATOR):
            run = await _done(runtime, source, deed)
            end = source.end(run)
            if taken == TAKEN_OF_AN_OPERATOR or (operator != LYING and any(source.is_same(end, one) for one in known)):
                continue
            known.append(end)
            taken += 1
            found.append(Mutant(operator, deed.what[:200], run))
    return found


async def _allowed(runtime: Runtime, made: Made, task: str) -> list[Run]:
    gold = made.solutions[task]
    sources = (gold.source, *gold.alternatives)
    return [await run_solution(runtime, made.bundle, made.task(task), source, gold.form) for source in sources]


async def _elsewhere(runtime: Runtime, made: Made, task: str) -> list[Run]:
    """What the reference solution does in the other initial states, as far as it gets."""
    here, gold = made.task(task), made.solutions[task]
    others = [here.model_copy(update={"state": state}) for state in made.bundle.states if state != here.state]
    return [await run_solution(runtime, made.bundle, other, gold.source, gold.form) for other in others]


async def _done(runtime: Runtime, source: "_Source", deed: _Deed) -> Run:
    run = await run_calls(runtime, source.made.bundle, source.task, deed.calls, deed.report)
    if deed.edit is None:
        return run
    connection = apsw.Connection(":memory:")
    connection.deserialize("main", run.final)
    try:
        deed.edit(connection)
        return replace(run, final=connection.serialize("main"))
    except apsw.ConstraintError:
        return run
    finally:
        connection.close()


class _Source:
    """A reference solution, and everything its mutants are made from."""

    def __init__(self, made: Made, task: str, elsewhere: Sequence[Run]) -> None:
        self.made = made
        self.task = made.task(task)
        self.gold: ReferenceSolution = made.solutions[task]
        self.report, self.form = self.gold.report, self.gold.form
        self.elsewhere = elsewhere
        self.random = Random(f"further {task}")
        self.tools = {tool.name: tool for tool in made.bundle.tools}
        self.calls = self.gold.calls
        self.writes = [i for i, c in enumerate(self.calls) if c.outcome == "ok" and not self._reads(c)]
        self.before = made.tables(made.bundle.states[self.task.state].image)
        self.answered = [field for field in self.form.fields if self.report.answers.get(field.name) is not None]
        self._clock = made.bundle.states[self.task.state].clock
        self._mask = Mask.of(self.gold)

    def end(self, run: Run) -> End:
        changed = changes(self.before, self.made.tables(run.final))
        return normalize(changed, self.made.schema, self._clock, self._mask), run.report

    def is_same(self, one: End, other: End) -> bool:
        return one[0] == other[0] and same_report(self.form, one[1], other[1])

    def reporting(self, what: str, answers: Mapping[str, Json], message: str = SILENT) -> Iterator[_Deed]:
        """Gold's calls with these answers instead of its own, if that can be handed in."""
        report = self.report.model_copy(update={"answers": {**self.report.answers, **answers}, "message": message})
        rules = [rule.id for rule in self.made.bundle.theme.rules]
        if isinstance(read_report(report.model_dump(mode="json"), self.form, rules), Report):
            yield _Deed(what, self.calls, report)

    def changed(self, index: int, arguments: dict[str, Json]) -> list[TracedStep]:
        new = self.calls[index].model_copy(update={"arguments": arguments})
        return [*self.calls[:index], new, *self.calls[index + 1 :]]

    def scalars(self) -> list[tuple[int, str, Json]]:
        """Call, argument and value of everything that a write was given, in an order of the task's own."""
        found = [(i, name, value) for i in self.writes for name, value in self.calls[i].arguments.items()]
        plain = [one for one in found if isinstance(one[2], str | int | float)]
        return self.random.sample(plain, len(plain))

    def foreign(self, field: AnswerField) -> list[Json]:
        """What the reports of other tasks answer fields of this type with."""
        if field.many:
            return []
        others = [gold for task, gold in self.made.solutions.items() if task != self.task.id]
        found = [gold.report.answers.get(one.name) for gold in others for one in gold.form.fields if _kin(one, field)]
        fitting = [value for value in found if value is not None]
        return self.random.sample(fitting, len(fitting))

    def _reads(self, call: TracedStep) -> bool:
        return self.tools[call.tool].annotations.readOnlyHint


# -- the operators -----------------------------------------------------------------------------------------------------


def swapped_order(source: _Source) -> Iterator[_Deed]:
    """Two writes change places, whatever lies between them."""
    for n, first in enumerate(source.writes):
        for second in source.writes[n + 1 :]:
            calls = list(source.calls)
            calls[first], calls[second] = calls[second], calls[first]
            yield _Deed(f"{calls[first].tool} before {calls[second].tool}", calls, source.report)
    for index in source.writes:
        rest = [call for i, call in enumerate(source.calls) if i != index]
        yield _Deed(f"{source.calls[index].tool} first of all", [source.calls[index], *rest], source.report)


def confused_arguments(source: _Source) -> Iterator[_Deed]:
    """An argument has the value of another argument, of the same kind, of the same or another call."""
    everything = [(c.tool, name, value) for c in source.calls for name, value in c.arguments.items()]
    for index, name, value in source.scalars():
        for tool, other_name, other in everything:
            if type(other) is type(value) and other != value:
                arguments = {**source.calls[index].arguments, name: other}
                what = f"{source.calls[index].tool}: {name} is {other!r}, the {other_name} of {tool}"
                yield _Deed(what, source.changed(index, arguments), source.report)


def another_user(source: _Source) -> Iterator[_Deed]:
    """All of it is done in the session of somebody else: what becomes the user's becomes another person's."""
    people = _people(source.made.schema.tables)
    for table, column in people:
        mine = [
            c for c in source.gold.changes if c.table == table and c.before is None and (c.after or {})[column] == 1
        ]
        for change in mine:
            for other in (2, 3):
                yield _Deed(
                    f"the new row of {table} is that of person {other}",
                    source.calls,
                    source.report,
                    _update(source.made.schema.tables[table], change.key, {column: other}),
                )
        for change in source.gold.changes:
            if change.table == table and change.before is not None and change.after is not None:
                yield from _on_a_row_of_another(source, change, column)


def _on_a_row_of_another(source: _Source, change: RowChange, column: str) -> Iterator[_Deed]:
    before, after = change.before or {}, change.after or {}
    written = {name: value for name, value in after.items() if before[name] != value}
    table = source.made.schema.tables[change.table]
    others = [row for row in source.before[change.table].values() if row[column] not in (1, None)]
    for row in source.random.sample(others, min(2, len(others))):
        key = [row[name] for name in table.primary_key]
        calls = [call for i, call in enumerate(source.calls) if i not in source.writes]
        rest = [call for call in source.calls if call not in calls]
        only = len(source.gold.changes) == 1
        what = f"{change.table} {key} of person {row[column]} is changed {'instead' if only else 'as well'}"
        yield _Deed(what, calls if only else [*calls, *rest], source.report, _update(table, key, written))


def half_a_batch(source: _Source) -> Iterator[_Deed]:
    """Half of a list, half of the calls of a tool, every second write; half of what is to be said."""
    for index in source.writes:
        for name, value in source.calls[index].arguments.items():
            if isinstance(value, list) and len(value) > 1:
                arguments = {**source.calls[index].arguments, name: value[: len(value) // 2]}
                yield _Deed(f"half of the {name}", source.changed(index, arguments), source.report)
    by_tool: dict[str, list[int]] = {}
    for index in source.writes:
        by_tool.setdefault(source.calls[index].tool, []).append(index)
    for some in [*by_tool.values(), source.writes]:
        for left_out in (some[1::2], some[::2]) if len(some) > 1 else ():
            calls = [call for i, call in enumerate(source.calls) if i not in left_out]
            yield _Deed(f"without calls {left_out} of {some}", calls, source.report)
    names = [field.name for field in source.answered]
    for half in (names[: len(names) // 2], names[len(names) // 2 :]) if len(names) > 1 else ():
        yield from source.reporting(f"leaves {half} empty", dict.fromkeys(half))
    for name in names:
        value = source.report.answers[name]
        if isinstance(value, list) and len(value) > 1:
            yield from source.reporting(f"lists half of {name}", {name: value[: len(value) // 2]})


def undone(source: _Source) -> Iterator[_Deed]:
    """After everything, any call that fits a row which was just written: it takes back, or goes too far."""
    ids = {(name, value) for i in source.writes for name, value in _ids(source.calls[i])}
    for tool in source.made.bundle.tools:
        required = tool.inputSchema.get("required", [])
        if tool.annotations.readOnlyHint or not required:
            continue
        for name, value in sorted(ids):
            if required == [name]:
                call = TracedStep(tool=tool.name, principal=tool.principal, arguments={name: value})
                yield _Deed(f"{tool.name} {value} in the end", [*source.calls, call], source.report)


def other_unit(source: _Source) -> Iterator[_Deed]:
    """Euros for cents, minutes for hours: in a write, or in what is said."""
    for index, name, value in source.scalars():
        if not isinstance(value, int | float) or isinstance(value, bool):
            continue
        for scale in _UNITS:
            scaled = value * scale
            new = int(scaled) if scaled == int(scaled) else scaled
            arguments = {**source.calls[index].arguments, name: new}
            yield _Deed(f"{source.calls[index].tool}: {name} is {new}", source.changed(index, arguments), source.report)
    for field in source.answered:
        answer = source.report.answers[field.name]
        if isinstance(answer, int | float) and not isinstance(answer, bool):
            for scale in _UNITS:
                new = round(answer * scale, 2)
                yield from source.reporting(f"answers {field.name} with {new}", {field.name: new})


def stale_write(source: _Source) -> Iterator[_Deed]:
    """After everything, a call writes again what was there before; or an early write is made again, late."""
    for change in source.gold.changes:
        for column, new in (change.after or {}).items():
            old = (change.before or {}).get(column)
            if change.before is None or old is None or old == new:
                continue
            for index in source.writes:
                for name, value in source.calls[index].arguments.items():
                    if value == new:
                        late = source.calls[index].model_copy(
                            update={"arguments": {**source.calls[index].arguments, name: old}}
                        )
                        what = f"{late.tool}: {name} is {old!r} again in the end"
                        yield _Deed(what, [*source.calls, late], source.report)
    for index in source.writes[:-1]:
        yield _Deed(
            f"{source.calls[index].tool} once more in the end", [*source.calls, source.calls[index]], source.report
        )


def other_state(source: _Source) -> Iterator[_Deed]:
    """What would be right in another initial state of the environment: its ids, its answer."""
    for run in source.elsewhere:
        if run.calls:
            yield _Deed("the calls that are right in another state", run.calls, source.report)
        if run.calls and run.report is not None:
            yield _Deed("the calls and the report of another state", run.calls, run.report)
        if run.report is not None and source.answered:
            yield _Deed("the report that is right in another state", source.calls, run.report)
    for state in source.made.bundle.states:
        if state != source.task.state:
            yield from _ids_of_another_state(source, source.made.bundle.states[state].image)


def _ids_of_another_state(source: _Source, image: bytes) -> Iterator[_Deed]:
    rows = source.made.tables(image)
    for index, name, value in source.scalars():
        table = _table_of(name, rows)
        if table is None:
            continue
        ids = [row["id"] for row in rows[table].values() if row.get("id") not in (None, value)]
        for other in source.random.sample(ids, min(2, len(ids))):
            arguments = {**source.calls[index].arguments, name: other}
            what = f"{source.calls[index].tool}: {name} is {other!r}, a row of another state"
            yield _Deed(what, source.changed(index, arguments), source.report)


def another_tasks_answer(source: _Source) -> Iterator[_Deed]:
    """A field is answered with what another task of the environment asks for, where that is of its type."""
    for field in source.answered:
        for answer in source.foreign(field):
            yield from source.reporting(f"answers {field.name} with {answer!r} of another task", {field.name: answer})


def lies_in_the_message(source: _Source) -> Iterator[_Deed]:
    """The report is right, and the person is told something else: another task's value, or nothing but that."""
    for field in source.answered:
        for answer in source.foreign(field):
            if field.type != "text" and not alike(field, source.report.answers[field.name], answer):
                told = f"{answer / 100:.2f}" if field.type == "money" and isinstance(answer, int) else answer
                message = f"{field.description.rstrip('.')}: {told}."
                yield from source.reporting(f"tells the person {told} as {field.name}", {}, message)


OPERATORS: Mapping[str, Callable[[_Source], Iterator[_Deed]]] = {
    operator.__name__: operator
    for operator in (
        swapped_order,
        confused_arguments,
        another_user,
        half_a_batch,
        undone,
        other_unit,
        stale_write,
        other_state,
        another_tasks_answer,
        lies_in_the_message,
    )
}

# -- fields and rows ---------------------------------------------------------------------------------------------------


def _kin(one: AnswerField, other: AnswerField) -> bool:
    return (one.type, one.unit, one.many) == (other.type, other.unit, other.many)


# -- rows --------------------------------------------------------------------------------------------------------------


def _people(tables: Mapping[str, SchemaTable]) -> list[tuple[str, str]]:
    """Tables and the columns by which their rows belong to a person: the parent that most foreign keys name."""
    keys = [(t.name, key) for t in tables.values() for key in t.foreign_keys if len(key.columns) == 1]
    parents = [key.parent for _, key in keys]
    people = max(sorted(set(parents)), key=parents.count, default="")
    return [(table, key.columns[0]) for table, key in keys if key.parent == people]


def _table_of(argument: str, tables: Mapping[str, Any]) -> str | None:
    stem = argument.removesuffix("_id")
    plurals = {f"{stem}s", f"{stem}es", re.sub("y$", "ies", stem)} if argument.endswith("_id") else set()
    return next((table for table in tables if table in plurals), None)


def _ids(call: TracedStep) -> Iterator[tuple[str, int]]:
    told = call.value if isinstance(call.value, dict) else {}
    for name, value in chain(call.arguments.items(), told.items()):
        if name.endswith("_id") and isinstance(value, int):
            yield name, value


def _update(table: SchemaTable, key: Sequence[Cell], values: Mapping[str, Cell]) -> Callable[[apsw.Connection], None]:
    columns = [name for name in values if name not in table.primary_key]

    def edit(connection: apsw.Connection) -> None:
        connection.execute("PRAGMA foreign_keys = ON")
        where = " AND ".join(f'"{name}" = ?' for name in table.primary_key)
        assigned = ", ".join(f'"{name}" = ?' for name in columns)
        connection.execute(
            f'UPDATE "{table.name}" SET {assigned} WHERE {where}', [*(values[name] for name in columns), *key]
        )

    return edit
