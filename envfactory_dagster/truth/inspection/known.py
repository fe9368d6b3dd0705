"""What a bundle's own solutions do: calls that are known to make sense, where a tool works only after many others.

Belongs here: running the solutions that a bundle carries. Does not: writing solutions (`truth.solutions`).
"""

from dataclasses import dataclass

from envfactory_dagster.contracts.reports import AnswerForm
from envfactory_dagster.contracts.truth import TracedStep
from envfactory_dagster.truth.execution import run_solution
from envfactory_dagster.truth.inspection.inspected import Inspected


@dataclass(frozen=True, slots=True)
class SolutionTrace:
    """The calls of one solution, and whether it came to its end."""

    state: str
    steps: list[TracedStep]
    finished: bool


async def traces(inspected: Inspected) -> dict[str, SolutionTrace]:
    """Task → what its solution does; tasks without one are left out."""
    found = {}
    for task in inspected.bundle.tasks:
        if task.id in inspected.bundle.solutions:
            source = inspected.bundle.solutions[task.id]
            form = inspected.bundle.answer_forms.get(task.id, AnswerForm())
            run = await run_solution(inspected.under_trial.runtime, inspected.under_trial.bundle, task, source, form)
            found[task.id] = SolutionTrace(task.state, run.calls, run.error is None)
    return found
