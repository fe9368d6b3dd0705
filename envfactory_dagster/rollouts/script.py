"""What a reference solution comes to as an episode: calls, words to the person, the report, in order.

Belongs here: dividing a solution among the turns of its conversation, and the acts of an agent that follows it. Does
not: playing them (`reference`), the person's side (`scripted_person`), and doing them wrong (`mistakes`).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

import orjson

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.reports import Report
from envfactory_dagster.contracts.synthesis import TurnKind
from envfactory_dagster.contracts.truth import TracedStep
from envfactory_dagster.rollouts.assignments import Assignment
from envfactory_dagster.rollouts.settings import Setting

_BEFORE: dict[TurnKind, str] = {
    "wish": "That is done. Please tell me what else you need.",
    "detail": "Could you tell me more about that?",
    "insist": "I am sorry, that cannot be done.",
}
"""What is said to a person before they come up with their next turn."""


@dataclass(frozen=True, slots=True)
class ScriptedCall:
    """One call of a tool. Arguments that are a text are no JSON object."""

    tool: str
    arguments: dict[str, Json] | str


@dataclass(frozen=True, slots=True)
class Say:
    """A message to the person, or to nobody."""

    text: str


@dataclass(frozen=True, slots=True)
class HandIn:
    """The report, which ends the work."""

    report: Report


Act = ScriptedCall | Say | HandIn


@dataclass(frozen=True, slots=True)
class ScriptPart:
    """One turn of the person, with the calls of the solution that belong to it, in runs of the same principal."""

    kind: TurnKind
    request: str
    runs: list[list[TracedStep]]


@dataclass(frozen=True, slots=True)
class Script:
    """What an agent does in an episode, until the report, which comes last."""

    acts: list[Act]
    last_write: int | None
    """The place of its last write that succeeds, without which the task is not done; None: it writes nothing."""

    @property
    def last_call(self) -> int:
        """The place of its last call; -1: it makes none."""
        return max((place for place, act in enumerate(self.acts) if isinstance(act, ScriptedCall)), default=-1)


def parts(assignment: Assignment) -> list[ScriptPart]:
    """The turns of a conversation. A task without one is brought up at once, by its text."""
    conversation, calls = assignment.conversation, list(assignment.solution.calls)
    if conversation is None:
        return [ScriptPart("wish", assignment.task.text, _runs(calls))]
    found = []
    for turn in conversation.turns:
        found.append(ScriptPart(turn.kind, turn.request, _runs(calls[: turn.calls])))
        del calls[: turn.calls]
    return found


def _runs(calls: list[TracedStep]) -> list[list[TracedStep]]:
    return [list(run) for _, run in groupby(calls, lambda call: call.principal)]


def script_of(assignment: Assignment, setting: Setting) -> Script:
    """What the reference solution does, as an agent. In a single message nobody is there to do the person's part, so
    it is left out."""
    writing = {tool.name for tool in assignment.bundle.tools if not tool.annotations.readOnlyHint}
    acts: list[Act] = []
    last_write = None
    for act, step in _acts(assignment, setting):
        if step is not None and step.outcome == "ok" and step.tool in writing:
            last_write = len(acts)
        acts.append(act)
    return Script(acts, last_write)


def _acts(assignment: Assignment, setting: Setting) -> Iterator[tuple[Act, TracedStep | None]]:
    """Each with the call of the solution that it makes."""
    report, turns = assignment.solution.report, parts(assignment)
    for turn, following in zip(turns, [*turns[1:], None], strict=True):
        for run in turn.runs:
            if run[0].principal == "assistant":
                yield from ((ScriptedCall(step.tool, step.arguments), step) for step in run)
            elif setting == "conversation":
                yield Say(_request(run)), None
        if setting == "conversation":
            yield Say(report.message if following is None else _BEFORE[following.kind]), None
    yield HandIn(report), None


def _request(run: list[TracedStep]) -> str:
    wanted = ", ".join(f"{step.tool} {orjson.dumps(step.arguments).decode()}" for step in run)
    return f"Please do this yourself and tell me when it is done: {wanted}."
