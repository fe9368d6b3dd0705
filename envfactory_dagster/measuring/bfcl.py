"""BFCL v4, its multi-turn part: its tasks, tools and checker, and a loop of our own that asks the model.

Belongs here: the loop, as BFCL's own for models with native tool calls has it. Does not: tasks, tools and verdicts,
which are BFCL's (`peers.bfcl`), and its forms (`formats.bfcl`).

A turn ends with the first message that calls nothing, or whose calls cannot be read. Who goes on for more than twenty
messages fails.
"""

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.benchmarks import BenchmarkName, Try
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.contracts.trajectory import ToolRequest
from envfactory_dagster.language.messages import Message
from envfactory_dagster.measuring.aggregates import bfcl
from envfactory_dagster.measuring.at_once import tries
from envfactory_dagster.measuring.formats.bfcl import call_string, to_openai
from envfactory_dagster.measuring.measurement import BenchmarkTask, Measuring
from envfactory_dagster.measuring.peer import Peer, install
from envfactory_dagster.rollouts.asking import next_message
from envfactory_dagster.rollouts.endings import WORTH_ANOTHER_TRY, End
from envfactory_dagster.rollouts.reading import read
from envfactory_dagster.rollouts.settings import RolloutSettings

VERSION = "bfcl-eval 2026.3.23"
_MISSING = ("non_live", "live", "irrelevance", "memory", "web_search", "format_sensitivity")
_UNREADABLE = "_there_is_no_such_tool_()"

Turn = list[list[str]]
"""The calls of every message."""


@dataclass(frozen=True, slots=True)
class BfclTask:
    """As the model is shown it. `tools`: by turn."""

    id: str
    turns: Sequence[Sequence[Message]]
    tools: Sequence[Sequence[Mapping[str, Json]]]


@dataclass(frozen=True, slots=True)
class Bfcl:
    peer: Peer
    most_steps: int
    by_id: Mapping[str, BfclTask]
    missing: Sequence[str]
    name: BenchmarkName = "bfcl"
    version: str = VERSION
    has_conversations: bool = False
    """What a person says stands in the tasks."""

    @classmethod
    @asynccontextmanager
    async def opened(cls, root: Path, categories: Sequence[str] = ()) -> AsyncGenerator["Bfcl", None]:
        """`root`: below it BFCL has its environment, which is made at first use."""
        python = await asyncio.to_thread(install, "bfcl", root)
        async with Peer("bfcl", python) as peer:
            known = await peer.ask("categories")
            if unknown := set(categories) - set(known["categories"]):
                there = ", ".join(known["categories"])
                raise UsageError(
                    f"There is no category {min(unknown)!r} of bfcl that is measured here; there are {there}."
                )
            chosen = categories or known["categories"]
            given = [one for name in chosen for one in await peer.ask("tasks", category=name)]
            others = [name for name in known["categories"] if name not in chosen]
            yield cls(peer, known["most_steps"], {one["id"]: _task(one) for one in given}, [*others, *_MISSING])

    @property
    def tasks(self) -> Sequence[BenchmarkTask]:
        return [BenchmarkTask(one.id, _category(one.id), one.id, _said(one)) for one in self.by_id.values()]

    def aggregates(self, scores: Mapping[str, float]) -> dict[str, float]:
        return bfcl(scores)

    async def play(self, measuring: Measuring, known: Sequence[Try]) -> AsyncGenerator[Try, None]:
        episodes = count()

        async def make(task: str, seed: int) -> Try | End:
            return await self._try(measuring, self.by_id[task], seed, f"episode_{next(episodes)}")

        async with aclosing(tries(measuring, self.by_id, known, make)) as made:
            async for one in made:
                yield one

    async def _try(self, measuring: Measuring, task: BfclTask, seed: int, episode: str) -> Try | End:
        """The end, where the endpoint spoiled it."""
        played = await self._played(measuring, task, seed, episode)
        if played.end is not None and played.end.cause in WORTH_ANOTHER_TRY:
            return played.end
        found: dict[str, Any] = {"valid": False, "kind": "", "why": ""}
        if played.end is None:
            found = await self.peer.ask("check", task=task.id, episode=episode, turns=played.turns)
        return Try(
            task=task.id,
            category=_category(task.id),
            group=task.id,
            seed=seed,
            score=float(found["valid"]),
            passed=found["valid"],
            outcome=played.end.cause if played.end else "completed" if found["valid"] else str(found["kind"]),
            detail=played.end.detail if played.end else str(found["why"]),
            messages=played.messages,
        )

    async def _played(self, measuring: Measuring, task: BfclTask, seed: int, episode: str) -> "_Played":
        model, seconds = measuring.model(), RolloutSettings().step_seconds
        played, history = _Played([]), list[Message]()
        for messages, tools in zip(task.turns, task.tools, strict=True):
            history += messages
            played.turns.append([])
            while True:
                answer = await next_message(model, history, tools, seed, seconds)
                if isinstance(answer, End):
                    played.end = answer
                    return played
                said = read(answer, played.messages)
                played.messages += 1
                history.append(said.message)
                if not (calls := _calls(said.calls)):
                    break
                results = await self.peer.ask("execute", task=task.id, episode=episode, calls=calls)
                history += [
                    {"role": "tool", "tool_call_id": call.id, "content": result}
                    for call, result in zip(said.calls, results, strict=True)
                ]
                played.turns[-1].append(calls)
                if len(played.turns[-1]) > self.most_steps:
                    played.end = End("step_limit", f"more than {self.most_steps} messages in one turn")
                    return played
        return played


@dataclass(slots=True)
class _Played:
    turns: list[Turn]
    messages: int = 0
    end: End | None = None
    """None: it came to the end of its last turn."""


def _task(given: Mapping[str, Any]) -> BfclTask:
    functions, tools = list(given["functions"]), []
    for place in range(len(given["turns"])):
        functions += given["added"].get(str(place), [])
        tools.append([to_openai(one) for one in functions])
    return BfclTask(given["id"], given["turns"], tools)


def _category(task: str) -> str:
    return task.rsplit("_", 1)[0]


def _said(task: BfclTask) -> str:
    return "\n".join(str(one["content"]) for turn in task.turns for one in turn if one["role"] == "user")


def _calls(requests: Sequence[ToolRequest]) -> list[str]:
    """As BFCL writes them; none where one of them cannot be read."""
    found = []
    for one in requests:
        if isinstance(one.arguments, str):
            return []
        try:
            found.append(call_string(one.name, one.arguments))
        except ValueError:
            found.append(_UNREADABLE)
    return found
