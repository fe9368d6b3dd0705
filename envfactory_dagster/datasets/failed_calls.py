"""Episodes without the calls that failed in them.

Belongs here: leaving failed calls out where the rest still holds together. Does not: shortening for its own sake, which
is proved by playing again (`shortening`).

A call that failed changed nothing, so all results after it stay true without it. It may be left out when nothing that
the agent said, thought or asked for afterwards takes up what only the failed call had shown, and when the agent does
not speak of the failure in its next message. Where a refusal is what the task comes to, the failed call is the reason
for the answer, and stays. A report that was not taken is left out like a failed call, of whatever task: it told the
agent nothing but what was wrong with it.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import orjson

from envfactory_dagster.contracts.domain import TaskKind
from envfactory_dagster.contracts.trajectory import Observation, Step, ToolRequest

_STANDS: frozenset[TaskKind] = frozenset(("refusal", "unable", "underspecified"))
_WORD = re.compile(r"\w+")
_SPEAKS_OF_IT = re.compile(
    r"\b(error|fail\w*|declin\w*|refus\w*|reject\w*|invalid|did(?: not|n't) work|sorry|apolog\w*|try again|instead)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Cleaned:
    """The steps that are left, with their numbers, and how many calls are gone."""

    steps: list[Step]
    removed: int


def without_failed_calls(steps: Sequence[Step], begun_with: str, kind: TaskKind) -> Cleaned | None:
    """None: a failed call cannot be left out. `begun_with`: everything that was said before the first step."""
    kept: list[Step] = []
    removed = 0
    for place, step in enumerate(steps):
        failed = _failed(step, reports_only=kind in _STANDS)
        if failed and not _is_forgotten(step, failed, [begun_with, *map(_everything, kept)], steps[place + 1 :]):
            return None
        removed += len(failed)
        left = _without(step, failed)
        if left is not None:
            kept.append(left)
    return Cleaned(kept, removed)


def _failed(step: Step, *, reports_only: bool) -> list[Observation]:
    """Of the agent's calls those that failed by its own fault."""
    own = {call.id for call in step.calls if call.principal == "assistant" and (call.is_report or not reports_only)}
    return [seen for seen in step.observations if seen.outcome == "agent" and seen.call in own]


def _without(step: Step, failed: Sequence[Observation]) -> Step | None:
    gone = {seen.call for seen in failed}
    calls = [call for call in step.calls if call.id not in gone]
    if failed and not calls:
        return None
    observations = [seen for seen in step.observations if seen.call not in gone]
    return step.model_copy(update={"calls": calls, "observations": observations})


def _is_forgotten(step: Step, failed: Sequence[Observation], before: Iterable[str], later: Sequence[Step]) -> bool:
    if later and _SPEAKS_OF_IT.search(f"{later[0].text} {later[0].reasoning}"):
        return False
    left = _without(step, failed)
    known = _words([*before, *map(_asked, step.calls), _everything(left) if left is not None else ""])
    reports = {call.id for call in step.calls if call.is_report}
    only_there = _words(seen.error or "" for seen in failed if seen.call not in reports) - known
    for one in later:
        if only_there & _words([one.text, one.reasoning, *map(_asked, one.calls)]):
            return False
        only_there -= _words([one.reply, *map(_shown, one.observations)])
    return True


def _everything(step: Step) -> str:
    return "\n".join([step.text, *map(_asked, step.calls), *map(_shown, step.observations), step.reply])


def _asked(call: ToolRequest) -> str:
    return f"{call.name} {orjson.dumps(call.arguments).decode()}"


def _shown(seen: Observation) -> str:
    return f"{orjson.dumps(seen.value).decode()} {seen.error or ''} {seen.note or ''}"


def _words(texts: Iterable[str]) -> set[str]:
    return {word.casefold() for text in texts for word in _WORD.findall(text)}
