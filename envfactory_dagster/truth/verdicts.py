"""What a verifier says of a run, and the one number it comes to: guards × mean of the goals.

Belongs here: from signals to a score with its reasons. Does not: running checks (`runtime`), deciding whether a
verifier is any good (`gate`), and rewards made from verdicts (`rewards`).

No score comes about by accident: a check that raises, hangs or returns anything but True or False makes it 0. One guard
belongs to every task: what the person is told does not contradict the report.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.errors import EnvironmentFault
from envfactory_dagster.contracts.reports import AnswerForm
from envfactory_dagster.contracts.truth import Signal, TracedStep, Verdict
from envfactory_dagster.runtime.checks import MESSAGE_CHECK, weigh
from envfactory_dagster.runtime.runtime import Case, Runtime
from envfactory_dagster.truth.execution import Run
from envfactory_dagster.truth.messages import contradictions

UNREAD = Verdict(
    score=0.0, reasons=["There is no report, and nobody has read what the person was told."], message="unread"
)
"""Of an episode whose agent was never asked for a report (`protocols.unread`)."""


@dataclass(frozen=True, slots=True)
class TaskChecks:
    """What the runs of one task are judged by: its verifier, and the form of its answers."""

    task: Task
    source: str
    form: AnswerForm


REMEMBERS = "the verifier remembers earlier cases."
"""How the reason of a trial ends that shows it."""


class Remembers(EnvironmentFault):
    """A verifier that keeps something of one case for the next; none of its verdicts can be believed."""


async def judge(runtime: Runtime, checks: TaskChecks, run: Run) -> Verdict:
    """What this verifier says of the run, judged in a process of its own."""
    [found] = await judge_many(runtime, checks, [run])
    return found


async def judge_many(runtime: Runtime, checks: TaskChecks, runs: Sequence[Run]) -> list[Verdict]:
    """What this verifier says of each run, judged one after the other in one process. In which order the verifier
    cannot know: it could count the cases."""
    order = _shuffled(checks, runs)
    cases = [Case(run.initial, run.final, run.report, checks.form, _trajectory(run.calls)) for run in runs]
    signals = await runtime.run_verifier_many(checks.source, [cases[place] for place in order])
    found = dict(zip(order, signals, strict=True))
    return [verdict(found[place], checks, run) for place, run in enumerate(runs)]


async def judge_surely(runtime: Runtime, checks: TaskChecks, runs: Sequence[Run], again: int = 1) -> list[Verdict]:
    """As `judge_many`, and so many of them once more, each in a process that has seen nothing else. A verifier that
    says something else there raises `Remembers`."""
    verdicts = await judge_many(runtime, checks, runs)
    later = _shuffled(checks, runs)[1:]
    sample = Random(f"{checks.task.id} again").sample(later, min(again, len(later)))
    alone = await asyncio.gather(*(judge(runtime, checks, runs[place]) for place in sample))
    for place, one in zip(sample, alone, strict=True):
        if one.score != verdicts[place].score:
            raise Remembers(remembering(one.score, verdicts[place].score))
    return verdicts


def remembering(alone: float, among_others: float) -> str:
    """What is wrong with a verifier that gives one end two scores."""
    return f"In a process of its own it scores {alone:g}, among others {among_others:g}: {REMEMBERS}"


def _shuffled(checks: TaskChecks, runs: Sequence[Run]) -> list[int]:
    """An order for these runs, by chance and the same every time. Those that end in one database stay together: it is
    read once."""
    by_end: dict[tuple[bytes, bytes], list[int]] = {}
    for place, run in enumerate(runs):
        by_end.setdefault((run.initial, run.final), []).append(place)
    random, groups = Random(f"{checks.task.id} {len(runs)}"), list(by_end.values())
    random.shuffle(groups)
    for group in groups:
        random.shuffle(group)
    return [place for group in groups for place in group]


def verdict(signals: list[Signal] | EnvironmentFault, checks: TaskChecks, run: Run) -> Verdict:
    """Weigh the signals."""
    if isinstance(signals, EnvironmentFault):
        return Verdict(score=0.0, reasons=[str(signals)])
    contradicted = contradictions(run.report, checks.form, checks.task.text, run.calls) if run.report else []
    weighed = weigh(signals, contradicted, reported=run.report is not None)
    if not weighed.decided:
        return Verdict(score=weighed.score, signals=signals, reasons=weighed.reasons)
    signals = [*signals, Signal(name=MESSAGE_CHECK, value=not contradicted)]
    return Verdict(score=weighed.score, signals=signals, reasons=weighed.reasons, message="values_only")


def _trajectory(calls: Sequence[TracedStep]) -> list[Any]:
    return [
        {
            "tool": step.tool,
            "principal": step.principal,
            "arguments": step.arguments,
            "outcome": step.outcome,
            "value": step.value,
            "error": step.error,
        }
        for step in calls
    ]
