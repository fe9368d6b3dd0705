"""The models of a measurement as an OpenAI-compatible address on the loopback, for harnesses that ask by themselves.

Belongs here: taking their requests, asking the gateway, and remembering what failed. Does not: how the models are asked
(`measurement`). Whatever a harness wants, the measured model is asked as the measurement says: harnesses have decoding
of their own.

    http://127.0.0.1:PORT/TOKEN/EPISODE/ROLE/v1/chat/completions
"""

import asyncio
import secrets
import socket
from collections.abc import AsyncGenerator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import Any

import uvicorn
from fastapi import FastAPI
from fastapi.responses import JSONResponse, Response

from envfactory_dagster.contracts.errors import EnvFactoryError
from envfactory_dagster.language.messages import ChatAnswer
from envfactory_dagster.rollouts.asking import next_message
from envfactory_dagster.rollouts.endings import End
from envfactory_dagster.rollouts.model import Model
from envfactory_dagster.rollouts.reading import read
from envfactory_dagster.rollouts.settings import RolloutSettings


class _Server(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """They are for the process that measures."""
        yield


@dataclass(slots=True)
class Relay:
    models: Mapping[str, Model]
    """Role → who answers."""
    url: str = ""
    seeds: dict[str, int] = field(default_factory=dict)
    """Episode → the seed of its messages."""
    ends: dict[str, tuple[str, End]] = field(default_factory=dict)
    """Episode → which role did not answer in it, and why."""
    broken: EnvFactoryError | None = None
    """What concerns every episode, such as a spent budget."""

    @classmethod
    @asynccontextmanager
    async def opened(cls, models: Mapping[str, Model]) -> AsyncGenerator["Relay", None]:
        relay, token = cls(models), secrets.token_urlsafe(16)
        app = FastAPI(openapi_url=None)
        app.post(f"/{token}/{{episode}}/{{role}}/v1/chat/completions")(relay.answer)
        server = _Server(uvicorn.Config(app, log_level="critical", lifespan="off"))
        with socket.create_server(("127.0.0.1", 0)) as listening:
            relay.url = f"http://127.0.0.1:{listening.getsockname()[1]}/{token}"
            serving = asyncio.create_task(server.serve(sockets=[listening]))
            try:
                yield relay
            finally:
                server.should_exit = True
                await serving

    async def answer(self, episode: str, role: str, body: dict[str, Any]) -> Response:
        """Refusals are of a kind that no client tries again: the gateway has."""
        messages, seconds = body["messages"], RolloutSettings().step_seconds
        try:
            found = await next_message(
                self.models[role], messages, body.get("tools") or [], self.seeds[episode], seconds
            )
        except EnvFactoryError as broken:
            self.broken = broken
            return _refused(str(broken))
        if isinstance(found, End):
            self.ends[episode] = role, found
            return _refused(found.detail)
        return JSONResponse(_completion(found, len(messages)))


def _refused(message: str) -> Response:
    return JSONResponse({"error": {"message": message, "type": "invalid_request_error", "code": None}}, 400)


def _completion(answer: ChatAnswer, number: int) -> dict[str, Any]:
    """Without its reasoning, which is nobody else's business."""
    used = answer.usage
    choice = {"index": 0, "message": read(answer, number).message, "finish_reason": answer.choices[0].finish_reason}
    usage = {
        "prompt_tokens": used.tokens_in,
        "completion_tokens": used.tokens_out,
        "total_tokens": used.tokens_in + used.tokens_out,
    }
    head = {"id": secrets.token_hex(8), "object": "chat.completion", "created": 0, "model": answer.model}
    return {**head, "choices": [choice], "usage": usage}
