"""Reading a chat request: the question in its first user message, and how often an error report was shown since.

Belongs here: messages and tokens. Does not: HTTP (`app`), or answers (`skills`).
"""

import re
from dataclasses import dataclass
from typing import Any

import orjson
from pydantic import BaseModel, ConfigDict, Field

from envfactory_dagster.contracts.errors import UsageError

_FENCED = re.compile(r"```json[^\n]*\n(.*?)\n?```", re.DOTALL)
_TOKEN = re.compile(r"\w{1,6}|[^\w\s]")


class ChatRequest(BaseModel):
    """What we read of an OpenAI chat completion request; everything else is accepted and ignored."""

    model_config = ConfigDict(extra="allow")

    messages: list[dict[str, Any]]
    model: str = "built-in"
    n: int | None = Field(default=1, ge=1, le=128)
    stream: bool | None = False
    stream_options: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class ParsedQuestion:
    schema: str
    context: dict[str, Any]
    error_reports: int
    """How many answers have been sent back with an error so far."""


def read_question(messages: list[dict[str, Any]]) -> ParsedQuestion:
    """The last fenced JSON block of the first user message, as `{"schema": name, "context": {...}}`."""
    user = [_text(message) for message in messages if message.get("role") == "user"]
    if not user:
        raise UsageError("the conversation has no user message")
    blocks = _FENCED.findall(user[0])
    if not blocks:
        raise UsageError("the first user message ends with no fenced json block, which is all the built-in model reads")
    try:
        block = orjson.loads(blocks[-1])
    except orjson.JSONDecodeError as error:
        raise UsageError(f"the json block of the first user message is not JSON: {error}") from error
    if not isinstance(block, dict) or not isinstance(block.get("schema"), str):
        raise UsageError('the json block must look like {"schema": name, "context": {...}}')
    if not isinstance(block.get("context"), dict):
        raise UsageError("the json block has no context object")
    context = {name: value for name, value in block["context"].items() if name != "subject"}
    return ParsedQuestion(block["schema"], context, len(user) - 1)


def count_tokens(text: str) -> int:
    """A stable count, close to what tokenizers of language models give."""
    return len(_TOKEN.findall(text))


def prompt_tokens(messages: list[dict[str, Any]]) -> int:
    return sum(count_tokens(_text(message)) + 3 for message in messages)


def _text(message: dict[str, Any]) -> str:
    content = message.get("content") or ""
    if isinstance(content, list):
        return "".join(part.get("text", "") for part in content if isinstance(part, dict))
    return str(content)
