"""The author's own tasks in the form of all others: those that have a solution and a verifier, with their difficulty.

Belongs here: putting together what the stages of the truth kept, and measuring it. Does not: making tasks out of an
environment (the modules beside this one), and sealing a bundle (`release`).
"""

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence

from envfactory_dagster.contracts.base import canonical_json
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.synthesis import Difficulty, MadeTask
from envfactory_dagster.contracts.truth import GatedVerifier, ReferenceSolution, TracedStep
from envfactory_dagster.runtime.facts.results import ToolFacts

_CALLS_OF_LEVEL = (2, 3, 5, 6, 9, 20, 40)
"""The most calls of the levels 1 to 7, as the dial of chains and loops has them. The author's list is written without a
dial, so it is read off its solutions."""


def authored_tasks(
    bundle: Bundle, solutions: Iterable[ReferenceSolution], verifiers: Iterable[GatedVerifier], facts: ToolFacts
) -> list[MadeTask]:
    """In the order of the author's list."""
    golds: Mapping[str, ReferenceSolution] = {solution.task: solution for solution in solutions}
    gated: Mapping[str, GatedVerifier] = {one.verifier.task: one for one in verifiers}
    return [
        MadeTask(
            task=task,
            source="task_set",
            solution=golds[task.id],
            verifier=gated[task.id],
            difficulty=difficulty(golds[task.id].calls, facts),
        )
        for task in bundle.tasks
        if task.id in golds and task.id in gated
    ]


def difficulty(calls: Sequence[TracedStep], facts: ToolFacts) -> Difficulty:
    """Of a task whose level nobody has set."""
    used = {call.tool for call in calls}
    known = [facts.tools[tool] for tool in used if tool in facts.tools]
    touched = {table for fact in known for table in fact.reads} | {w.table for fact in known for w in fact.writes}
    needed = len(shortened(calls))
    level = bisect_left(_CALLS_OF_LEVEL, needed) + 1
    return Difficulty(level=level, calls=needed, tools=len(used), tables=len(touched))


def shortened(calls: Sequence[TracedStep]) -> list[TracedStep]:
    """The calls without those that told nothing new: the same call with the same result as when it was made last."""
    known: dict[bytes, TracedStep] = {}
    left: list[TracedStep] = []
    for call in calls:
        key = canonical_json([call.principal, call.tool, call.arguments])
        if known.get(key) != call:
            left.append(call)
        known[key] = call
    return left
