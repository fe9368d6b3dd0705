"""One environment for verl (0.9.1): its tools for `tool_agent`.

Every rollout has a world of its own, which begins with its first call. `finish` has one schema for all tasks, so the
prompts say which answers a task asks for; its verdict is left for `reward.py`.
"""

import asyncio
import json
import weakref
from pathlib import Path
from typing import Any

from pydantic import ConfigDict
from verl.tools.base_tool import BaseTool
from verl.tools.schemas import (
    OpenAIFunctionParametersSchema,
    OpenAIFunctionPropertySchema,
    OpenAIFunctionSchema,
    OpenAIFunctionToolSchema,
    ToolResponse,
)

from .episode import Episode

HERE = Path(__file__).resolve().parent
BUNDLE = HERE / "bundle"
OVER = "The report is handed in, and the work is over."


class Property(OpenAIFunctionPropertySchema):
    """With all that a JSON schema says: verl's own keeps type, description and enum."""

    model_config = ConfigDict(extra="allow")
    type: str | list[str] = "object"


class Parameters(OpenAIFunctionParametersSchema):
    model_config = ConfigDict(extra="allow")
    properties: dict[str, Property]


class Function(OpenAIFunctionSchema):
    parameters: Parameters


class Schema(OpenAIFunctionToolSchema):
    function: Function


class Tool(BaseTool):
    """A tool of the world. Which one stands in `config`, as tools.yaml has it."""

    def get_openai_tool_schema(self) -> Schema:
        tools = {tool["name"]: tool for tool in json.loads((HERE / "tools.json").read_text())}
        return Schema.model_validate({"type": "function", "function": tools[self.config["tool"]]})

    async def execute(
        self, instance_id: str, parameters: dict[str, Any], **kwargs: Any
    ) -> tuple[ToolResponse, float, dict[str, Any]]:
        rollout = kwargs["agent_data"]
        said = await asyncio.to_thread(_called, rollout, _episode_of(rollout), self.name, parameters)
        return ToolResponse(text=said), 0.0, {}


_EPISODES: "weakref.WeakKeyDictionary[Any, Episode]" = weakref.WeakKeyDictionary()


def _episode_of(rollout: Any) -> Episode:
    """The world of a rollout, which ends with it."""
    if rollout not in _EPISODES:
        _EPISODES[rollout] = Episode(BUNDLE, rollout.tools_kwargs["world"]["task"])
        weakref.finalize(rollout, _EPISODES[rollout].close)
    return _EPISODES[rollout]


def _called(rollout: Any, episode: Episode, tool: str, arguments: dict[str, Any]) -> str:
    if episode.over:
        return json.dumps({"error": OVER})
    result = episode.call(tool, arguments)
    if episode.over:
        rollout.extra_fields["verdict"] = json.dumps(episode.close())
    if result["isError"]:
        return json.dumps({"error": result["content"][0]["text"]}, ensure_ascii=False)
    return json.dumps(result["structuredContent"], ensure_ascii=False)
