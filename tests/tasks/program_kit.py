"""Environments to make tasks of by programs, and authors who are asked for them."""

import re
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson
from fastapi import FastAPI, Request, Response
from pydantic import SecretStr

from envfactory_dagster.authoring.settings import AuthoringSettings
from envfactory_dagster.contracts.base import Contract, content_hash
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.database import DatabaseSchema, SeedRows
from envfactory_dagster.contracts.records import StageRecord
from envfactory_dagster.contracts.stages import StageInput, StageOutcome
from envfactory_dagster.contracts.synthesis import MadeTasks
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Role
from envfactory_dagster.language.settings import LanguageSettings, LimitSettings
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.bundles import BundleStore
from envfactory_dagster.store.home import Home
from envfactory_dagster.tasks.program_tasks.settings import ProgramTaskSettings
from envfactory_dagster.tasks.program_tasks.stage import ProgramTasksStage
from tests.support.alpine_author import Answer, Asked

Answers = Callable[[Asked], Answer]


@dataclass(frozen=True)
class Built:
    """An environment with the parts of it that the stage reads."""

    bundle: Bundle
    schema: DatabaseSchema
    seed: SeedRows


def nothing_against(asked: Asked) -> Answer:
    """A review of tasks that lets them all pass."""
    return {"tasks": [{"task": one["task"]} for one in asked.context["tasks"]]}


def all_natural(asked: Asked) -> Answer:
    """A reading of tasks in which nothing is odd."""
    return read_as(asked, {})


def read_as(asked: Asked, oddities: Mapping[str, str], verdict: str = "wrong") -> Answer:
    """A reading in which the tasks of these texts are wrong, or odd."""
    said = [(one["task"], oddities.get(one["text"], "")) for one in asked.context["tasks"]]
    return {"tasks": [{"task": t, "verdict": verdict if odd else "natural", "oddity": odd} for t, odd in said]}


def answering(answers: Answers, review: Answers = nothing_against, reading: Answers = all_natural) -> FastAPI:
    """An OpenAI-compatible model that gives these answers."""
    app = FastAPI(title="scripted author")
    readers = {"task_review": review, "task_reading": reading}

    @app.post("/v1/chat/completions")
    async def chat(request: Request) -> Response:
        _, first, *rest = (await request.json())["messages"]
        question = orjson.loads(re.findall(r"```json\n(.*)\n```", first["content"])[-1])
        reports = [message["content"] for message in rest if message["role"] == "user"]
        asked = Asked(question["schema"], question["context"], reports)
        text = orjson.dumps(readers.get(asked.schema, answers)(asked)).decode()
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
        usage = {"prompt_tokens": 100, "completion_tokens": 50, "total_tokens": 150}
        completion = {"id": "x", "object": "chat.completion", "created": 0, "model": "scripted", "usage": usage}
        return Response(orjson.dumps(completion | {"choices": [choice]}), media_type="application/json")

    return app


@asynccontextmanager
async def gateway_of(
    folder: Path, answers: Answers, review: Answers = nothing_against, reading: Answers = all_natural
) -> AsyncIterator[Gateway]:
    """A model that gives these answers; embeddings are the built-in embedder's."""
    language = LanguageSettings(
        base_url="http://model/v1",
        api_key=SecretStr("none"),
        limits=LimitSettings(backoff_s=0.001),
        models={role: "author" for role in Role if role is not Role.EMBEDDER},
    )
    async with Gateway(language, folder, app=answering(answers, review, reading)) as gateway:
        yield gateway


@dataclass(frozen=True)
class Made:
    """What the stage gave back."""

    outcome: StageOutcome

    @property
    def tasks(self) -> MadeTasks:
        return MadeTasks.model_validate(self.outcome.artifact)


async def make(
    gateway: Gateway,
    runtime: Runtime,
    folder: Path,
    built: Built,
    wanted: ProgramTaskSettings,
    attempts: int = 3,
) -> Made:
    """The stage over a home that holds this environment."""
    bundles = BundleStore(Home.resolve(folder))
    bundles.keep(built.bundle)
    stage = ProgramTasksStage(gateway, runtime, AuthoringSettings(attempts=attempts), bundles, wanted)
    parents = {
        "environment": _record("environment", {"version": built.bundle.version}),
        "database_schema": _record("database_schema", built.schema),
        "seed_rows": _record("seed_rows", built.seed),
    }
    return Made(await stage.make(StageInput(built.bundle.key, parents)))


def _record(stage: str, made: Contract | dict[str, Any]) -> StageRecord:
    artifact = made.model_dump(mode="json") if isinstance(made, Contract) else made
    version = content_hash(artifact)
    return StageRecord(stage=stage, partition="any", status="ok", inputs=version, version=version, artifact=artifact)
