"""One environment as OpenEnv plays it: an episode is a task, a step is a call, `finish` brings the reward."""

import json
from pathlib import Path
from typing import Any
from uuid import uuid4

from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.mcp_types import CallToolAction, CallToolObservation
from openenv.core.env_server.types import Observation, State

try:
    from ..episode import INVALID, Episode
except ImportError:
    from episode import INVALID, Episode

HERE = Path(__file__).resolve().parents[1]
BUNDLE = HERE / "bundle"
PROMPTS = [json.loads(line) for line in (HERE / "prompts.jsonl").read_bytes().splitlines()]
ALL = "all"


class World(Environment[CallToolAction, CallToolObservation, State]):
    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self) -> None:
        super().__init__()
        self._episode: Episode | None = None
        self._state = State(episode_id=None, step_count=0)

    def reset(
        self,
        seed: int | None = None,
        episode_id: str | None = None,
        task: str | None = None,
        split: str = ALL,
        index: int | None = None,
        **ignored: Any,
    ) -> CallToolObservation:
        """Begin a task: the one that is named, else the one with this index, else one by the seed."""
        self.close()
        rows = {row["task"]: row for row in PROMPTS}
        if task is not None and task not in rows:
            raise ValueError(f"there is no task {task!r}; there are: {', '.join(rows)}")
        row = rows[task] if task is not None else self._row(split, index if index is not None else (seed or 0))
        self._episode = Episode(BUNDLE, row["task"])
        self._state = State(episode_id=episode_id or str(uuid4()), step_count=0)
        told = {name: row[name] for name in ("task", "system", "prompt")}
        return self._observation("reset", None, metadata=told | {"tools": self._episode.tools()})

    def step(self, action: CallToolAction, timeout_s: float | None = None, **ignored: Any) -> CallToolObservation:
        if self._episode is None:
            raise ValueError("no task has begun: reset first")
        self._state.step_count += 1
        result = self._episode.call(action.tool_name, action.arguments)
        if not self._episode.over:
            return self._observation(action.tool_name, result)
        verdict = self._episode.close()
        self._episode = None
        reward = None if verdict["status"] == INVALID else float(verdict["score"])
        return self._observation(action.tool_name, result, reward=reward, done=True, metadata={"verdict": verdict})

    def _observation(
        self,
        tool: str,
        result: dict[str, Any] | None,
        *,
        reward: float | None = None,
        done: bool = False,
        metadata: dict[str, Any] | None = None,
    ) -> CallToolObservation:
        return CallToolObservation(tool_name=tool, result=result, reward=reward, done=done, metadata=metadata or {})

    @property
    def state(self) -> State:
        return self._state

    def close(self) -> None:
        if self._episode is not None:
            self._episode.close()
            self._episode = None

    # -- the tasks there are ---------------------------------------------------------------------------------------

    def list_splits(self) -> list[Any]:
        return [ALL]

    def num_tasks(self, split: str) -> int:
        return len(PROMPTS)

    def list_tasks(self, split: str) -> list[Any]:
        return [self.get_task(split, index) for index in range(len(PROMPTS))]

    def get_task(self, split: str, index: int) -> Any:
        row = PROMPTS[index]
        return {"id": row["task"], "index": index, "prompt": row["prompt"]}

    def get_task_range(self, split: str, start: int | None = None, stop: int | None = None) -> list[Any]:
        return self.list_tasks(split)[start:stop]

    def _row(self, split: str, index: int) -> dict[str, Any]:
        if split != ALL:
            raise ValueError(f"there is no split {split!r}; there is {ALL!r}")
        row: dict[str, Any] = PROMPTS[index % len(PROMPTS)]
        return row


__all__ = ["CallToolAction", "CallToolObservation", "Observation", "World"]
