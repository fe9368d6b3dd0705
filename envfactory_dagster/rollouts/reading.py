"""Reading a model's message: what it thought, said and asked for. Nothing about a message need be right.

Belongs here: from the OpenAI form to requests, tokens and a remark where a message is odd. Does not: whether a request
keeps the rules (`truth.format_rules`), or making calls (`calls`).
"""

import json
import math
import re
from collections.abc import Collection
from dataclasses import dataclass
from itertools import count
from typing import Any, Literal

import orjson

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.tools import Principal
from envfactory_dagster.contracts.trajectory import Tokens, ToolRequest
from envfactory_dagster.language.messages import ChatAnswer
from envfactory_dagster.language.thoughts import split
from envfactory_dagster.runtime.session import not_json

Oddity = Literal["prose_call", "empty_message", "cut_off"]
"""A tool call written as text; neither text nor call; a message that ends at the length limit."""

_PROSE_CALL = re.compile(r"<tool_call>|<function=|\"(?:arguments|parameters)\"\s*:\s*\{", re.IGNORECASE)
_CHARS_PER_TOKEN = 4


@dataclass(frozen=True, slots=True)
class Said:
    """One message of a model."""

    reasoning: str
    text: str
    calls: list[ToolRequest]
    tokens: Tokens | None
    written: int
    """Tokens; a guess where the endpoint does not say."""
    oddity: Oddity | None
    message: dict[str, Json]
    """As it goes into the history: without its reasoning, with ids that can be told apart."""


def read(
    answer: ChatAnswer, step: int, principal: Principal = "assistant", earlier: Collection[str] = frozenset()
) -> Said:
    """`earlier`: the ids of calls in the messages before it. Some endpoints number the calls of each message anew."""
    choice = answer.choices[0]
    content = _sound(_text(choice.message.get("content")))
    thought = _sound(str(choice.message.get("reasoning_content") or choice.message.get("reasoning") or ""))
    text, thoughts = split(content)
    text = text.strip()
    calls = _calls(choice.message.get("tool_calls"), step, principal, earlier)
    return Said(
        reasoning="\n".join(filter(None, (one.strip() for one in (thought, *thoughts)))),
        text=text,
        calls=calls,
        tokens=_tokens(answer),
        written=len(choice.token_ids) if choice.token_ids is not None else _guess(content, thought, calls),
        oddity=_oddity(text, calls, choice.finish_reason),
        message=as_message(text, calls),
    )


def _text(content: Json) -> str:
    if isinstance(content, list):
        return "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else ""


def _sound(text: str) -> str:
    """JSON can say half a surrogate pair, which no file can keep."""
    return text.encode("utf-8", "replace").decode()


def _calls(given: Json, step: int, principal: Principal, before: Collection[str]) -> list[ToolRequest]:
    found: list[ToolRequest] = []
    for place, call in enumerate(given if isinstance(given, list) else []):
        function = call.get("function") if isinstance(call, dict) else None
        function = function if isinstance(function, dict) else {}
        identity = _sound(str(call.get("id") or "")) if isinstance(call, dict) else ""
        taken = {"", *before, *(earlier.id for earlier in found)}
        if identity in taken:
            identity = next(free for n in count(place) if (free := f"call_{step}_{n}") not in taken)
        arguments = _arguments(function.get("arguments"))
        name = _sound(str(function.get("name") or ""))
        found.append(ToolRequest(id=identity, name=name, arguments=arguments, principal=principal))
    return found


def _arguments(given: Json) -> dict[str, Json] | str:
    """A JSON object, or the text as it stands: also of one that nobody could send or keep."""
    text = _sound(given) if isinstance(given, str) else json.dumps(given)
    try:
        read: Any = orjson.loads(text or "{}")
    except orjson.JSONDecodeError:
        return text
    return read if isinstance(read, dict) and not_json(read, "arguments") is None else text


def _tokens(answer: ChatAnswer) -> Tokens | None:
    """Prompt and continuation as they were sampled, with the mask of what the policy wrote. Log-probabilities are kept
    only where there is a finite one for each sampled token; the prompt's have none and are 0."""
    choice, prompt = answer.choices[0], answer.prompt_token_ids
    if choice.token_ids is None:
        return None
    before = list(prompt or ())
    logprobs = choice.logprobs or ()
    sampled = choice.logprobs is not None and len(logprobs) == len(choice.token_ids)
    return Tokens(
        ids=before + list(choice.token_ids),
        logprobs=[0.0] * len(before) + list(logprobs) if sampled and all(map(math.isfinite, logprobs)) else None,
        mask=[False] * len(before) + [True] * len(choice.token_ids),
    )


def _guess(content: str, thought: str, calls: list[ToolRequest]) -> int:
    asked = sum(len(call.name) + len(orjson.dumps(call.arguments)) for call in calls)
    return (len(content) + len(thought) + asked) // _CHARS_PER_TOKEN + 1


def _oddity(text: str, calls: list[ToolRequest], finish: str | None) -> Oddity | None:
    if finish == "length":
        return "cut_off"
    if calls:
        return None
    if not text:
        return "empty_message"
    return "prose_call" if _PROSE_CALL.search(text) else None


def as_message(text: str, calls: list[ToolRequest]) -> dict[str, Json]:
    """What was said, as it goes into the history."""
    message: dict[str, Json] = {"role": "assistant", "content": text}
    if calls:
        message["tool_calls"] = [_written(call) for call in calls]
    return message


def _written(call: ToolRequest) -> dict[str, Json]:
    arguments = call.arguments if isinstance(call.arguments, str) else orjson.dumps(call.arguments).decode()
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": arguments}}
