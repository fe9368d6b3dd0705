"""Trying every tool until it works, and keeping what came of every call.

Belongs here: which calls are made, from which state and after which others, and those that a bundle's own solutions
make. Does not: thinking up arguments (`candidates`), or judging what came of them.
"""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from envfactory_dagster.authoring.trials.changes import since
from envfactory_dagster.authoring.trials.world import WorldRows
from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.calls import CallResult, Change
from envfactory_dagster.contracts.domain import INITIAL_STATE
from envfactory_dagster.contracts.errors import InfrastructureFault
from envfactory_dagster.contracts.reports import AnswerForm
from envfactory_dagster.contracts.truth import TracedStep
from envfactory_dagster.runtime.session import Session
from envfactory_dagster.truth.execution import run_solution
from envfactory_dagster.truth.inspection.candidates import Candidates
from envfactory_dagster.truth.inspection.inspected import Inspected


@dataclass(frozen=True, slots=True)
class SolutionTrace:
    """The calls of one solution, and whether it came to its end."""

    state: str
    steps: list[TracedStep]
    finished: bool


TRIES = 60
"""Calls of one tool from one start."""
ENOUGH = 6
"""Calls of one tool that worked, from one start."""
STARTS = 40
"""Calls of other tools that a tool is tried after, when the rows alone let none of its calls succeed."""


Choice = dict[str, Json]
"""Values that are given to some parameters, whatever the others are."""


@dataclass(frozen=True, slots=True)
class ExploredCall:
    tool: str
    arguments: dict[str, Json]


@dataclass(frozen=True, slots=True)
class Called:
    """One call, from where it was made, and what came of it."""

    state: str
    before: tuple[ExploredCall, ...]
    tool: str
    arguments: dict[str, Json]
    result: CallResult
    changes: list[Change]
    start: list[Change] = field(default_factory=list)
    """What the calls before had changed."""


@dataclass(frozen=True)
class Exploration:
    calls: list[Called] = field(default_factory=list)

    def of(self, tool: str) -> list[Called]:
        return [call for call in self.calls if call.tool == tool]

    def good(self, tool: str) -> list[Called]:
        return [call for call in self.of(tool) if call.result.ok]


async def explore(inspected: Inspected, known: Iterable[SolutionTrace]) -> Exploration:
    """Every tool from every state; what never works there is tried again after calls that changed something, and as
    the known solutions call it."""
    found = Exploration()
    for part in await asyncio.gather(*(_from_state(inspected, state) for state in inspected.bundle.shared_states)):
        found.calls.extend(part)
    for trace in known:
        if any(not _has_worked(inspected, step.tool, found) for step in trace.steps if step.tool in inspected.tools):
            found.calls.extend(await _as_known(inspected, trace))
    for tool in inspected.tools:
        for choice in _untried(inspected, tool, found):
            found.calls.extend(await _after_others(inspected, tool, found, choice))
    return found


def _has_worked(inspected: Inspected, tool: str, found: Exploration) -> bool:
    """Whether some call of the tool succeeded and, if it is a command, changed something."""
    return any(inspected.tools[tool].annotations.readOnlyHint or call.changes for call in found.good(tool))


def _untried(inspected: Inspected, tool: str, found: Exploration) -> list[Choice]:
    """What no call has worked with yet: nothing at all, or some of the values that a parameter lists."""
    good = found.good(tool)
    if not good:
        return [{}]
    properties = inspected.tools[tool].inputSchema.get("properties", {})
    required = [name for name in inspected.tools[tool].inputSchema.get("required", []) if "enum" in properties[name]]
    listed = [{name: value} for name in required for value in properties[name]["enum"]]
    return [choice for choice in listed if not any(choice.items() <= call.arguments.items() for call in good)]


async def _as_known(inspected: Inspected, trace: SolutionTrace) -> list[Called]:
    """The calls of a solution once more, one after the other, each with what it changed."""
    made, before = list[Called](), list[ExploredCall]()
    async with await inspected.under_trial.runtime.open(inspected.under_trial.bundle, state=trace.state) as session:
        for step in (
            ExploredCall(known.tool, known.arguments) for known in trace.steps if known.tool in inspected.tools
        ):
            start = await session.changes()
            result = await session.call(step.tool, step.arguments, principal=inspected.tools[step.tool].principal)
            done = since(start, await session.changes()) if result.ok else []
            made.append(Called(trace.state, tuple(before), step.tool, step.arguments, result, done, start))
            before.append(step)
    return made


async def _from_state(inspected: Inspected, state: str) -> list[Called]:
    async with await inspected.under_trial.runtime.open(inspected.under_trial.bundle, state=state) as session:
        made = list[Called]()
        for tool in inspected.tools:
            made.extend(await _try(inspected, session, tool, state, inspected.worlds[state], (), [], {}))
        return made


async def _after_others(inspected: Inspected, tool: str, known: Exploration, choice: Choice) -> list[Called]:
    """From where another call leaves the world: the tools that write what this one looks at come first."""
    read = {(table, column) for table, columns in inspected.facts.tools[tool].reads.items() for column in columns}
    starts = dict[tuple[str, str], Called]()
    for call in (call for call in known.calls if call.result.ok and call.changes):
        outcome = repr(sorted((change.table, str((change.after or {}).get("status"))) for change in call.changes))
        starts.setdefault((call.tool, outcome), call)
    touching = [s for s in starts.values() if any((c.table, name) in read for c in s.changes for name in c.after or {})]
    for start in touching[:STARTS]:
        steps = (*start.before, ExploredCall(start.tool, start.arguments))
        async with await inspected.under_trial.runtime.open(inspected.under_trial.bundle, state=start.state) as session:
            await replay(inspected, session, steps)
            world = WorldRows(inspected.keys, await session.snapshot())
            made = await _try(inspected, session, tool, start.state, world, steps, await session.changes(), choice)
        if any(call.result.ok for call in made):
            return made
    return []


async def _try(
    inspected: Inspected,
    session: Session,
    tool: str,
    state: str,
    world: WorldRows,
    before: tuple[ExploredCall, ...],
    start: list[Change],
    choice: Choice,
) -> list[Called]:
    """Calls until enough have worked; the session is left as it was found."""
    candidates = Candidates(inspected.parameters(tool, world), inspected.bundle.states[state].clock)
    made, good = list[Called](), 0
    for found in candidates.calls(TRIES, seed=len(tool)):
        arguments = found | choice
        result, changes = await call(inspected, session, ExploredCall(tool, arguments), before, start)
        made.append(Called(state, before, tool, arguments, result, changes, start))
        good += result.ok
        if good >= ENOUGH:
            break
    return made


async def call(
    inspected: Inspected, session: Session, step: ExploredCall, before: Sequence[ExploredCall], start: Sequence[Change]
) -> tuple[CallResult, list[Change]]:
    """One call and what it changed; the session is left as it was found."""
    result = await session.call(step.tool, step.arguments, principal=inspected.tools[step.tool].principal)
    if result.outcome == "infrastructure":
        raise InfrastructureFault(result.error or f"{step.tool} could not be called")
    done = since(start, await session.changes()) if result.ok else []
    if done:
        await session.reset()
        await replay(inspected, session, before)
    return result, done


async def replay(inspected: Inspected, session: Session, steps: Sequence[ExploredCall]) -> None:
    for step in steps:
        await session.call(step.tool, step.arguments, principal=inspected.tools[step.tool].principal)


def first_good(exploration: Exploration, tool: str) -> list[Called]:
    """The calls that worked, those from the initial state and from its rows alone first."""
    return sorted(exploration.good(tool), key=lambda call: (call.state != INITIAL_STATE, len(call.before)))


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
