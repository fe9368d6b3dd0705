"""What a language model once answered, served again: environments as they were accepted. Of what was refused before,
only one answer is left, a function of the day nursery.

Belongs here: reading a recording, and an OpenAI-compatible app that gives its answers back. Does not: judging them.
"""

import gzip
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson
from fastapi import FastAPI, Request, Response

from envfactory_dagster.contracts.domain import Size
from envfactory_dagster.contracts.pool import PooledProposal
from envfactory_dagster.language.wire import NO_OTHER_ANSWER

FOLDER = Path(__file__).parent.parent / "authoring" / "recorded"


@dataclass(frozen=True)
class Recording:
    """One environment: what it was made from, every answer to every question, and how many attempts each stage took."""

    proposal: PooledProposal
    size: Size
    attempts: dict[str, int]
    answers: dict[str, dict[str, list[Any]]]
    """Schema name → what of it was asked for → the answers, in the order they were given."""

    @property
    def until(self) -> str:
        """The last stage that was recorded."""
        return "verifiers" if "verifier" in self.answers else "environment"

    @classmethod
    def read(cls, path: Path) -> "Recording":
        found = orjson.loads(gzip.decompress(path.read_bytes()))
        return cls(PooledProposal.model_validate(found.pop("proposal")), **found)


def recordings() -> list[Path]:
    return sorted(FOLDER.glob("*.json.gz"))


def recorded_author(recording: Recording) -> FastAPI:
    """The model once more: the nth time it is asked for something it gives the nth answer that it gave then."""
    app = FastAPI(title="recorded author")
    asked: Counter[tuple[str, str]] = Counter()

    def again(schema: str, part: str) -> Any:
        asked[schema, part] += 1
        return recording.answers[schema][part][asked[schema, part] - 1]

    def assembled(schema: str, context: dict[str, Any]) -> Any:
        """The answer of its smallest parts: one function after the other, or what belongs to each of some tasks."""
        if schema == "server_code":
            return {"functions": [again(schema, name) for name in context["wanted"]]}
        if schema == "reference_solutions":
            tasks = [task["id"] for task in context["tasks"]]
            return {"solutions": [{"task": task, **again("reference_solution", task)} for task in tasks]}
        if schema == "verifiers":
            tasks = [one["task"]["id"] for one in context["tasks"]]
            return {"verifiers": [{"task": task, **again("verifier", task)} for task in tasks]}
        if schema == "task_review":  # asked since; nothing is said against what was accepted then
            return {"tasks": [{"task": one["task"]} for one in context["tasks"]]}
        if schema == "task_reading":
            return {"tasks": [{"task": one["task"], "verdict": "natural"} for one in context["tasks"]]}
        if schema in ("trade_review", "rows_review"):
            return {"findings": []}
        if schema == "free_messages":  # asked since as well
            return {"tasks": []}
        return again(schema, context.get("state", ""))

    @app.post("/v1/chat/completions")
    async def chat(request: Request) -> Response:
        messages = (await request.json())["messages"]
        question = orjson.loads(re.findall(r"```json\n(.*)\n```", messages[1]["content"])[-1])
        schema, context = question["schema"], question["context"]
        try:
            text = orjson.dumps(assembled(schema, context)).decode()
        except (KeyError, IndexError):
            error = {"message": "the model was never asked for this, or not so often", "code": NO_OTHER_ANSWER}
            return Response(orjson.dumps({"error": error}), status_code=400, media_type="application/json")
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
        usage = {"prompt_tokens": 100, "completion_tokens": 50, "total_tokens": 150}
        completion = {"id": "x", "object": "chat.completion", "created": 0, "model": "recorded", "usage": usage}
        return Response(orjson.dumps(completion | {"choices": [choice]}), media_type="application/json")

    return app
