"""The embedded model as a judge whose answers a test may change."""

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from pydantic import SecretStr

from envfactory_dagster.language.embedded.author import answer as right_answer
from envfactory_dagster.language.embedded.conversation import Question, read_question
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Role
from envfactory_dagster.language.settings import LanguageSettings


@asynccontextmanager
async def judged_by(app: FastAPI, folder: Path) -> AsyncIterator[Gateway]:
    models = dict.fromkeys(Role, "embedded")
    settings = LanguageSettings(base_url="http://model/v1", api_key=SecretStr("none"), models=models)
    async with Gateway(settings, folder, app=app) as gateway:
        yield gateway


Spoil = Callable[[Question, dict[str, Any]], dict[str, Any]]


def judge(spoil: Spoil) -> FastAPI:
    """The embedded judge, whose answers `spoil` sees and may change."""
    app = FastAPI()

    @app.post("/v1/chat/completions")
    async def chat(request: Request) -> JSONResponse:
        question = read_question((await request.json())["messages"])
        answer = spoil(question, right_answer(question.schema, question.context, 0).model_dump(mode="json"))
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": json.dumps(answer)}}
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        return JSONResponse({"id": "x", "object": "chat.completion", "model": "j", "choices": [choice], "usage": usage})

    return app
