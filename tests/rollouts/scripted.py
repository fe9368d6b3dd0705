"""Models that say what a test has written down, and episodes of the alpine huts to say it in."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson

from envfactory_dagster.contracts.reports import Report
from envfactory_dagster.contracts.truth import TracedStep
from envfactory_dagster.language.messages import ChatAnswer, ChatChoice, Message, Usage
from envfactory_dagster.rollouts.model import Tools

Line = dict[str, Any] | BaseException
"""A message, or what happens instead of one."""


def says(text: str, **more: Any) -> Line:
    return {"role": "assistant", "content": text, **more}


def calls(*wanted: tuple[str, dict[str, Any] | str], text: str = "", **more: Any) -> Line:
    """A message that asks for tools, in the OpenAI form."""
    made = [
        {"id": f"c{place}", "type": "function", "function": {"name": name, "arguments": _text(arguments)}}
        for place, (name, arguments) in enumerate(wanted)
    ]
    return {"role": "assistant", "content": text, "tool_calls": made, **more}


def _text(arguments: dict[str, Any] | str) -> str:
    return arguments if isinstance(arguments, str) else orjson.dumps(arguments).decode()


def finishes(report: Report | dict[str, Any] | str, name: str = "finish", **more: Any) -> Line:
    """A message that hands in this report, or whatever a test has instead of one."""
    return calls((name, report.model_dump(mode="json") if isinstance(report, Report) else report), **more)


def followed(gold: Sequence[TracedStep], report: Report) -> list[Line]:
    """What an agent says that does what the reference solution did, and reports what it reported."""
    return [*(calls((step.tool, step.arguments)) for step in gold), finishes(report)]


def answered(line: Line, **tokens: Any) -> ChatAnswer:
    if isinstance(line, BaseException):
        raise line
    finish = line.get("finish_reason", "stop")
    choice = ChatChoice({k: v for k, v in line.items() if k != "finish_reason"}, finish, None, None)
    return ChatAnswer((choice,), None, Usage(), False, "scripted")


@dataclass
class Scripted:
    """Says its lines in order, the last one for ever; remembers what it was shown. It takes its place in the script
    from how often it was asked, so it plays one episode at a time."""

    lines: Sequence[Line]
    name: str = "scripted"
    shown: list[list[Message]] = field(default_factory=list)
    tools: list[Tools] = field(default_factory=list)

    async def answer(self, messages: Sequence[Message], tools: Tools, seed: int) -> ChatAnswer:
        line = self.lines[min(len(self.shown), len(self.lines) - 1)]
        self.shown.append(list(messages))
        self.tools.append(tools)
        return answered(line)


@dataclass
class ByTask:
    """Says the lines of the task it is asked about, which it knows from the first message it is shown, at the place
    that the notes in its own last message name; after a line without notes the last one. It plays any number of
    episodes at once."""

    lines: dict[str, Sequence[Line]]
    name: str = "by-task"

    async def answer(self, messages: Sequence[Message], tools: Tools, seed: int) -> ChatAnswer:
        lines = self.lines[str(messages[1]["content"])]
        own = [message for message in messages if message["role"] == "assistant"]
        notes = str(own[-1]["content"]) if own else "0"
        place = int(notes) if notes.isdigit() else len(lines) - 1
        line = lines[place]
        if isinstance(line, dict) and line.get("tool_calls"):
            line = line | {"content": str(place + 1)}
        return answered(line)


@dataclass
class Hanging:
    """Never answers."""

    name: str = "hanging"

    async def answer(self, messages: Sequence[Message], tools: Tools, seed: int) -> ChatAnswer:
        await asyncio.Event().wait()
        raise AssertionError


@dataclass
class Played:
    """Says what a function makes of the messages."""

    play: Callable[[Sequence[Message]], Line]
    name: str = "played"

    async def answer(self, messages: Sequence[Message], tools: Tools, seed: int) -> ChatAnswer:
        return answered(self.play(messages))
