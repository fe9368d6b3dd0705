"""What the learning benchmark learns from is made by the model that is set, and belongs to one ground."""

import asyncio
import json
from dataclasses import asdict
from pathlib import Path

import httpx2
import orjson
import pytest
from fastapi import FastAPI, Request, Response

from benchmarks.learning_ground import GroundSettings, prepare
from envfactory_dagster.language.built_in.conversation import read_question
from tests.support.alpine_author import Asked
from tests.support.model import library_model, model_variables, served
from tests.tasks.wording_kit import plain_words


def test_a_folder_that_was_begun_with_another_ground_is_refused(tmp_path: Path) -> None:
    (tmp_path / "settings.json").write_text('{"seed": 0}')
    with pytest.raises(SystemExit, match="Choose another --folder"):
        asyncio.run(prepare(tmp_path, GroundSettings(1, 1, 1)))


def test_a_ground_that_is_finished_is_found_as_it_is(tmp_path: Path) -> None:
    settings = GroundSettings(1, 1, 1)
    (tmp_path / "settings.json").write_text(json.dumps(asdict(settings), indent=1))
    (tmp_path / "ground.json").write_text('{"demonstrations": 3}')
    found = asyncio.run(prepare(tmp_path, settings))
    assert (found.folder, found.figures) == (tmp_path, {"demonstrations": 3})
    assert not found.home.exists(), "nothing is made again"


def author() -> FastAPI:
    """The library, and plain words for what is walked over a tool graph, of which the library knows nothing."""
    app = FastAPI()
    library = httpx2.AsyncClient(
        transport=httpx2.ASGITransport(app=library_model(size="small")), base_url="http://library"
    )

    @app.post("/v1/chat/completions")
    async def chat(request: Request) -> Response:
        body = await request.json()
        question = read_question(body["messages"])
        if question.schema != "graph_task_wording":
            answered = await library.post("/v1/chat/completions", json=body | {"stream": False})
            return Response(answered.content, answered.status_code, media_type="application/json")
        context = {name: value for name, value in question.context.items() if name != "subject"}
        text = orjson.dumps(plain_words(Asked(question.schema, context, []))).decode()
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
        completion = {"id": "x", "object": "chat.completion", "created": 0, "model": "library", "choices": [choice]}
        return Response(orjson.dumps(completion), media_type="application/json")

    return app


def test_every_task_that_is_learned_from_is_demonstrated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with served(author()) as url:
        for name, value in model_variables(url).items():
            monkeypatch.setenv(name, value)
        made = asyncio.run(prepare(tmp_path, GroundSettings(environments=1, tasks=2, seed=1)))
    assert made.figures["environments"] == {"sft": 1}
    assert made.figures["demonstrations"] == made.figures["tasks"]["sft"] == len(made.sft.read_bytes().splitlines()) > 0


def test_without_a_model_there_is_nobody_who_writes_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ENVFACTORY_LLM_BASE_URL", raising=False)
    with pytest.raises(SystemExit, match="ENVFACTORY_LLM_BASE_URL"):
        asyncio.run(prepare(tmp_path, GroundSettings(1, 1, 1)))
