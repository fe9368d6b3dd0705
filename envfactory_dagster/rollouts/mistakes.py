"""The mistakes of the reference policy, each of which spoils an episode: at its last write, or, where nothing is
written, before or in its report.

Belongs here: making a script wrong, kind by kind. Does not: whether one is made (`reference`), and the mutants that
verifiers are tested with (`truth.mutants`).
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from random import Random
from typing import Any

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.reports import Report, ReportOutcome
from envfactory_dagster.rollouts.assignments import Assignment
from envfactory_dagster.rollouts.script import Act, HandIn, Say, Script, ScriptedCall
from envfactory_dagster.truth.reported import near_values
from envfactory_dagster.truth.traces import leaves, name_of, replaced

_QUESTION = "Are you sure that you want me to go on?"
_FINISHED = "I have finished."
_UNREADABLE = '{"cut": '
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


def wrong_entity(assignment: Assignment, script: Script, rng: Random) -> list[Act]:
    """Does it to another thing, or with another value; where nothing is written, reports another answer."""
    acts, place = script.acts, script.last_write
    if (
        place is not None
        and isinstance(write := acts[place], ScriptedCall)
        and (others := _elsewhere(assignment, write))
    ):
        return [*acts[:place], rng.choice(others), *acts[place + 1 :]]
    return [*acts[:-1], HandIn(_another_answer(assignment))]


def stops_early(assignment: Assignment, script: Script, rng: Random) -> list[Act]:
    """Leaves out the last write and every call after it, and reports that all is done; where nothing is written, leaves
    out the last call and reports that it could not be found out."""
    left_out = script.last_call if script.last_write is None else script.last_write
    kept = [act for place, act in enumerate(script.acts) if place < left_out or not isinstance(act, ScriptedCall)]
    return kept if script.last_write is not None else [*kept[:-1], _given_up(assignment)]


def hallucinated_tool(assignment: Assignment, script: Script, rng: Random) -> list[Act]:
    """Calls a tool that is not there."""
    known = {tool.name for tool in assignment.bundle.tools}
    name = f"{_tool(assignment, script)}_now"
    while name in known:
        name += "_now"
    return _instead(assignment, script, ScriptedCall(name, {}))


def malformed_arguments(assignment: Assignment, script: Script, rng: Random) -> list[Act]:
    """Calls a tool with arguments that are no JSON."""
    return _instead(assignment, script, ScriptedCall(_tool(assignment, script), _UNREADABLE))


def over_asking(assignment: Assignment, script: Script, rng: Random) -> list[Act]:
    """Asks whether to go on, again and again, also when its report is due."""
    place = script.last_call + 1 if script.last_write is None else script.last_write
    return [*script.acts[:place], Say(_QUESTION)]


MISTAKES: Mapping[str, Callable[[Assignment, Script, Random], list[Act]]] = {
    mistake.__name__: mistake
    for mistake in (wrong_entity, stops_early, hallucinated_tool, malformed_arguments, over_asking)
}


def _instead(assignment: Assignment, script: Script, wrong: ScriptedCall) -> list[Act]:
    """The wrong call in place of the last write. Where nothing is written it comes after the last call, and what was
    asked is reported as not found out."""
    acts = script.acts
    if script.last_write is not None:
        return [*acts[: script.last_write], wrong, *acts[script.last_write + 1 :]]
    place = script.last_call + 1
    return [*acts[:place], wrong, *acts[place:-1], _given_up(assignment)]


def _tool(assignment: Assignment, script: Script) -> str:
    """The tool of the last write, else of the last call; any, where the solution makes none."""
    place = script.last_call if script.last_write is None else script.last_write
    called = [act.tool for act in script.acts[place : place + 1] if isinstance(act, ScriptedCall)]
    return [*called, *(tool.name for tool in assignment.bundle.tools_of("assistant"))][0]


def _given_up(assignment: Assignment) -> HandIn:
    right = assignment.solution.report
    outcome: ReportOutcome = "needs_information" if right.outcome == "impossible" else "impossible"
    return HandIn(Report(outcome=outcome, answers=dict.fromkeys(right.answers), message="I could not find it out."))


def _another_answer(assignment: Assignment) -> Report:
    """Of the first field that is answered; where there is none, another outcome."""
    right = assignment.solution.report
    for field in assignment.solution.form.fields:
        value = right.answers.get(field.name)
        others: list[Json] = [value[:-1]] if isinstance(value, list) else near_values(field, value)
        if value not in (None, []) and others:
            changed = {"answers": right.answers | {field.name: others[0]}, "message": _FINISHED}
            return right.model_copy(update=changed)
    return _given_up(assignment).report


# -- another value in an argument --------------------------------------------------------------------------------------


def _elsewhere(assignment: Assignment, call: ScriptedCall) -> list[ScriptedCall]:
    """The call with another id in it, where it holds one; else with something else that is different."""
    schema = next((tool.inputSchema for tool in assignment.bundle.tools if tool.name == call.tool), {})
    told = [pair for step in assignment.solution.calls for pair in _named(step.value)]
    places = sorted(leaves(call.arguments, schema), key=lambda place: not name_of(place[0]).endswith("id"))
    for path, value, described in places:
        if others := _others(value, described, told):
            return [ScriptedCall(call.tool, replaced(call.arguments, path, other)) for other in others]
    return []


def _others(value: Json, schema: Mapping[str, Any], told: Sequence[tuple[str, Json]]) -> list[Json]:
    """Other choices; what tools told under the same name; the next number or day."""
    if members := [member for member in schema.get("enum", []) if member not in (value, None)]:
        return members
    if isinstance(value, bool):
        return [not value]
    names = {name for name, other in told if other == value}
    if others := sorted({str(other): other for name, other in told if name in names and other != value}.items()):
        return [other for _, other in others]
    if isinstance(value, int | float):
        return [value + 1]
    if isinstance(value, str) and (day := _DAY.match(value)):
        return [(date.fromisoformat(day[0]) + timedelta(days=1)).isoformat() + value[10:]]
    return []


def _named(value: Json, name: str = "") -> Iterator[tuple[str, Json]]:
    """Every number and text of a result, with the name it stands under."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _named(inner, key)
    elif isinstance(value, list):
        for inner in value:
            yield from _named(inner, name)
    elif isinstance(value, int | float | str) and not isinstance(value, bool):
        yield name, value
