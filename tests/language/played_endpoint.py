"""A real OpenAI-compatible app that plays whatever a test puts on its stage: good answers and every kind of bad one."""

import asyncio
import json
import socket
import threading
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import uvicorn
from fastapi import FastAPI, Request, Response
from fastapi.responses import JSONResponse, StreamingResponse

from envfactory_dagster.language.wire import AsgiApp

Scene = Callable[[dict[str, Any]], Response | Awaitable[Response]]


@dataclass
class PlayedEndpoint:
    """`stage` holds the next scenes, in order; when it is empty, `always` plays."""

    always: Scene
    stage: deque[Scene] = field(default_factory=deque)
    bodies: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    flying: int = 0
    most_flying: int = 0

    @property
    def calls(self) -> int:
        return len(self.bodies)

    def app(self) -> FastAPI:
        app = FastAPI(title="played", version="1")

        @app.post("/v1/chat/completions")
        @app.post("/v1/embeddings")
        async def answer(request: Request) -> Response:
            body = json.loads(await request.body())
            self.bodies.append(body)
            self.headers.append(dict(request.headers))
            self.flying += 1
            self.most_flying = max(self.most_flying, self.flying)
            try:
                scene = self.stage.popleft() if self.stage else self.always
                played = scene(body)
                return played if isinstance(played, Response) else await played
            finally:
                self.flying -= 1

        return app


def says(
    text: str | None,
    *,
    finish: str = "stop",
    tokens: tuple[int, int] | None = (100, 20),
    cached: int = 0,
    **message: Any,
) -> Scene:
    """A completion. `tokens`: counted in and out, or None for an endpoint that does not count."""
    reply: dict[str, Any] = {
        "id": "x",
        "object": "chat.completion",
        "created": 0,
        "model": "played",
        "choices": [
            {"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": text, **message}},
        ],
    }
    if tokens is not None:
        reply["usage"] = {
            "prompt_tokens": tokens[0],
            "completion_tokens": tokens[1],
            "total_tokens": sum(tokens),
            "prompt_tokens_details": {"cached_tokens": cached},
        }
    return sends(reply)


def sends(body: object, status: int = 200, headers: dict[str, str] | None = None) -> Scene:
    return lambda _: JSONResponse(body, status, headers)


def sends_raw(body: str, status: int = 200, kind: str = "application/json") -> Scene:
    return lambda _: Response(body, status, media_type=kind)


def fails(status: int, message: str = "not now", headers: dict[str, str] | None = None) -> Scene:
    return sends({"error": {"message": message}}, status, headers)


def cut_off(_: dict[str, Any]) -> Response:
    """Promises more bytes than it sends, so the connection breaks in the middle of the body."""

    async def some() -> AsyncIterator[bytes]:
        yield b'{"choices": [{"mess'

    return StreamingResponse(some(), headers={"content-length": "5000", "content-type": "application/json"})


def chunk(delta: dict[str, Any], finish: str | None = None, **more: Any) -> dict[str, Any]:
    """A piece of a streamed completion."""
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return {"id": "x", "object": "chat.completion.chunk", "model": "played", "choices": [choice], **more}


def counts(tokens_in: int, tokens_out: int, **more: Any) -> dict[str, Any]:
    """The last piece of a stream, with what was used."""
    usage = {"prompt_tokens": tokens_in, "completion_tokens": tokens_out, **more}
    return {"object": "chat.completion.chunk", "choices": [], "usage": usage}


DONE = "data: [DONE]\n\n"
HANGS = object()
"""In the place of a piece: nothing comes any more."""
BREAKS = object()
"""In the place of a piece: the connection is closed without a word."""


def streams(*pieces: object, kind: str = "text/event-stream") -> Scene:
    """An answer in pieces: dictionaries are sent as events, texts and bytes as they are, floats are pauses."""

    async def play() -> AsyncIterator[bytes]:
        for piece in pieces:
            if piece is BREAKS:
                raise ConnectionError("the played endpoint closes the connection")
            if piece is HANGS:
                await asyncio.Event().wait()
            if isinstance(piece, float):
                await asyncio.sleep(piece)
            elif isinstance(piece, bytes):
                yield piece
            else:
                yield (piece if isinstance(piece, str) else f"data: {json.dumps(piece)}\n\n").encode()

    return lambda _: StreamingResponse(play(), media_type=kind)


async def never_ends(_: dict[str, Any]) -> Response:
    await asyncio.Event().wait()
    raise AssertionError("unreachable")


def embeds(body: dict[str, Any]) -> Response:
    """A vector that depends on the text alone: the counts of a few letters."""
    data = [
        {"index": i, "object": "embedding", "embedding": [text.count(c) + 0.1 for c in "aeiost "]}
        for i, text in enumerate(body["input"])
    ]
    return JSONResponse({"object": "list", "data": data[::-1], "usage": {"prompt_tokens": 7, "total_tokens": 7}})


@contextmanager
def served(app: FastAPI | AsgiApp) -> Iterator[str]:
    """The app on a loopback port, as a base URL."""
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen()  # who asks before the server has begun waits
    config = uvicorn.Config(app, log_level="critical", lifespan="off", timeout_graceful_shutdown=0)
    config.timeout_keep_alive = 600  # on a busy machine a connection would be closed while it is taken up again
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/v1"
    finally:
        server.should_exit = True
        thread.join()
        listener.close()
