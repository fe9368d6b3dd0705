"""The built-in model as an OpenAI-compatible FastAPI app: chat completions, embeddings, the list of models.

Belongs here: HTTP and the shapes of the OpenAI API. Does not: answers (`skills`).
"""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import orjson
from fastapi import FastAPI
from fastapi.responses import JSONResponse, Response, StreamingResponse
from pydantic import BaseModel, ConfigDict

from envfactory_dagster.contracts.base import content_hash
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.language.built_in.conversation import ChatRequest, count_tokens, prompt_tokens, read_question
from envfactory_dagster.language.built_in.embedder import embed
from envfactory_dagster.language.built_in.skills import CannotAnswer, answer
from envfactory_dagster.language.settings import BUILT_IN_MODEL
from envfactory_dagster.language.wire import NO_OTHER_ANSWER

_CHUNK = 2_000


class EmbeddingRequest(BaseModel):
    model_config = ConfigDict(extra="allow")

    input: str | list[str]
    model: str = BUILT_IN_MODEL


def create_app() -> FastAPI:
    # Callers may keep answers under the version: it changes with whatever this model would answer.
    sources = sorted(Path(__file__).parent.glob("*.py"))
    version = content_hash([source.read_text() for source in sources])[:12]
    app = FastAPI(title="envfactory built-in model", version=version, docs_url=None, redoc_url=None)

    @app.post("/v1/chat/completions")
    async def chat(request: ChatRequest) -> Response:
        try:
            question = read_question(request.messages)
            text = orjson.dumps(answer(question.schema, question.context).model_dump(mode="json")).decode()
        except CannotAnswer as error:
            return _error(422, str(error), NO_OTHER_ANSWER)
        except UsageError as error:
            return _error(400, str(error), None)
        kind = {"id": "chatcmpl-" + content_hash(request.messages)[:24], "created": 0, "model": request.model}
        usage = _usage(request, text)
        if request.stream:
            return StreamingResponse(_events(request, kind, text, usage), media_type="text/event-stream")
        message = {"role": "assistant", "content": text}
        choices = [{"index": index, "message": message, "finish_reason": "stop"} for index in range(request.n)]
        return JSONResponse({"object": "chat.completion", "choices": choices, "usage": usage} | kind)

    @app.post("/v1/embeddings")
    async def embeddings(request: EmbeddingRequest) -> Response:
        texts = [request.input] if isinstance(request.input, str) else request.input
        data = [{"object": "embedding", "index": i, "embedding": embed(text)} for i, text in enumerate(texts)]
        tokens = sum(map(count_tokens, texts))
        usage = {"prompt_tokens": tokens, "total_tokens": tokens}
        body = {"object": "list", "data": data, "model": request.model, "usage": usage}
        return Response(orjson.dumps(body), media_type="application/json")

    @app.get("/v1/models")
    async def models() -> dict[str, Any]:
        listed = {"id": BUILT_IN_MODEL, "object": "model", "created": 0, "owned_by": "envfactory"}
        return {"object": "list", "data": [listed]}

    return app


async def _events(request: ChatRequest, kind: dict[str, Any], text: str, usage: dict[str, Any]) -> AsyncIterator[bytes]:
    """The answer as server-sent events, in pieces, with usage at the end when it was asked for."""

    def event(choices: list[dict[str, Any]], **more: Any) -> bytes:
        return b"data: " + orjson.dumps({"object": "chat.completion.chunk", "choices": choices} | kind | more) + b"\n\n"

    for index in range(request.n):
        yield event([{"index": index, "delta": {"role": "assistant", "content": ""}, "finish_reason": None}])
        for start in range(0, len(text), _CHUNK):
            piece = text[start : start + _CHUNK]
            yield event([{"index": index, "delta": {"content": piece}, "finish_reason": None}])
        yield event([{"index": index, "delta": {}, "finish_reason": "stop"}])
    if request.stream_options and request.stream_options.get("include_usage"):
        yield event([], usage=usage)
    yield b"data: [DONE]\n\n"


def _usage(request: ChatRequest, text: str) -> dict[str, int]:
    read, written = prompt_tokens(request.messages), request.n * count_tokens(text)
    return {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}


def _error(status: int, message: str, code: str | None) -> Response:
    error = {"message": message, "type": "invalid_request_error", "code": code, "param": None}
    return JSONResponse({"error": error}, status_code=status)
