"""Tools that are not there for one task, although its environment has them.

Belongs here: which tools a task leaves, which are kept from an agent that is shown only some, and calls in a session as
the task allows them. Does not: tasks that cannot be done because a tool is missing (`tasks.conversations`).
"""

from collections.abc import Sequence
from random import Random

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.calls import CallResult
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.tools import Principal, ToolDefinition
from envfactory_dagster.contracts.truth import ReferenceSolution
from envfactory_dagster.runtime.session import Call, Callee


def tools_left(tools: Sequence[ToolDefinition], task: Task) -> list[ToolDefinition]:
    """The tools that are there for a task."""
    return [tool for tool in tools if tool.name not in task.withheld]


def beyond(most: int | None, bundle: Bundle, task: Task, gold: ReferenceSolution) -> list[str]:
    """The tools that are kept from an agent that is shown so many at most: it is shown those that the reference
    solution calls, however many these are, and others by chance, the same every time. None: it is shown all."""
    there = [tool.name for tool in tools_left(bundle.tools_of("assistant"), task)]
    called = {call.tool for call in gold.calls}
    others = [name for name in there if name not in called]
    room = len(others) if most is None else max(0, most - (len(there) - len(others)))
    shown = Random(f"{bundle.key} {task.id}").sample(others, min(room, len(others)))
    return [name for name in others if name not in shown]


async def call_many(session: Callee, task: Task, calls: Sequence[Call], principal: Principal) -> list[CallResult]:
    """The calls in their order. One of a withheld tool never reaches the environment: it fails as one of a tool that
    nobody has ever heard of."""
    reaching = await session.call_many([call for call in calls if call[0] not in task.withheld], principal=principal)
    results = iter(reaching)
    return [_unknown(tool) if tool in task.withheld else next(results) for tool, _ in calls]


def _unknown(tool: str) -> CallResult:
    return CallResult("agent", error=f"there is no tool called {tool!r}; list the tools to see their names")
