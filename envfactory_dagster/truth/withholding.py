"""Tools that are not there for one task, although its environment has them.

Belongs here: which tools a task leaves, and calls in a session as the task allows them. Does not: choosing what to
withhold (`tasks.conversations`).
"""

from collections.abc import Sequence

from envfactory_dagster.contracts.calls import CallResult
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.tools import Principal, ToolDefinition
from envfactory_dagster.runtime.session import Call, Callee


def tools_left(tools: Sequence[ToolDefinition], task: Task) -> list[ToolDefinition]:
    """The tools that are there for a task."""
    return [tool for tool in tools if tool.name not in task.withheld]


async def call_many(session: Callee, task: Task, calls: Sequence[Call], principal: Principal) -> list[CallResult]:
    """The calls in their order. One of a withheld tool never reaches the environment: it fails as one of a tool that
    nobody has ever heard of."""
    reaching = await session.call_many([call for call in calls if call[0] not in task.withheld], principal=principal)
    results = iter(reaching)
    return [_unknown(tool) if tool in task.withheld else next(results) for tool, _ in calls]


def _unknown(tool: str) -> CallResult:
    return CallResult("agent", error=f"there is no tool called {tool!r}; list the tools to see their names")
