"""What a verifier says of a run, and the one number it comes to: guards × mean of the goals.

Belongs here: from signals to a score with its reasons. Does not: running checks (`runtime`), deciding whether a
verifier is any good (`gate`), and rewards made from verdicts (`rewards`).

No score comes about by accident: a check that raises, hangs or returns anything but True or False makes it 0.
"""

from collections.abc import Sequence
from typing import Any

import orjson

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.errors import EnvironmentFault
from envfactory_dagster.contracts.truth import Signal, TracedStep, Verdict
from envfactory_dagster.runtime.runtime import Case, Runtime
from envfactory_dagster.truth.execution import Run

GOAL, GUARD = "goal_", "guard_"


async def judge(runtime: Runtime, source: str, run: Run) -> Verdict:
    """What this verifier says of the run, judged in a process of its own."""
    [found] = await judge_many(runtime, source, [run])
    return found


async def judge_many(runtime: Runtime, source: str, runs: Sequence[Run]) -> list[Verdict]:
    """What this verifier says of each run, judged one after the other in one process."""
    cases = [Case(run.initial, run.final, answer_text(run.answer), _trajectory(run.calls)) for run in runs]
    found = await runtime.run_verifier_many(source, cases)
    return [verdict(signals, run.calls, run.answer) for signals, run in zip(found, runs, strict=True)]


def verdict(signals: list[Signal] | EnvironmentFault, calls: Sequence[TracedStep], answer: Json) -> Verdict:
    """Weigh the signals. Whoever did nothing and said nothing has earned nothing, whatever the verifier says."""
    if isinstance(signals, EnvironmentFault):
        return Verdict(score=0.0, reasons=[str(signals)])
    defects = [defect for signal in signals if (defect := defect_of(signal))]
    goals = [signal for signal in signals if signal.name.startswith(GOAL)]
    if not goals:
        defects.append("The verifier has no goal.")
    if not calls and not (answer_text(answer) or "").strip():
        defects.append("No tool was called and nothing was answered.")
    if defects:
        return Verdict(score=0.0, signals=signals, reasons=defects)
    missed = [signal for signal in signals if signal.value is not True]
    guarded = all(signal.name.startswith(GOAL) for signal in missed)
    score = sum(signal.value is True for signal in goals) / len(goals) if guarded else 0.0
    return Verdict(score=score, signals=signals, reasons=[_missed(signal) for signal in missed])


def answer_text(answer: Json) -> str | None:
    """An answer as a verifier sees it: text, or JSON where a program answered with something else."""
    return answer if answer is None or isinstance(answer, str) else orjson.dumps(answer).decode()


def defect_of(signal: Signal) -> str | None:
    """Why a check said neither yes nor no; None when it did."""
    if signal.error is not None:
        return f"{signal.name}: {signal.error}."
    if not isinstance(signal.value, bool):
        return f"{signal.name}: returned {signal.value!r}, neither True nor False."
    return None


def _missed(signal: Signal) -> str:
    kind = "goal not reached" if signal.name.startswith(GOAL) else "guard broken"
    return f"{kind}: {signal.name.removeprefix(GOAL).removeprefix(GUARD).replace('_', ' ')}"


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
