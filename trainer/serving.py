"""A policy behind an OpenAI-compatible address, for whoever measures it or plays with it: `python -m trainer serve`.

Belongs here: chat completions in and out. Does not: writing (`sampling`), and what the text says (`rendering`).

What a request does not say is as in the recipe: its temperature, and how long a message and its context may be.
"""

import json
import os
import secrets
import threading
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
import uvicorn
from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response, StreamingResponse
from pydantic import BaseModel, ConfigDict, Field

from envfactory_dagster.language.messages import AnswerUnusable, ChatAnswer
from envfactory_dagster.runtime.gateway.serving import listen

from .evaluate import identity
from .failures import RecipeError
from .policies import LoadedPolicy, load
from .recipe import Grpo, Recipe
from .sampling import PolicyModel, Sampling, Written, generate


class StreamOptions(BaseModel):
    include_usage: bool = False


class ChatRequest(BaseModel):
    """What is read of a request; what else there is changes nothing."""

    model_config = ConfigDict(extra="ignore")

    model: str
    messages: list[dict[str, Any]] = Field(min_length=1)
    tools: list[dict[str, Any]] = []
    temperature: float | None = Field(default=None, ge=0.0)
    top_p: float = Field(default=1.0, gt=0.0, le=1.0)
    top_k: int | None = Field(default=None, ge=-1)
    """0 and -1, as vLLM has it: all."""
    max_tokens: int | None = Field(default=None, ge=1)
    max_completion_tokens: int | None = Field(default=None, ge=1)
    seed: int | None = None
    n: int = Field(default=1, ge=1, le=1)
    logprobs: bool = False
    return_token_ids: bool = False
    response_format: None = None
    """A policy that writes what it likes cannot keep to one."""
    stream: bool = False
    stream_options: StreamOptions = StreamOptions()

    def sampling(self, usual: Grpo) -> Sampling:
        asked = self.max_completion_tokens or self.max_tokens or usual.most_new_tokens
        return Sampling(
            temperature=usual.temperature if self.temperature is None else self.temperature,
            most_new_tokens=min(asked, usual.most_new_tokens),
            longest=usual.longest,
            most_at_once=usual.in_flight,
            top_p=self.top_p,
            top_k=self.top_k if self.top_k and self.top_k > 0 else None,
        )


@dataclass(slots=True)
class ServedPolicy:
    """Requests that are sampled alike are written together."""

    policy: LoadedPolicy
    name: str
    usual: Grpo
    _models: dict[Sampling, PolicyModel] = field(default_factory=dict)
    _asking: Counter[Sampling] = field(default_factory=Counter)
    _writing: threading.Lock = field(default_factory=threading.Lock)

    async def answer(self, asked: ChatRequest) -> ChatAnswer:
        sampling = asked.sampling(self.usual)
        model = self._models.setdefault(sampling, PolicyModel(self.policy, sampling, self.name, self._write))
        self._asking[sampling] += 1
        try:
            seed = secrets.randbelow(2**31) if asked.seed is None else asked.seed
            return await model.answer(asked.messages, asked.tools, seed)
        finally:
            self._asking[sampling] -= 1
            if not self._asking[sampling]:
                del self._asking[sampling], self._models[sampling]
                await model.close()

    def _write(self, batch: Sequence[tuple[list[int], int]], sampling: Sampling) -> list[Written]:
        with self._writing:
            return generate(self.policy, batch, sampling)


def run_serve(recipe: Recipe, policy: Path | None, host: str, port: int) -> None:
    """Until a signal ends it. The first line it prints is JSON: the address, and the model's name."""
    base = str(policy) if policy is not None else recipe.policy.base
    loaded = load(recipe.policy.model_copy(update={"base": base, "lora": None}), recipe.precision)
    loaded.model.to("cuda" if torch.cuda.is_available() else "cpu")
    served = ServedPolicy(loaded, identity(Path(base)), recipe.grpo)
    listening = listen(host, port)
    listening.listen()  # who is told the address may ask at once
    url = f"http://{f'[{host}]' if ':' in host else host}:{listening.getsockname()[1]}/v1"
    print(json.dumps({"url": url, "model": served.name, "pid": os.getpid()}), flush=True)
    config = uvicorn.Config(serving_app(served), log_level="warning", lifespan="off", access_log=False)
    uvicorn.Server(config).run(sockets=[listening])


def serving_app(served: ServedPolicy) -> FastAPI:
    app = FastAPI(title="policy", version="1", openapi_url=None)

    @app.get("/v1/models")
    async def models() -> dict[str, Any]:
        return {"object": "list", "data": [{"id": served.name, "object": "model", "created": 0, "owned_by": "trainer"}]}

    @app.post("/v1/chat/completions")
    async def complete(asked: ChatRequest) -> Response:
        if asked.model != served.name:
            return _refused(404, f"There is no model {asked.model!r} here, but {served.name!r}.")
        try:
            answer = await served.answer(asked)
        except AnswerUnusable as too_long:
            return _refused(400, str(too_long), "context_length_exceeded")
        except RecipeError as unreadable:
            return _refused(400, str(unreadable))
        if asked.stream:
            return StreamingResponse(_pieces(answer, asked), media_type="text/event-stream")
        return JSONResponse(_whole(answer, asked))

    @app.exception_handler(RequestValidationError)
    async def invalid(_: object, error: RequestValidationError) -> Response:
        said = "; ".join(f"{'.'.join(map(str, one['loc'][1:]))}: {one['msg']}" for one in error.errors())
        return _refused(400, said)

    return app


def _refused(status: int, message: str, code: str = "invalid_request_error") -> Response:
    return JSONResponse({"error": {"message": message, "type": "invalid_request_error", "code": code}}, status)


def _usage(answer: ChatAnswer) -> dict[str, int]:
    used = answer.usage
    return {
        "prompt_tokens": used.tokens_in,
        "completion_tokens": used.tokens_out,
        "total_tokens": used.tokens_in + used.tokens_out,
    }


def _head(answer: ChatAnswer, kind: str) -> dict[str, Any]:
    return {"id": f"chatcmpl-{secrets.token_hex(8)}", "object": kind, "created": 0, "model": answer.model}


def _whole(answer: ChatAnswer, asked: ChatRequest) -> dict[str, Any]:
    [written] = answer.choices
    choice: dict[str, Any] = {"index": 0, "message": written.message, "finish_reason": written.finish_reason}
    if asked.logprobs:
        content: list[dict[str, Any]] = [
            {"token": "", "logprob": one, "bytes": None, "top_logprobs": []} for one in written.logprobs or ()
        ]
        choice["logprobs"] = {"content": content}
    ids: dict[str, Any] = {}
    if asked.return_token_ids:
        choice["token_ids"] = list(written.token_ids or ())
        ids = {"prompt_token_ids": list(answer.prompt_token_ids or ())}
    return {**_head(answer, "chat.completion"), "choices": [choice], "usage": _usage(answer), **ids}


async def _pieces(answer: ChatAnswer, asked: ChatRequest) -> AsyncIterator[str]:
    """A message is read when it is whole, so that it comes in one piece."""
    head, [written] = _head(answer, "chat.completion.chunk"), answer.choices
    message = dict(written.message)
    calls = message.get("tool_calls")
    if isinstance(calls, list):
        message["tool_calls"] = [{"index": place, **dict(_object(call))} for place, call in enumerate(calls)]
    yield _event({**head, "choices": [{"index": 0, "delta": message, "finish_reason": None}]})
    yield _event({**head, "choices": [{"index": 0, "delta": {}, "finish_reason": written.finish_reason}]})
    if asked.stream_options.include_usage:
        yield _event({**head, "choices": [], "usage": _usage(answer)})
    yield "data: [DONE]\n\n"


def _object(value: Any) -> Mapping[str, Any]:
    assert isinstance(value, Mapping)
    return value


def _event(chunk: Mapping[str, Any]) -> str:
    return f"data: {json.dumps(chunk)}\n\n"
