"""Arguments of a reference solution whose value does not matter: found by giving another one and looking what becomes.

Belongs here: which other values are tried, and when nothing of importance has changed. Does not: running the
program (`truth.execution`), and comparing paths under a mask (`truth.paths`).

An argument does not matter when the reference program, whose one call is made with another value, makes all others as
before and comes to the same end: the same database, the same report, 1 by the verifier. Everything that is relied on
later must still be told: a program may hold as a constant what somebody else has to look up. Where something is chosen
from a list, the list must hold the same things as before: that the choice falls on the same one says nothing. Words
that nobody asked for (a reason, a greeting) may be stored as they are: there it is enough that the same cells are
written.
"""

import asyncio
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from itertools import islice, zip_longest
from typing import Any

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.tools import ToolDefinition
from envfactory_dagster.contracts.truth import ReferenceSolution, TracedStep
from envfactory_dagster.runtime.json_schema import compile_schema
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.truth.changesets import Changeset, Mask, normalize
from envfactory_dagster.truth.execution import Run, run_solution
from envfactory_dagster.truth.reports import same_report
from envfactory_dagster.truth.start_rows import StartRows, schema_of
from envfactory_dagster.truth.telling import Fact, answers, facts, relies, single_answers
from envfactory_dagster.truth.traces import leaves, name_of, replaced
from envfactory_dagster.truth.verdicts import TaskChecks, judge_surely

MOST_VALUES = 4
"""Other values tried for one argument."""
MOST_ARGUMENTS = 32
"""Of one task; those beyond count as mattering."""

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_DAYS_AWAY = (200, -200, 1, -1)
_OTHER_WORDS = "Something else altogether"


async def masked_arguments(
    runtime: Runtime, bundle: Bundle, task: Task, gold: ReferenceSolution, verifier: str
) -> dict[str, list[str]]:
    """Tool → arguments that do not matter in any call that the reference solution makes of it. A verifier that
    remembers earlier cases raises `Remembers`."""
    checking = _Checking(runtime, bundle, task, gold, verifier)
    places = [
        (index, name)
        for index, call in enumerate(gold.calls)
        for name, value in call.arguments.items()
        if call.outcome == "ok" and value is not None
    ]
    free = await asyncio.gather(*(checking.does_not_matter(*place) for place in places[:MOST_ARGUMENTS]))
    found: dict[tuple[str, str], bool] = {}
    for place, (index, name) in enumerate(places):
        argument = gold.calls[index].tool, name
        found[argument] = found.get(argument, True) and place < len(free) and free[place]
    masked: dict[str, list[str]] = {}
    for tool, name in sorted(argument for argument, does_not_matter in found.items() if does_not_matter):
        masked.setdefault(tool, []).append(name)
    return masked


class _Checking:
    """One task, and what its reference solution came to."""

    def __init__(self, runtime: Runtime, bundle: Bundle, task: Task, gold: ReferenceSolution, verifier: str) -> None:
        self._runtime, self._bundle, self._task, self._gold = runtime, bundle, task, gold
        self._checks = TaskChecks(task, verifier, gold.form)
        self._tools = {tool.name: tool for tool in bundle.tools}
        self._schema = schema_of(bundle.schema_sql)
        self._ground = StartRows(self._schema, bundle.states[task.state].image, gold.changes)
        self._clock = bundle.states[task.state].clock
        self._changeset = normalize(gold.changes, self._schema, self._clock, Mask.of(gold))
        self._relied_on = [_relied_on(gold, index) for index in range(len(gold.calls))]
        self._computed = _worked_out(gold)

    async def does_not_matter(self, index: int, name: str) -> bool:
        """Under every value tried. The first one that makes a difference is enough to know that it does."""
        call = self._gold.calls[index]
        others = list(islice(self._others(call, name), MOST_VALUES))
        if all(name not in other for other in others):
            return False
        free_words = self._is_free_words(call.arguments[name])
        runs = []
        for other in others:
            gold = self._gold
            run = await run_solution(
                self._runtime, self._bundle, self._task, gold.source, gold.form, instead={index: other}
            )
            if not self._is_as_good(run, index, free_words):
                return False
            runs.append(run)
        verdicts = await judge_surely(self._runtime, self._checks, runs)
        return all(verdict.score == 1.0 for verdict in verdicts)

    def _others(self, call: TracedStep, name: str) -> Iterator[dict[str, Json]]:
        """The arguments with another value in this place; only what the tool's interface takes."""
        tool = self._tools[call.tool]
        fits = compile_schema(tool.inputSchema)
        for value in self._other_values(tool, name, call.arguments[name]):
            changed = call.arguments | {name: value}
            if fits(changed) is None:
                yield changed
        rest = {given: value for given, value in call.arguments.items() if given != name}
        if fits(rest) is None:
            yield rest

    def _other_values(self, tool: ToolDefinition, name: str, value: Json) -> Iterator[Json]:
        schema = {"type": "object", "properties": {name: tool.inputSchema.get("properties", {}).get(name, {})}}
        for path, scalar, inner in leaves({name: value}, schema):
            column = self._ground.entity(name_of(path), scalar, self._task.text)
            others = self._ground.others(column, scalar)[: MOST_VALUES - 1] if column is not None else []
            for other in [one.value for one in others] or _neighbours(scalar, inner):
                yield replaced({name: value}, path, other)[name]

    def _is_free_words(self, value: Json) -> bool:
        if not isinstance(value, str) or _DAY.match(value):
            return False
        return value.casefold() not in self._task.text.casefold() and self._ground.column_holding(value) is None

    def _is_as_good(self, run: Run, index: int, free_words: bool) -> bool:
        if not same_report(self._gold.form, self._gold.report, run.report) or not self._goes_on_as_before(run, index):
            return False
        pairs = zip(self._gold.calls, run.calls, self._relied_on, strict=True)
        if not all(self._tells_as_much(gold, call, relied_on) for gold, call, relied_on in pairs):
            return False
        changeset = normalize(run.changes, self._schema, self._clock, Mask.of(self._gold))
        return changeset == self._changeset or (free_words and _cells(changeset) == _cells(self._changeset))

    def _goes_on_as_before(self, run: Run, index: int) -> bool:
        """Whether all calls but this one are those of the reference solution."""
        pairs = list(zip_longest(self._gold.calls, run.calls))
        return all(
            gold is not None and call is not None and gold.tool == call.tool
            and (place == index or gold.arguments == call.arguments)
            for place, (gold, call) in enumerate(pairs)
        )  # fmt: skip

    def _tells_as_much(self, gold: TracedStep, call: TracedStep, relied_on: set[Fact]) -> bool:
        """Whether a call that comes out otherwise still tells what is relied on. Where nothing is, it was made to see
        whether something is the case, and every word of it may have counted."""
        if (call.outcome, call.value, call.error) == (gold.outcome, gold.value, gold.error):
            return True
        if call.outcome != "ok" or self._computed or not relied_on:
            return False
        if _is_chosen_from(gold.value) and _in_no_order(call.value) != _in_no_order(gold.value):
            return False
        return relied_on <= set(facts(call.value))


def _relied_on(gold: ReferenceSolution, index: int) -> set[Fact]:
    """What this call told that a later call or an answer of the report uses."""
    later: list[Json] = [dict(call.arguments) for call in gold.calls[index + 1 :]]
    given = list(single_answers(gold.form, gold.report))
    return {
        fact
        for fact in facts(gold.calls[index].value)
        if relies(later, fact) or any(answers(field, value, fact) for field, value in given)
    }


def _is_chosen_from(value: Json) -> bool:
    """Whether a result lists several things, of which those are chosen that are relied on later."""
    if isinstance(value, dict):
        return any(map(_is_chosen_from, value.values()))
    return isinstance(value, list) and (len(value) > 1 or any(map(_is_chosen_from, value)))


def _in_no_order(value: Json) -> Json:
    """Equal for results that list the same things in another order."""
    if isinstance(value, dict):
        return {name: _in_no_order(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return sorted((_in_no_order(inner) for inner in value), key=lambda one: json.dumps(one, sort_keys=True))
    return value


def _worked_out(gold: ReferenceSolution) -> bool:
    """Whether the report answers something that no call told as it is: a sum, a difference, yes or no. Then every row
    counts that it may have been made from."""
    known = [fact for call in gold.calls for fact in facts(call.value)]
    known += [fact for call in gold.calls for fact in facts(dict(call.arguments))]
    given = single_answers(gold.form, gold.report)
    return any(not any(answers(field, value, fact) for fact in known) for field, value in given)


def _neighbours(value: Json, schema: Mapping[str, Any]) -> Sequence[Json]:
    members: list[Json] = [member for member in schema.get("enum", []) if member not in (value, None)]
    if members:
        return members
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int | float):
        return [near for near in (value * 10 + 1, value // 2, value + 1, value - 1) if near != value]
    if isinstance(value, str) and (day := _DAY.match(value)):
        return [later + value[10:] for later in _days_away(day[0])]
    return [_OTHER_WORDS]


def _days_away(day: str) -> list[str]:
    try:
        return [(date.fromisoformat(day) + timedelta(days=days)).isoformat() for days in _DAYS_AWAY]
    except (ValueError, OverflowError):
        return []


def _cells(changeset: Changeset) -> Counter[tuple[object, ...]]:
    """Where was written, whatever was."""
    return Counter((write.kind, write.table, write.key, write.column) for write in changeset.writes)
