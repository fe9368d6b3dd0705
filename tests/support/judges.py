"""The built-in model as a judge whose answers a test may change."""

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from pydantic import SecretStr

from envfactory_dagster.language.built_in.conversation import ParsedQuestion, read_question
from envfactory_dagster.language.built_in.skills import answer as right_answer
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.settings import LanguageSettings


@asynccontextmanager
async def judged_by(app: FastAPI, folder: Path) -> AsyncIterator[Gateway]:
    settings = LanguageSettings(base_url="http://model/v1", api_key=SecretStr("none"), default_model="built-in")
    async with Gateway(settings, folder, app=app) as gateway:
        yield gateway


Spoil = Callable[[ParsedQuestion, dict[str, Any]], dict[str, Any]]


def judge(spoil: Spoil) -> FastAPI:
    """The built-in judge, whose answers `spoil` sees and may change."""
    app = FastAPI()

    @app.post("/v1/chat/completions")
    async def chat(request: Request) -> JSONResponse:
        question = read_question((await request.json())["messages"])
        answer = spoil(question, right_answer(question.schema, question.context).model_dump(mode="json"))
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": json.dumps(answer)}}
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        return JSONResponse({"id": "x", "object": "chat.completion", "model": "j", "choices": [choice], "usage": usage})

    return app


def calls_of(tool: str, question: ParsedQuestion) -> list[int]:
    """The numbers of the calls of a tool that the checker is asked to grade; none in any other question."""
    asked = question.context["tools"] if question.schema == "inspection_check" else []
    return [test["number"] for one in asked if one["tool"]["name"] == tool for test in one["observed"]]


def regraded(answer: dict[str, Any], changes: dict[int, dict[str, Any]]) -> dict[str, Any]:
    """The checker's answer with other grades for some calls."""
    if not changes:
        return answer
    return {"tests": [one | changes.get(one["number"], {}) for one in answer["tests"]]}
