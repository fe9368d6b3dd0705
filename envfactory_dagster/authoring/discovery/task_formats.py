"""Formats of task sets: lines and lists of tasks, chats with tools, and files that are one dialogue.

Belongs here: where the request stands in each form, and what the entry says of where it belongs. Does not: opening
files (`source_folders`), which tasks need a world (`proposals`).
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from envfactory_dagster.authoring.discovery.tool_formats import tools_of
from envfactory_dagster.contracts.sources import LeftOutTool, SourceTask, SourceTool
from envfactory_dagster.sources.parsing import UnreadableFile, parse_json

TASK_KEYS = ("task", "instruction", "query", "question", "prompt", "request", "text")
PLACE_KEYS = ("environment", "domain", "app", "service", "category", "tools", "apis")
LISTS = ("tasks", "data", "examples", "rows", "samples")
CHATS = ("messages", "conversations", "conversation", "dialogue", "dialog")
LONGEST_TASK = 4_000
NAMES_SHOWN = 60
_USERS = frozenset({"user", "human"})


@dataclass(frozen=True, slots=True)
class FoundTask:
    """A task as it was written, with the tools that were given for it."""

    task: SourceTask
    tools: list[SourceTool] = field(default_factory=list)
    unusable: list[LeftOutTool] = field(default_factory=list)


def tasks_in(name: str, text: str) -> Iterator[tuple[str, FoundTask | UnreadableFile]]:
    """Every task of a file with the place where it stands. Raises UnreadableFile when the whole file makes no sense."""
    if name.endswith(".json"):
        yield from _in_a_list(parse_json(text))
        return
    lines = [(f"line {number}", line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    read = [(where, _parsed(line, where)) for where, line in lines]
    if len(read) > 1 and all(_is_turn(value) for _, value in read):
        # The whole file is one dialogue, a turn a line, as API-Bank has it.
        yield "", _task_or_why({"messages": [value for _, value in read]}, "it")
        return
    for where, value in read:
        yield where, value if isinstance(value, UnreadableFile) else _task_or_why(value, where)


def _in_a_list(document: Any) -> Iterator[tuple[str, FoundTask | UnreadableFile]]:
    if isinstance(document, dict):
        document = next((document[key] for key in LISTS if isinstance(document.get(key), list)), [document])
    if not isinstance(document, list):
        raise UnreadableFile("is no list of tasks")
    if len(document) > 1 and all(map(_is_turn, document)):
        yield "", _task_or_why({"messages": document}, "it")
        return
    for number, value in enumerate(document, 1):
        yield f"task {number}", _task_or_why(value, f"task {number}")


def _parsed(line: str, where: str) -> Any:
    try:
        return parse_json(line, f"{where} ")
    except UnreadableFile as problem:
        return problem


def _is_turn(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("role"), str) and not any(key in value for key in CHATS)


def _task_or_why(value: Any, where: str) -> FoundTask | UnreadableFile:
    known = value if isinstance(value, dict) else {"task": value}
    chat = next((known[key] for key in CHATS if isinstance(known.get(key), list)), None)
    said = _asked(chat) if chat is not None else ""
    if not said:
        said = next((known[key] for key in TASK_KEYS if isinstance(known.get(key), str) and known[key].strip()), "")
        said = _with_input(said, known.get("input")) if said else said
    if not said:
        keys = ", ".join(TASK_KEYS)
        return UnreadableFile(f"{where} holds no task: it needs a text under one of {keys}, or a chat under `messages`")
    given = _tools_given(known, chat or [])
    place = {key: words(known[key]) for key in PLACE_KEYS if known.get(key)}
    if given and "apis" not in place:
        place["tools"] = words(given)
    elif chat and "tools" not in place and (called := _apis_called(chat)):
        place["apis"] = words(called)
    tools, unusable = tools_of([tool for tool in given if isinstance(tool, dict)])
    return FoundTask(SourceTask(text=said.strip()[:LONGEST_TASK], place=place), tools, unusable)


def _with_input(instruction: str, beside: Any) -> str:
    """Instructions that are the same everywhere have what is asked beside them, as `input`: of a dialogue that is
    written out there, what the user says."""
    if not isinstance(beside, str) or not beside.strip():
        return instruction
    asked = re.findall(r"^User:[ \t]*(\S.*)$", beside, re.MULTILINE)
    return "\n".join(asked) if asked else f"{instruction}\n{beside.strip()}"


def _asked(chat: Sequence[Any]) -> str:
    """What the person says in a chat, all of it: the later turns are part of what is wanted."""
    return "\n".join(text for role, text in _turns(chat) if role in _USERS and text)


def _turns(chat: Sequence[Any]) -> Iterator[tuple[str, str]]:
    for turn in chat:
        if isinstance(turn, dict):
            said = next((turn[key] for key in ("content", "value", "text") if turn.get(key)), "")
            if isinstance(said, list):  # in parts, as chat endpoints take it
                said = " ".join(str(part.get("text", "")) for part in said if isinstance(part, dict))
            yield str(turn.get("role") or turn.get("from") or "").lower(), str(said).strip()


def _apis_called(chat: Sequence[Any]) -> list[Any]:
    return list(
        dict.fromkeys(str(turn["api_name"]) for turn in chat if isinstance(turn, dict) and turn.get("api_name"))
    )


def _tools_given(known: Mapping[str, Any], chat: Sequence[Any]) -> list[Any]:
    """The list of tools, as a list or as JSON text, under a name of its own or within the system prompt."""
    listed = known.get("tools") or known.get("functions") or known.get("apis") or []
    if isinstance(listed, str):
        listed = _list_within(listed)
    if isinstance(listed, list) and listed:
        return listed
    system = known.get("system") or next((text for role, text in _turns(chat) if role == "system"), "")
    return _list_within(system) if isinstance(system, str) else []


def _list_within(text: str) -> list[Any]:
    """The first list of objects with names that stands somewhere in a text."""
    decoder, start = json.JSONDecoder(), text.find("[")
    for _ in range(50):
        if start < 0:
            break
        try:
            found, _ = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            found = None
        if isinstance(found, list) and found and all(isinstance(one, dict) and named(one) for one in found):
            return found
        start = text.find("[", start + 1)
    return []


def named(tool: Mapping[str, Any]) -> Any:
    inner = tool.get("function")
    return inner.get("name") if isinstance(inner, dict) else tool.get("name")


def words(value: Any) -> str:
    if not isinstance(value, list):
        return str(value)
    return ", ".join(str(named(item) if isinstance(item, dict) else item) for item in value[:NAMES_SHOWN])
