"""One environment for SkyRL: `register()` it, and train on `rows()` (or train.jsonl, the same).

The agent writes tool calls as text, `<tool_call>{"name": …, "arguments": {…}}</tool_call>`; what the tools answer comes
back in `<tool_response>`. `finish` ends the episode and brings its reward. An episode that cannot be judged raises an
error: it is no 0.
"""

import json
import re
from pathlib import Path
from typing import Any

import skyrl_gym
from skyrl_gym.envs.base_text_env import BaseTextEnv, BaseTextEnvStepOutput

try:
    from .episode import INVALID, Episode
except ImportError:
    from episode import INVALID, Episode

HERE = Path(__file__).resolve().parent
BUNDLE = HERE / "bundle"
CALL = re.compile(r"<tool_call>(.*?)</tool_call>", re.DOTALL)
HOW = """

You may call these tools, one JSON object a line:
{tools}

Call one by writing <tool_call>{{"name": "…", "arguments": {{…}}}}</tool_call>. Its answer follows in <tool_response>.
End with the last of them."""
MOST_TURNS = 100


def register(entry_point: str = f"{__name__}:World") -> str:
    """Make the environment known to SkyRL; its id."""
    skyrl_gym.register(id=identifier(), entry_point=entry_point)
    return identifier()


def identifier() -> str:
    return str(json.loads((BUNDLE / "manifest.json").read_text())["key"])


def rows() -> list[dict[str, Any]]:
    """A row for each task, as SkyRL's datasets have them."""
    return [json.loads(line) for line in (HERE / "train.jsonl").read_bytes().splitlines()]


class World(BaseTextEnv):
    def __init__(self, env_config: Any = None, extras: dict[str, Any] | None = None) -> None:
        super().__init__()
        given = extras or {}
        self._task = given["extra_info"]["task"]
        self.max_turns = int(given.get("max_turns") or MOST_TURNS)
        self._episode: Episode | None = None

    def init(self, prompt: list[dict[str, str]]) -> tuple[list[dict[str, str]], dict[str, Any]]:
        self._episode = Episode(BUNDLE, self._task)
        tools = "\n".join(json.dumps(_shown(tool), ensure_ascii=False) for tool in self._episode.tools())
        first, *others = prompt
        return [{**first, "content": first["content"] + HOW.format(tools=tools)}, *others], {}

    def step(self, action: str) -> BaseTextEnvStepOutput:
        assert self._episode is not None, "init comes before the first step"
        self.turns += 1
        said = [self._called(text) for text in CALL.findall(action)]
        over = self._episode.over or not said or self.turns >= self.max_turns
        seen = [{"role": "user", "content": "\n".join(f"<tool_response>{one}</tool_response>" for one in said)}]
        verdict = self._episode.close() if over else {}
        if verdict.get("status") == INVALID:
            raise RuntimeError(f"no verdict: {verdict['reason']}")
        reward = float(verdict.get("score", 0.0))
        return BaseTextEnvStepOutput(
            observations=[] if over else seen, reward=reward, done=over, metadata={"verdict": verdict}
        )

    def _called(self, text: str) -> str:
        assert self._episode is not None
        if self._episode.over:
            return json.dumps({"error": "the report is handed in, and the work is over"})
        try:
            call = json.loads(text)
            name, arguments = str(call["name"]), dict(call.get("arguments") or {})
        except (ValueError, TypeError, KeyError, RecursionError) as unreadable:
            return json.dumps({"error": f"this is no tool call: {unreadable}"})
        result = self._episode.call(name, arguments)
        if result["isError"]:
            return json.dumps({"error": result["content"][0]["text"]}, ensure_ascii=False)
        return json.dumps(result["structuredContent"], ensure_ascii=False)

    def close(self) -> None:
        if self._episode is not None:
            self._episode.close()


def _shown(tool: dict[str, Any]) -> dict[str, Any]:
    return {"name": tool["name"], "description": tool["description"], "parameters": tool["inputSchema"]}
