"""What a chat shows the solver: the request, the tools, its own notes, and what was read.

Only a window of a long chat is shown, so the solver keeps notes in the text of its own messages: which part it is at,
what it has to tell in the end. Belongs here: reading messages and notes. Does not: deciding anything.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import orjson

from envfactory_dagster.language.embedded.roles.catalogue import Catalogue, listed, native
from envfactory_dagster.language.embedded.roles.evidence import Evidence
from envfactory_dagster.language.embedded.roles.planning import signature

_NOTES = re.compile(r"Notes: (\{.*\})\s*$", re.DOTALL)
_NOW = re.compile(r"\b(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})\b")


@dataclass(slots=True)
class Notes:
    part: int = 0
    """Which part of the request the message is about."""
    round: int = 0
    """How many messages that part has taken before this one."""
    final: bool = False
    """Whether this message's call is what the part asks for."""
    told: list[str] = field(default_factory=list)
    """What there is to tell the person."""
    focus: dict[str, Any] = field(default_factory=dict)
    """The arguments of the last change."""
    asked: int = 0
    """How many questions the person was asked."""

    def written(self) -> str:
        return f"Notes: {orjson.dumps(asdict(self)).decode()}"


@dataclass(frozen=True, slots=True)
class Seen:
    """One call with what came back for it."""

    tool: str
    arguments: dict[str, Any]
    value: Any
    error: str | None


@dataclass(slots=True)
class Transcript:
    request: str
    now: str
    catalogue: Catalogue
    notes: Notes
    """As they stand in the last message of the solver."""
    spoke_last: bool
    """Whether that message called nothing: the person has answered it."""
    latest: list[Seen]
    """The calls of that message."""
    evidence: Evidence
    """Everything that can be seen."""
    of_part: Evidence
    """What was read for the part at hand."""
    made: frozenset[str]
    """The calls made for it."""


def read(messages: Sequence[Mapping[str, Any]], tools: Sequence[Mapping[str, Any]]) -> Transcript:
    system = next((_text(m) for m in messages if m.get("role") == "system"), "")
    said = [_text(m) for m in messages if m.get("role") == "user"]
    moments = _NOW.findall(system)
    catalogue = native(tools)
    notes, spoke_last, latest = Notes(), False, list[Seen]()
    every: list[tuple[int, Seen]] = []
    answers = {m.get("tool_call_id"): _json(_text(m)) for m in messages if m.get("role") == "tool"}
    for message in messages:
        if message.get("role") != "assistant":
            continue
        notes = _notes(_text(message)) or notes
        latest = [_seen(call, answers) for call in message.get("tool_calls") or ()]
        spoke_last = not latest
        for one in latest:
            if isinstance(one.value, dict) and isinstance(one.value.get("tools"), list) and not one.arguments:
                catalogue = listed(one.value["tools"])
            else:
                every.append((notes.part, one))
    evidence, of_part = Evidence(), Evidence()
    for part, one in every:
        if one.error is None:
            evidence.take(one.tool, one.value)
            if part == notes.part:
                of_part.take(one.tool, one.value)
    made = frozenset(signature(one.tool, one.arguments) for part, one in every if part == notes.part)
    request = said[-1] if spoke_last and said else (said[0] if said else "")
    return Transcript(
        request, moments[-1] if moments else "", catalogue, notes, spoke_last, latest, evidence, of_part, made
    )


def _notes(text: str) -> Notes | None:
    match = _NOTES.search(text)
    return Notes(**orjson.loads(match[1])) if match else None


def _seen(call: Mapping[str, Any], answers: Mapping[Any, Any]) -> Seen:
    function = call.get("function") or {}
    name, arguments = str(function.get("name")), _json(function.get("arguments") or "{}")
    arguments = arguments if isinstance(arguments, dict) else {}
    inner = arguments.get("arguments")
    if name == "call_tool" and isinstance(arguments.get("tool_name"), str):
        name, arguments = arguments["tool_name"], inner if isinstance(inner, dict) else {}
    value = answers.get(call.get("id"))
    error = value.get("error") if isinstance(value, dict) and set(value) == {"error"} else None
    return Seen(name, arguments, value, error)


def _json(text: str) -> Any:
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return text


def _text(message: Mapping[str, Any]) -> str:
    content = message.get("content") or ""
    if isinstance(content, list):
        return "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return str(content)
