"""Tools told as signatures, once, at the beginning of what a model reads: a third of what JSON Schemas take.

Belongs here: a model that is asked in this form by whoever speaks in native tools. Does not: the native form (`tools`),
and who plays that way (`tasks.proof_of_words`).

The text is the same for all tasks of an environment and stands in front of everything else, so that an endpoint that
keeps prefixes reads it once. What is lost of a schema (lengths, counts) the environment says when it is broken.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import orjson

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.language.messages import ChatAnswer, ChatChoice, Message
from envfactory_dagster.rollouts.model import Model, Tools
from envfactory_dagster.truth.protocols import CALL_TOOL

_HOW = f"""\
The tools of the service follow, one a line, as `name(parameter: type "what it is", …): what it does`. A parameter with
`?` may be left out. Call them with `{CALL_TOOL}`; calls that do not need each other's results go into one message.
"""

_CALL: dict[str, Json] = {
    "type": "function",
    "function": {
        "name": CALL_TOOL,
        "description": "Call one of the tools of the service.",
        "parameters": {
            "type": "object",
            "properties": {"tool": {"type": "string"}, "arguments": {"type": "object"}},
            "required": ["tool", "arguments"],
        },
    },
}


_PROBLEM = f'{CALL_TOOL} takes {{"tool": NAME, "arguments": {{…}}}}; this could not be read, and nothing was called'
_UNREADABLE = orjson.dumps({"error": _PROBLEM}).decode()


@dataclass(frozen=True, slots=True)
class BySignatures:
    """A model that is told the tools as signatures. It is asked, and answers, as if they were its own."""

    model: Model
    finish: str
    """The tool that takes the report, which stays a tool of its own: its schema belongs to one task."""

    @property
    def name(self) -> str:
        return self.model.name

    async def answer(self, messages: Sequence[Message], tools: Tools, seed: int) -> ChatAnswer:
        functions = [_function(tool) for tool in tools]
        others = [one for one in functions if one["name"] != self.finish]
        system, *rest = messages
        told = dict(system) | {"content": "\n".join([_HOW, *map(signature, others), "", str(system["content"])])}
        finish = [tool for tool in tools if _function(tool)["name"] == self.finish]
        shown = [told if others else system, *map(self._wrapped, rest)]
        found = await self.model.answer(shown, [*([_CALL] if others else []), *finish], seed)
        return replace(found, choices=tuple(map(_unwrapped, found.choices)))

    def _wrapped(self, message: Message) -> Message:
        """A message of before, with its calls as the model made them. To one that could not be read nothing is known
        by the name of `call_tool`: the model is told what it takes."""
        if message["role"] == "tool" and message.get("name") == CALL_TOOL:
            return dict(message) | {"content": _UNREADABLE}
        if message["role"] == "tool" and message.get("name") != self.finish:
            return dict(message) | {"name": CALL_TOOL}
        calls = message.get("tool_calls")
        if not isinstance(calls, list):
            return message
        return dict(message) | {
            "tool_calls": [self._wrapped_call(dict(call)) for call in calls if isinstance(call, dict)]
        }

    def _wrapped_call(self, call: dict[str, Json]) -> dict[str, Json]:
        """Always with a JSON object: many endpoints refuse a history in which there is none."""
        name, text = (str(_function(call)[part]) for part in ("name", "arguments"))
        if _object(text) is None:
            text = orjson.dumps({"unreadable": text}).decode()
        if name in (self.finish, CALL_TOOL):
            return call | {"function": {"name": name, "arguments": text}}
        inner = f'{{"tool":{orjson.dumps(name).decode()},"arguments":{text}}}'
        return call | {"function": {"name": CALL_TOOL, "arguments": inner}}


def _unwrapped(choice: ChatChoice) -> ChatChoice:
    calls = choice.message.get("tool_calls")
    if not isinstance(calls, list):
        return choice
    return replace(choice, message=choice.message | {"tool_calls": [_unwrapped_call(call) for call in calls]})


def _unwrapped_call(call: Json) -> Json:
    """As it would be without the wrapping. One that cannot be read stays as it is, and is no tool of the service."""
    function = call.get("function") if isinstance(call, dict) else None
    if not isinstance(call, dict) or not isinstance(function, dict) or function.get("name") != CALL_TOOL:
        return call
    given = _object(function.get("arguments"))
    if given is None or not isinstance(given.get("tool"), str):
        return call
    arguments = given.get("arguments", {})
    text = arguments if isinstance(arguments, str) else orjson.dumps(arguments).decode()
    return call | {"function": {"name": given["tool"], "arguments": text}}


def _object(given: Json) -> dict[str, Any] | None:
    """A JSON object, also as its text, that can be written again; None where it is none."""
    try:
        found: Any = orjson.loads(given) if isinstance(given, str) else given
        orjson.dumps(found)
    except (orjson.JSONDecodeError, orjson.JSONEncodeError):
        return None
    return found if isinstance(found, dict) else None


def _function(tool: Mapping[str, Json]) -> dict[str, Any]:
    function = tool["function"]
    assert isinstance(function, dict)
    return function


# -- a tool in one line ------------------------------------------------------------------------------------------------


def signature(function: Mapping[str, Any]) -> str:
    description = " ".join(str(function["description"]).split())
    return f"{function['name']}({_parameters(function['parameters'])}): {description}"


def _parameters(schema: Mapping[str, Any]) -> str:
    """What refers to other parts of the schema or combines them is shown as it is."""
    whole = orjson.dumps(schema)
    if b'"$ref"' in whole or b'"allOf"' in whole:
        return whole.decode()
    required = schema.get("required", [])
    return ", ".join(_parameter(name, one, name in required) for name, one in schema.get("properties", {}).items())


def _parameter(name: str, schema: Mapping[str, Any] | bool, required: bool) -> str:
    schema = schema if isinstance(schema, Mapping) else {}
    default = f" = {orjson.dumps(schema['default']).decode()}" if "default" in schema else ""
    description = f' "{schema["description"]}"' if schema.get("description") else ""
    return f"{name}{'' if required else '?'}: {_type(schema)}{default}{description}"


def _type(schema: Mapping[str, Any] | bool) -> str:
    if not isinstance(schema, Mapping):
        return "any"
    if "enum" in schema or "const" in schema:
        return "|".join(orjson.dumps(value).decode() for value in schema.get("enum", [schema.get("const")]))
    for several in ("anyOf", "oneOf"):
        if several in schema:
            return "|".join(map(_type, schema[several]))
    kind = schema.get("type", "any")
    if isinstance(kind, list):
        return "|".join(_type({**schema, "type": one}) for one in kind)
    if kind == "array":
        return f"[{_type(schema.get('items', {}))}]"
    if kind == "object" and "properties" in schema:
        return f"{{{_parameters(schema)}}}"
    if kind == "object" and isinstance(schema.get("additionalProperties"), Mapping):
        return f"{{…: {_type(schema['additionalProperties'])}}}"
    if kind == "string":
        return str(schema.get("format") or (f"/{schema['pattern']}/" if "pattern" in schema else kind))
    low, high = (schema.get(bound, "") for bound in ("minimum", "maximum"))
    return f"{kind} {low}..{high}" if (low, high) != ("", "") and kind in ("integer", "number") else str(kind)
