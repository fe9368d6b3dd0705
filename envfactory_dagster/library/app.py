"""The library as an OpenAI-compatible app: a small model that knows the worlds of a folder and nothing else.

Belongs here: whose a request is, the library's or that of others. Does not: what is answered (`answering`), and the
shape it is given (`language.built_in.responses`).
"""

import re
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from typing import Any

import orjson
from fastapi import Request, Response
from fastapi.responses import JSONResponse
from pydantic import ValidationError

from envfactory_dagster.contracts.base import content_hash
from envfactory_dagster.contracts.domain import Size
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.contracts.pool import Subject
from envfactory_dagster.language.built_in.conversation import ChatRequest
from envfactory_dagster.language.built_in.responses import list_models, refuse, respond
from envfactory_dagster.language.wire import NO_OTHER_ANSWER, AsgiApp
from envfactory_dagster.library.answering import NoOtherAnswer, answer
from envfactory_dagster.library.collection import Library
from envfactory_dagster.library.discovery import DISCOVERY
from envfactory_dagster.library.parts import SUBJECT, Part

MODEL = "library"
MINING = ("mining_step", "complexify")
"""Questions whose tokens are not counted: mining ends when it has used those it may use, and did so when the world was
made."""
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
        if scope["method"] == "GET" and scope["path"].endswith("/models"):
            await (await self._models(scope, receive))(scope, receive, send)
            return
        body = await Request(scope, receive).body()
        response = self._response(scope, body)
        if response is not None:
            await response(scope, receive, send)
        elif self._others is not None:
            await self._others(scope, _once_more(body, receive), send)
        else:
            await refuse(422, str(NoOtherAnswer(self._unknown())), NO_OTHER_ANSWER)(scope, receive, send)

    async def _models(self, scope: MutableMapping[str, Any], receive: Receive) -> Response:
        """The library, and after it the models of the others."""
        listed = list_models([MODEL])
        if self._others is not None:
            listed["data"] += await _models_of(self._others, scope, receive)
        return JSONResponse(listed)

    def _unknown(self) -> str:
        known = f"It knows {len(self._library.cards)} worlds and no other; this is about none of them."
        return f"The library answers questions about its worlds only. {known}"

    def _response(self, scope: MutableMapping[str, Any], body: bytes) -> Response | None:
        """None: it is for others."""
        if not scope["path"].endswith("/chat/completions"):
            return None
        try:
            request = ChatRequest.model_validate_json(body)
        except ValidationError as error:
            return refuse(400, _what_is_wrong(error)) if self._others is None else None
        asked = _asked(request)
        try:
            given = self._answer(asked)
        except NoOtherAnswer as refusal:
            is_ours = self._others is None or request.model == MODEL
            return refuse(422, str(refusal), NO_OTHER_ANSWER) if is_ours else None
        except UsageError as damage:
            return refuse(400, str(damage))
        is_mining = asked is not None and asked.schema in MINING
        return respond(request, orjson.dumps(given).decode(), counted=not is_mining)

    def _answer(self, asked: "_Asked | None") -> Part:
        if asked is None:
            raise NoOtherAnswer(self._unknown())
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


def _asked(request: ChatRequest) -> _Asked | None:
    """The question; None when it is no structured one."""
    try:
        question = orjson.loads(_BLOCK.findall(request.messages[1]["content"])[-1])
        schema, context = question["schema"], question["context"]
        subject = Subject.model_validate(context[SUBJECT]) if SUBJECT in context else None
    except (ValueError, KeyError, IndexError, TypeError):
        return None
    return _Asked(schema, context, subject, len(request.messages) > 2)


def _what_is_wrong(error: ValidationError) -> str:
    first = error.errors(include_url=False)[0]
    where = ".".join(map(str, first["loc"])) or "the request"
    return f"This is no chat request: {where}: {first['msg']}."


async def _models_of(app: AsgiApp, scope: MutableMapping[str, Any], receive: Receive) -> list[Any]:
    """The models that another app lists; none where it gives no list."""
    body = b""

    async def keep(message: MutableMapping[str, Any]) -> None:
        nonlocal body
        body += message.get("body", b"")

    await app(scope, _once_more(b"", receive), keep)
    try:
        return list(orjson.loads(body)["data"])
    except (ValueError, KeyError, TypeError):
        return []


def _once_more(body: bytes, receive: Receive) -> Receive:
    """The request as it came, for an app that reads it after this one."""
    left = [body]

    async def again() -> MutableMapping[str, Any]:
        return {"type": "http.request", "body": left.pop(), "more_body": False} if left else await receive()

    return again
