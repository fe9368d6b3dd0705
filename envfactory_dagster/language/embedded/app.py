"""The embedded model as an OpenAI-compatible FastAPI app: chat completions, embeddings, the list of models.

Belongs here: HTTP and the shapes of the OpenAI API. Does not: answers (`author`) or misbehaviour (`faults`).
"""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import orjson
from fastapi import FastAPI
from fastapi.responses import JSONResponse, Response, StreamingResponse
from pydantic import BaseModel, ConfigDict

from envfactory_dagster.contracts.base import content_hash
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.language.embedded.author import answer
from envfactory_dagster.language.embedded.conversation import (
    ChatRequest,
    Question,
    count_tokens,
    prompt_tokens,
    read_question,
)
from envfactory_dagster.language.embedded.embedder import embed
from envfactory_dagster.language.embedded.faults import Injector, Profile, Reply

MODEL = "embedded"
_CHUNK = 2_000


class EmbeddingRequest(BaseModel):
    model_config = ConfigDict(extra="allow")

    input: str | list[str]
    model: str = MODEL


def create_app(profile: Profile | None = None) -> FastAPI:
    """The app; without a profile, the one in ENVFACTORY_EMBEDDED_FAULTS (none by default)."""
    chosen = profile if profile is not None else Profile.from_environment()
    app = FastAPI(title="envfactory embedded model", version=_version(chosen), docs_url=None, redoc_url=None)
    injector = Injector(chosen)
    app.state.injected = injector.injected

    @app.post("/v1/chat/completions")
    async def chat(request: ChatRequest) -> Response:
        try:
            replies = _replies(injector, request)
        except UsageError as error:
            return _error(400, str(error), "invalid_request_error")
        failed = next((reply for reply in replies if reply.status != 200), None)
        await asyncio.sleep(max(reply.delay for reply in replies))
        if failed is not None:
            headers = {"Retry-After": str(failed.retry_after)} if failed.retry_after is not None else {}
            return _error(failed.status, failed.text, "server_error", headers)
        identity = "chatcmpl-" + content_hash([request.model, request.seed, request.messages])[:24]
        usage = _usage(request, replies)
        if request.stream:
            return StreamingResponse(_events(request, identity, replies, usage), media_type="text/event-stream")
        body = orjson.dumps(_completion(request, identity, replies, usage))
        if any(reply.slow for reply in replies):
            return StreamingResponse(_slowly(body, max(reply.slow for reply in replies)), media_type="application/json")
        return Response(body, media_type="application/json")

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
        return {"object": "list", "data": [{"id": MODEL, "object": "model", "created": 0, "owned_by": "envfactory"}]}

    return app


def _version(profile: Profile) -> str:
    """Changes with whatever this model would answer: callers may keep answers under it."""
    sources = sorted(Path(__file__).parent.rglob("*.py"))
    return content_hash([asdict(profile), *(source.read_text() for source in sources)])[:12]


def _replies(injector: Injector, request: ChatRequest) -> list[Reply]:
    question = read_question(request.messages)
    return [_reply(injector, request, question, index) for index in range(request.n)]


def _reply(injector: Injector, request: ChatRequest, question: Question, index: int) -> Reply:
    seed = request.seed + index
    correct = answer(question.schema, question.context, seed).model_dump(mode="json")
    return injector.reply(request.model, question, seed, correct)


def _completion(request: ChatRequest, identity: str, replies: list[Reply], usage: dict[str, Any]) -> dict[str, Any]:
    choices = [
        {"index": i, "message": {"role": "assistant", "content": reply.text}, "finish_reason": reply.finish_reason}
        for i, reply in enumerate(replies)
    ]
    kind = {"id": identity, "object": "chat.completion", "created": 0, "model": request.model}
    return kind | {"choices": choices, "usage": usage}


async def _events(
    request: ChatRequest, identity: str, replies: list[Reply], usage: dict[str, Any]
) -> AsyncIterator[bytes]:
    """The answer as server-sent events, in pieces, with usage at the end when it was asked for."""
    kind = {"id": identity, "object": "chat.completion.chunk", "created": 0, "model": request.model}

    def event(choices: list[dict[str, Any]], **more: Any) -> bytes:
        return b"data: " + orjson.dumps(kind | {"choices": choices} | more) + b"\n\n"

    for index, reply in enumerate(replies):
        yield event([{"index": index, "delta": {"role": "assistant", "content": ""}, "finish_reason": None}])
        for start in range(0, len(reply.text), _CHUNK):
            await asyncio.sleep(reply.slow)
            piece = reply.text[start : start + _CHUNK]
            yield event([{"index": index, "delta": {"content": piece}, "finish_reason": None}])
        yield event([{"index": index, "delta": {}, "finish_reason": reply.finish_reason}])
    if request.stream_options and request.stream_options.get("include_usage"):
        yield event([], usage=usage)
    yield b"data: [DONE]\n\n"


async def _slowly(body: bytes, pause: float) -> AsyncIterator[bytes]:
    step = max(1, len(body) // 10)
    for start in range(0, len(body), step):
        await asyncio.sleep(pause)
        yield body[start : start + step]


def _usage(request: ChatRequest, replies: list[Reply]) -> dict[str, int]:
    read, written = prompt_tokens(request.messages), sum(count_tokens(reply.text) for reply in replies)
    return {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}


def _error(status: int, message: str, kind: str, headers: dict[str, str] | None = None) -> Response:
    error = {"message": message, "type": kind, "code": None, "param": None}
    return JSONResponse({"error": error}, status_code=status, headers=headers)
