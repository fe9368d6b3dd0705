"""What a chat shows the solver: the request, the tools, its own notes, and what was read.

Only a window of a long chat is shown, so the solver keeps notes in the text of its own messages: which part it is at,
what it has to tell in the end. Belongs here: reading messages and notes. Does not: deciding anything.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import orjson

from envfactory_dagster.language.embedded.roles.catalogue import Catalogue, listed, native
from envfactory_dagster.language.embedded.roles.evidence import Evidence
from envfactory_dagster.language.embedded.roles.planning import signature

_NEED = re.compile(r"To do number (\d+) I have to know (.+)\?$")
_BARE = re.compile(
    r"^(?:it is|it's|it says:?|that is|that's|they are|make it|please take|take)\s+(?=\S)", re.IGNORECASE
)
_FIGURE = re.compile(r"\b(?:The \w+|Together it) is (-?\d+(?:\.\d+)?)(?=[.;](?:\s|$))")
_CASE = re.compile(r"\bThat is (not )?the case\b")
_AMONG = re.compile(r"\bI looked among (.+?)\.(?:\s|$)")
CONDITION = "condition"
"""The name under which figures say whether a condition held."""
_YES = re.compile(r"^yes\b", re.IGNORECASE)
ASK = "Before I go on: are you sure that this is what you want?"
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
    """What is asked for now."""
    figures: dict[str, float] = field(default_factory=dict)
    """Numbers that were found out so far, in their order, by what they are of."""
    among: str = ""
    """The things that one was chosen among."""
    added: dict[str, str] = field(default_factory=dict)
    """What the person added to the part when asked, by what it was asked for."""
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
    is_new: bool
    """Whether the person has just said this request."""
    latest: list[Seen]
    """The calls of the last message, where the person has said nothing since."""
    rules: str
    """What the service says of itself."""
    can_ask: bool
    """Whether there is a person who answers."""
    evidence: Evidence
    """Everything that can be seen."""
    of_part: Evidence
    """What was read for the part at hand."""
    results: dict[str, Seen]
    """The calls made for it, by their signatures."""
    said: list[str]
    """What the solver has told the person, without its questions."""

    @property
    def made(self) -> frozenset[str]:
        return frozenset(self.results)


def read(messages: Sequence[Mapping[str, Any]], tools: Sequence[Mapping[str, Any]]) -> Transcript:
    system = next((_text(m) for m in messages if m.get("role") == "system"), "")
    moments = _NOW.findall(system)
    catalogue = native(tools)
    notes, is_new, before, latest = Notes(), False, "", list[Seen]()
    every: list[tuple[tuple[str, int], Seen]] = []
    answers = {m.get("tool_call_id"): _json(_text(m)) for m in messages if m.get("role") == "tool"}
    for message in messages:
        if message.get("role") == "user":
            notes, is_new = _heard(_text(message), before, notes)
            latest = []
        if message.get("role") != "assistant":
            continue
        before = _text(message)
        notes, is_new = _notes(before) or notes, False
        latest = [_seen(call, answers) for call in message.get("tool_calls") or ()]
        for one in latest:
            if isinstance(one.value, dict) and isinstance(one.value.get("tools"), list) and not one.arguments:
                catalogue = listed(one.value["tools"])
            else:
                every.append(((notes.request, notes.part), one))
    here = notes.request, notes.part
    return Transcript(
        request=notes.request,
        now=moments[-1] if moments else "",
        catalogue=catalogue,
        notes=notes,
        is_new=is_new,
        latest=latest,
        rules=system,
        can_ask="ask the person" in system.lower(),
        evidence=_evidence((one for _, one in every), catalogue),
        of_part=_evidence((one for place, one in every if place == here), catalogue),
        said=[one for one in map(_text, _without_calls(messages)) if one and not one.endswith("?")],
        results={signature(one.tool, one.arguments): one for place, one in every if place == here},
    )


def _without_calls(messages: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Those in which it called nothing."""
    return [one for one in messages if one.get("role") == "assistant" and not one.get("tool_calls")]


def need(part: int, lacking: Sequence[str]) -> str:
    """The question for details."""
    names = " and ".join(f"the {name.replace('_', ' ')}" for name in lacking)
    return f"To do number {part + 1} I have to know {names}?"


def _heard(said: str, before: str, notes: Notes) -> tuple[Notes, bool]:
    """Where the work stands after the person has said something, and whether that is a new request. Only the answer to
    a question goes on with what was asked for before."""
    asked = _NEED.search(before)
    if asked is not None:
        reply = "" if _YES.match(said) else _plain(said)
        added = {name.strip(): reply for name in re.split(r"(?:^| and )the ", asked[2]) if name.strip()}
        return replace(notes, part=int(asked[1]) - 1, told=[], final=False, refused=[], added=added, round=0), False
    if before == ASK:
        return notes, False
    return _from_before(before, Notes(request=said, figures=notes.figures, among=notes.among)), True


def _from_before(told: str, notes: Notes) -> Notes:
    """A last message has no notes beside it: what is still wanted of it stands in what was told."""
    figures = dict(notes.figures)
    for match in _FIGURE.finditer(told):
        figures[f"told {len(figures)}"] = float(match[1])
    if conditions := _CASE.findall(told):
        figures[CONDITION] = 0.0 if conditions[-1] else 1.0
    among = _AMONG.search(told)
    return replace(notes, figures=figures, among=among[1] if among is not None else notes.among)


def _plain(reply: str) -> str:
    return _BARE.sub("", reply.strip()).removesuffix(".")


def _evidence(seen: Iterable[Seen], catalogue: Catalogue) -> Evidence:
    own = {tool.name for tool in catalogue.tools if tool.is_own}
    evidence = Evidence()
    for one in seen:
        if one.error is None:
            evidence.take(one.tool, one.value, one.arguments, one.tool in own)
    return evidence


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
