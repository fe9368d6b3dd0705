"""A model that sees an environment under other names: tools, parameters, columns and ids, and the request paraphrased.

Belongs here: translating what a model is shown, and its calls back. Does not: any figure (`rollouts`). Everything is
renamed word by word and the same everywhere, descriptions aside from the names in them.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import orjson

from envfactory_dagster.contracts.finish_tool import FINISH
from envfactory_dagster.language.messages import ChatAnswer, Message
from envfactory_dagster.rollouts.model import Model, Tools

_WORDS = {
    "list": "show", "get": "fetch", "search": "find", "cancel": "abort", "remove": "delete", "add": "append",
    "set": "assign", "book": "reserve", "summarize": "sum_up", "update": "edit", "change": "switch", "open": "begin",
    "submit": "file", "withdraw": "retract", "my": "own", "id": "ref", "total": "overall", "cents": "minor_cents",
    "status": "stage", "name": "label", "title": "heading", "on": "at_day", "starts": "begins", "words": "phrase",
    "limit": "most_rows", "quantity": "count",
}  # fmt: skip
_PARAPHRASE = (
    (r"\bHere is my list:", "A few things for you:"), (r"\bThree things today:", "I have this for you:"),
    (r"\bI need two things:", "Two matters:"), (r"\bOnce that is done,", "Afterwards,"),
    (r"\bAfter that,", "Afterwards,"), (r"\bLastly,", "Finally,"), (r"\btell me\b", "let me know"),
    (r"\bTell me\b", "Let me know"), (r"\bcancel\b", "call off"), (r"\bCancel\b", "Call off"),
    (r"\bwere worth together\b", "came to altogether"), (r"\bcosts a month\b", "costs each month"),
    (r"\bbook\b", "reserve"), (r"\bMove me\b", "Switch me"), (r"\bmove me\b", "switch me"),
)  # fmt: skip
_OFFSET = 5_000
"""Added to every id."""


@dataclass
class Renamed:
    """A model behind the translation."""

    model: Model
    name: str

    async def answer(self, messages: Sequence[Message], tools: Tools, seed: int) -> ChatAnswer:
        back = {new_name(name): name for name in _names(tools)}
        shown = [_shown(message, first=place == 1) for place, message in enumerate(messages)]
        found = await self.model.answer(shown, [_tool(tool) for tool in tools], seed)
        choices = tuple(replace(one, message=_restored(one.message, back)) for one in found.choices)
        return replace(found, choices=choices)


def new_name(name: str) -> str:
    return "_".join(_WORDS.get(word, word) for word in name.split("_"))


def paraphrased(text: str) -> str:
    for pattern, instead in _PARAPHRASE:
        text = re.sub(pattern, instead, text)
    return text


def _names(tools: Tools) -> set[str]:
    found: set[str] = set()
    for tool in tools:
        function: Any = tool["function"]
        found |= {function["name"], *function["parameters"].get("properties", {})}
    return found


def _tool(tool: Mapping[str, Any]) -> dict[str, Any]:
    function = dict(tool["function"])
    if function["name"] == FINISH:  # the same in every environment
        return dict(tool)
    schema = dict(function["parameters"])
    schema["properties"] = {new_name(name): one for name, one in schema.get("properties", {}).items()}
    schema["required"] = [new_name(name) for name in schema.get("required", [])]
    told, returns, outline = str(function["description"]).partition(" Returns ")
    outline = re.sub(r"[a-z_]+", lambda match: new_name(match[0]), outline)
    function |= {"name": new_name(function["name"]), "parameters": schema, "description": told + returns + outline}
    return {"type": "function", "function": function}


def _shown(message: Message, first: bool) -> dict[str, Any]:
    shown: dict[str, Any] = dict(message)
    if first:
        shown["content"] = paraphrased(str(message["content"]))
    elif message["role"] == "tool":
        shown["content"] = orjson.dumps(_values(orjson.loads(str(message["content"])))).decode()
        shown["name"] = new_name(str(message["name"]))
    elif message["role"] == "assistant" and message.get("tool_calls"):
        shown["tool_calls"] = [_call(call, new_name, _OFFSET) for call in shown["tool_calls"]]
    return shown


def _values(value: Any, name: str = "") -> Any:
    if isinstance(value, dict):
        return {new_name(key): _values(one, key) for key, one in value.items()}
    if isinstance(value, list):
        return [_values(one, name) for one in value]
    return _moved(name, value, _OFFSET)


def _moved(name: str, value: Any, by: int) -> Any:
    is_id = (name == "id" or name.endswith("_id")) and isinstance(value, int) and not isinstance(value, bool)
    return value + by if is_id else value


def _restored(message: dict[str, Any], back: Mapping[str, str]) -> dict[str, Any]:
    if not message.get("tool_calls"):
        return message
    calls = [_call(call, lambda name: back.get(name, name), -_OFFSET) for call in message["tool_calls"]]
    return message | {"tool_calls": calls}


def _call(call: Mapping[str, Any], rename: Any, by: int) -> dict[str, Any]:
    function = call["function"]
    if function["name"] == FINISH:
        return dict(call)
    arguments = orjson.loads(function["arguments"] or "{}")
    if isinstance(arguments, dict):
        old = {name: rename(name) for name in arguments}
        ids = {name: name if by > 0 else old[name] for name in arguments}
        arguments = {old[name]: _moved(ids[name], value, by) for name, value in arguments.items()}
    return {**call, "function": {"name": rename(function["name"]), "arguments": orjson.dumps(arguments).decode()}}
