"""The library as an OpenAI-compatible app: a small model that knows the worlds of a folder and nothing else.

Belongs here: requests and responses. Does not: what is answered (`answering`).
"""

import re
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from typing import Any

import orjson
from fastapi import Request, Response

from envfactory_dagster.contracts.base import content_hash
from envfactory_dagster.contracts.domain import Size
from envfactory_dagster.contracts.pool import Subject
from envfactory_dagster.language.built_in.conversation import count_tokens, prompt_tokens
from envfactory_dagster.language.wire import NO_OTHER_ANSWER, AsgiApp
from envfactory_dagster.library.answering import NoOtherAnswer, answer
from envfactory_dagster.library.collection import Library
from envfactory_dagster.library.discovery import DISCOVERY
from envfactory_dagster.library.parts import SUBJECT, Part

MODEL = "library"
_BLOCK = re.compile(r"```json\n(.*)\n```")

Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


class LibraryApp:
    """Answers questions about the worlds of a library, and proposes worlds of it.

    Whichever model is asked, the library answers what it has an answer to. `others` is given the rest of what is asked
    of other models than `library`. `size`: only worlds of this size are proposed.
    """

    title = "envfactory library"

    def __init__(self, library: Library, others: AsgiApp | None = None, *, size: Size | None = None) -> None:
        self._library = library
        self._others = others
        self._size = size
        self.version = content_hash([library.version, getattr(others, "version", ""), size])[:12]

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        body = await Request(scope, receive).body()
        response = self._response(scope, body)
        if response is not None:
            await response(scope, receive, send)
        elif self._others is not None:
            await self._others(scope, _once_more(body, receive), send)
        else:
            await _refusal(str(NoOtherAnswer(self._unknown())))(scope, receive, send)

    def _unknown(self) -> str:
        known = f"It knows {len(self._library.cards)} worlds and no other; this is about none of them."
        return f"The library answers questions about its worlds only. {known}"

    def _response(self, scope: MutableMapping[str, Any], body: bytes) -> Response | None:
        """None: it is for others."""
        if scope["method"] == "GET" and scope["path"].endswith("/models"):
            listed = {"object": "list", "data": [{"id": MODEL, "object": "model", "created": 0, "owned_by": MODEL}]}
            return Response(orjson.dumps(listed), media_type="application/json")
        if not scope["path"].endswith("/chat/completions"):
            return None
        model, asked = _asked(body)
        try:
            if asked is None:
                raise NoOtherAnswer(self._unknown())
            given = self._answer(asked)
        except NoOtherAnswer as refusal:
            return _refusal(str(refusal)) if self._others is None or model == MODEL else None
        text = orjson.dumps(given).decode()
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
        read, written = asked.tokens, count_tokens(text)
        usage = {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}
        completion = {"id": "library", "object": "chat.completion", "created": 0, "model": model, "usage": usage}
        return Response(orjson.dumps(completion | {"choices": [choice]}), media_type="application/json")

    def _answer(self, asked: "_Asked") -> Part:
        if asked.subject is None and asked.schema in DISCOVERY:
            return DISCOVERY[asked.schema](self._library, asked.context, self._size)
        world = self._library.about(asked.subject) if asked.subject is not None else None
        if world is None:
            raise NoOtherAnswer(self._unknown())
        return answer(world, asked.schema, asked.context, again=asked.again)


@dataclass(frozen=True, slots=True)
class _Asked:
    schema: str
    context: dict[str, Any]
    subject: Subject | None
    again: bool
    tokens: int
    """The length of the whole request."""


def _asked(body: bytes) -> tuple[str, _Asked | None]:
    """The model that is asked, and the question; None when it is no structured one."""
    model = ""
    try:
        request = orjson.loads(body)
        model, messages = str(request.get("model", "")), request["messages"]
        question = orjson.loads(_BLOCK.findall(messages[1]["content"])[-1])
        schema, context = question["schema"], question["context"]
        subject = Subject.model_validate(context[SUBJECT]) if SUBJECT in context else None
    except (ValueError, KeyError, IndexError, TypeError, AttributeError):
        return model, None
    return model, _Asked(schema, context, subject, len(messages) > 2, prompt_tokens(messages))


def _refusal(sentence: str) -> Response:
    error = {"message": sentence, "type": "invalid_request_error", "code": NO_OTHER_ANSWER, "param": None}
    return Response(orjson.dumps({"error": error}), status_code=422, media_type="application/json")


def _once_more(body: bytes, receive: Receive) -> Receive:
    """The request as it came, for an app that reads it after this one."""
    left = [body]

    async def again() -> MutableMapping[str, Any]:
        return {"type": "http.request", "body": left.pop(), "more_body": False} if left else await receive()

    return again
