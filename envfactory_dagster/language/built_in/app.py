"""The built-in model as an OpenAI-compatible FastAPI app: chat completions, embeddings, the list of models.

Belongs here: what is asked at which path. Does not: answers (`skills`), and the shape they are given (`responses`).
"""

from pathlib import Path
from typing import Any

import orjson
from fastapi import FastAPI
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict

from envfactory_dagster.contracts.base import content_hash
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.language.built_in.conversation import ChatRequest, count_tokens, read_question
from envfactory_dagster.language.built_in.embedder import embed
from envfactory_dagster.language.built_in.responses import list_models, refuse, respond
from envfactory_dagster.language.built_in.skills import CannotAnswer, answer
from envfactory_dagster.language.settings import BUILT_IN_MODEL
from envfactory_dagster.language.wire import NO_OTHER_ANSWER


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
            return refuse(422, str(error), NO_OTHER_ANSWER)
        except UsageError as error:
            return refuse(400, str(error))
        return respond(request, text)

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
        return list_models([BUILT_IN_MODEL])

    return app
