"""The tasks of one environment for `verifiers` v1: each rollout has a world of its own, served over MCP.

Rewards come from the bundle's `judge.py`, which runs the calls of the rollout once more in a fresh world. The agent
ends its work with the tool `finish`. Keep it away from a shell on this machine: the bundle beside this file says what
is right.
"""

import asyncio
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, cast

import verifiers.v1 as vf
from mcp.server.mcpserver import Context, MCPServer
from mcp.types import CallToolResult, Tool

from .episode import INVALID, Episode, replay, solve

HERE = Path(__file__).parent
BUNDLE = HERE / "bundle"


class WorldState(vf.State):
    """What was called so far, in order."""

    calls: list[dict[str, Any]] = []  # noqa: RUF012 - a field of a Pydantic model


class WorldTools(vf.Toolset[vf.ToolsetConfig, WorldState]):
    """The tools that the task leaves, with `finish`, as the bundle's own server lists them."""

    TOOL_PREFIX = None

    async def setup_task(self, task: vf.TaskData) -> None:
        assert task.id is not None
        self.episode = await asyncio.to_thread(Episode, BUNDLE, task.id)
        self.one_at_a_time = asyncio.Lock()

    def register(self, mcp: MCPServer) -> None:
        server = cast(Any, mcp)
        server.list_tools = self.list_tools
        server.call_tool = self._with_state(self.call_tool)

    async def list_tools(self) -> list[Tool]:
        return [Tool.model_validate(tool) for tool in await asyncio.to_thread(self.episode.tools)]

    async def call_tool(self, name: str, arguments: dict[str, Any], context: Context | None = None) -> CallToolResult:
        async with self.one_at_a_time:  # the verdict replays the calls in the order in which the world saw them
            result = await asyncio.to_thread(self.episode.call, name, arguments)
            self.state.calls = [*self.state.calls, {"name": name, "arguments": arguments}]
        return CallToolResult.model_validate(result)


class WorldTaskConfig(vf.TaskConfig):
    tools: vf.ToolsetConfig = vf.ToolsetConfig()


class WorldTask(vf.Task[vf.TaskData, WorldState, WorldTaskConfig]):
    @property
    def key(self) -> str:
        return str(self.data.id)

    @classmethod
    def toolsets(cls, config: WorldTaskConfig) -> list[vf.Toolset]:
        return [WorldTools(config.tools)]

    @vf.reward(weight=1.0)
    async def verdict(self, trace: vf.Trace) -> float:
        """Guards × the mean of the goals. An episode that cannot be judged has no reward, not 0."""
        return _score(await asyncio.to_thread(replay, BUNDLE, str(self.data.id), trace.state.calls))

    async def validate(self, runtime: vf.Runtime) -> bool | None:
        solution = HERE / "solutions" / f"{self.data.id}.py"
        if not solution.exists():
            return None
        return _score(await asyncio.to_thread(solve, BUNDLE, str(self.data.id), solution.read_text())) == 1.0


def _score(verdict: dict[str, Any]) -> float:
    if verdict["status"] == INVALID:
        raise RuntimeError(f"no verdict: {verdict['reason']}")
    return float(verdict["score"])


class WorldConfig(vf.TasksetConfig):
    task: WorldTaskConfig = WorldTaskConfig()


class WorldTaskset(vf.Taskset[WorldTask, WorldConfig]):
    def load(self) -> Iterable[WorldTask]:
        for line in (HERE / "prompts.jsonl").read_bytes().splitlines():
            row = json.loads(line)
            data = vf.TaskData(id=row["task"], name=row["task"], prompt=row["prompt"], system_prompt=row["system"])
            yield WorldTask(data, self.config.task)
