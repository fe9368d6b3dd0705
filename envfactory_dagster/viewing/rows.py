"""The rows that each call of an episode changed. A recording does not hold them: its calls are made again.

Belongs here: making them in the sandbox and telling the calls apart. Does not: whether a recording is true
(`truth.replay`), and showing rows (`pages`).
"""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass, field

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.calls import Change
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.errors import EnvFactoryError
from envfactory_dagster.contracts.trajectory import Trajectory
from envfactory_dagster.contracts.truth import RowChange, TracedStep
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.truth.execution import row_change
from envfactory_dagster.truth.protocols import CallRequest, turns
from envfactory_dagster.truth.withholding import call_many

_AT_ONCE = 16


@dataclass(frozen=True, slots=True)
class RowsChanged:
    """By call, in the order the calls reached the environment; and in all."""

    by_call: list[list[RowChange]] = field(default_factory=list)
    in_all: list[RowChange] = field(default_factory=list)
    problem: str = ""
    """Why the rows of the calls after those in `by_call` are not known."""


def calls_made(trajectory: Trajectory) -> dict[int, TracedStep]:
    """The calls that reached the environment, by their place among all requests of the episode. What the machinery lost
    changed nothing."""
    return {
        number: TracedStep(
            tool=turn.asked.tool,
            principal=turn.request.principal,
            arguments=turn.asked.arguments,
            outcome=turn.observation.outcome,
            value=turn.observation.value,
            error=turn.observation.error,
        )
        for number, turn in enumerate(turns(trajectory.steps, trajectory.protocol))
        if isinstance(turn.asked, CallRequest)
        and turn.observation is not None
        and turn.observation.outcome != "infrastructure"
    }


class Replaying:
    """Makes the calls of episodes again, each different run of calls once."""

    def __init__(self, runtime: Runtime, bundle: Bundle) -> None:
        self._runtime = runtime
        self._bundle = bundle
        self._writing = {tool.name for tool in bundle.tools if not tool.annotations.readOnlyHint}
        self._turn = asyncio.Semaphore(_AT_ONCE)
        self._known: dict[str, asyncio.Task[RowsChanged]] = {}

    async def rows(self, task: Task, calls: Sequence[TracedStep]) -> RowsChanged:
        told = [[call.tool, call.principal, call.arguments, call.outcome] for call in calls]
        key = json.dumps([task.state, sorted(task.withheld), told], sort_keys=True)
        if key not in self._known:
            self._known[key] = asyncio.create_task(self._made(task, calls))
        return await self._known[key]

    async def _made(self, task: Task, calls: Sequence[TracedStep]) -> RowsChanged:
        by_call: list[list[RowChange]] = []
        so_far: list[Change] = []
        try:
            async with self._turn, await self._runtime.open(self._bundle, state=task.state) as session:
                for call in calls:
                    (result,) = await call_many(session, task, [(call.tool, call.arguments)], call.principal)
                    if result.outcome != call.outcome:
                        problem = f"made again, the call of {call.tool} ends as {result.outcome}, not as {call.outcome}"
                        return RowsChanged(by_call, list(map(row_change, so_far)), problem)
                    now = await session.changes() if result.ok and call.tool in self._writing else so_far
                    by_call.append(between(so_far, now))
                    so_far = now
        except EnvFactoryError as fault:
            return RowsChanged(by_call, list(map(row_change, so_far)), str(fault))
        return RowsChanged(by_call, list(map(row_change, so_far)))


def between(before: Sequence[Change], after: Sequence[Change]) -> list[RowChange]:
    """What changed between two moments, from what differed from the start at each of them."""
    earlier = {(one.table, one.key): one for one in before}
    later = {(one.table, one.key): one for one in after}
    found = []
    for key, one in later.items():
        was = earlier[key].after if key in earlier else one.before
        if was != one.after:
            found.append(row_change(Change(one.table, one.key, was, one.after)))
    for key, one in earlier.items():
        if key not in later and one.after != one.before:
            found.append(row_change(Change(one.table, one.key, one.after, one.before)))
    return found
