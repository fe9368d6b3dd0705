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

NEED = "To do that I have to know"
"""How the solver asks for a detail."""
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
    request: str = ""
    """What is asked for now, where it is not what the person said first."""
    more: str = ""
    """What the person added to the part when asked."""
    refused: list[list[Any]] = field(default_factory=list)
    """Calls that the part asks for and that were declined: name, arguments and error of each."""

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
    """The calls of that message; those before it where it asked for a detail."""
    reply: str
    """What the person said when asked for a detail just now."""
    can_ask: bool
    """Whether there is a person who answers."""
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
    notes, spoke_last, asked, latest = Notes(), False, False, list[Seen]()
    every: list[tuple[int, Seen]] = []
    answers = {m.get("tool_call_id"): _json(_text(m)) for m in messages if m.get("role") == "tool"}
    for message in messages:
        if message.get("role") != "assistant":
            continue
        notes = _notes(_text(message)) or notes
        called = [_seen(call, answers) for call in message.get("tool_calls") or ()]
        asked = _text(message).startswith(NEED)
        spoke_last = not called
        latest = called if called or not asked else latest
        for one in called:
            if isinstance(one.value, dict) and isinstance(one.value.get("tools"), list) and not one.arguments:
                catalogue = listed(one.value["tools"])
            else:
                every.append((notes.part, one))
    evidence, of_part = Evidence(), Evidence()
    own = {tool.name for tool in catalogue.tools if tool.is_own}
    for part, one in every:
        if one.error is None:
            evidence.take(one.tool, one.value, one.arguments, one.tool in own)
            if part == notes.part:
                of_part.take(one.tool, one.value, one.arguments, one.tool in own)
    made = frozenset(signature(one.tool, one.arguments) for part, one in every if part == notes.part)
    latest_word = said[-1] if said and spoke_last else ""
    reply = latest_word if asked else ""
    request = latest_word if latest_word and not reply else notes.request or next(iter(said), "")
    return Transcript(
        request=request,
        now=moments[-1] if moments else "",
        catalogue=catalogue,
        notes=notes,
        spoke_last=spoke_last and not asked,
        latest=latest,
        reply=reply,
        can_ask="ask the person" in system.lower(),
        evidence=evidence,
        of_part=of_part,
        made=made,
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
