"""Responses in the shapes of the OpenAI API: an answer, whole or in pieces, a refusal, a list of models.

Belongs here: what the built-in model and the library answer alike. Does not: what they answer (`skills`,
`library.answering`), or which path is asked (`app`).
"""

from collections.abc import AsyncIterator
from typing import Any

import orjson
from fastapi.responses import JSONResponse, Response, StreamingResponse

from envfactory_dagster.contracts.base import content_hash
from envfactory_dagster.language.built_in.conversation import ChatRequest, count_tokens, prompt_tokens

_CHUNK = 2_000


def respond(request: ChatRequest, text: str, *, counted: bool = True) -> Response:
    """The text as the answer to a chat request: `n` times where that many are asked for, and streamed where that is.
    `counted`: otherwise it says that it took one token to ask and one to answer, the least that is believed."""
    times = request.n or 1
    kind = {"id": "chatcmpl-" + content_hash(request.messages)[:24], "created": 0, "model": request.model}
    read, written = (prompt_tokens(request.messages), times * count_tokens(text)) if counted else (1, 1)
    usage = {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}
    if request.stream:
        told = usage if request.stream_options and request.stream_options.get("include_usage") else None
        return StreamingResponse(_events(kind, text, times, told), media_type="text/event-stream")
    message = {"role": "assistant", "content": text}
    choices = [{"index": index, "message": message, "finish_reason": "stop"} for index in range(times)]
    return JSONResponse({"object": "chat.completion", "choices": choices, "usage": usage} | kind)


async def _events(kind: dict[str, Any], text: str, times: int, usage: dict[str, Any] | None) -> AsyncIterator[bytes]:
    """The answer as server-sent events, in pieces, with usage at the end where it is given."""

    def event(choices: list[dict[str, Any]], **more: Any) -> bytes:
        return b"data: " + orjson.dumps({"object": "chat.completion.chunk", "choices": choices} | kind | more) + b"\n\n"

    for index in range(times):
        yield event([{"index": index, "delta": {"role": "assistant", "content": ""}, "finish_reason": None}])
        for start in range(0, len(text), _CHUNK):
            piece = text[start : start + _CHUNK]
            yield event([{"index": index, "delta": {"content": piece}, "finish_reason": None}])
        yield event([{"index": index, "delta": {}, "finish_reason": "stop"}])
    if usage is not None:
        yield event([], usage=usage)
    yield b"data: [DONE]\n\n"


def refuse(status: int, sentence: str, code: str | None = None) -> Response:
    error = {"message": sentence, "type": "invalid_request_error", "code": code, "param": None}
    return JSONResponse({"error": error}, status_code=status)


def list_models(names: list[str]) -> dict[str, Any]:
    models = [{"id": name, "object": "model", "created": 0, "owned_by": "envfactory"} for name in names]
    return {"object": "list", "data": models}
