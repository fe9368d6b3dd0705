"""What a language model once answered, served again: environments as they were accepted. Of what was refused before,
only one answer is left, a function of the day nursery.

Belongs here: reading a recording, and an OpenAI-compatible app that gives its answers back. Does not: judging them.
"""

import gzip
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson
from fastapi import FastAPI, Request, Response

from envfactory_dagster.contracts.domain import Size
from envfactory_dagster.contracts.pool import PooledProposal

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

    def again(schema: str, part: str, context: dict[str, Any]) -> Any:
        if schema == "task_review":  # asked since; nothing is said against what was accepted then
            return {"tasks": [{"task": one["task"]} for one in context["tasks"]]}
        asked[schema, part] += 1
        return recording.answers[schema][part][asked[schema, part] - 1]

    @app.post("/v1/chat/completions")
    async def chat(request: Request) -> Response:
        messages = (await request.json())["messages"]
        question = orjson.loads(re.findall(r"```json\n(.*)\n```", messages[1]["content"])[-1])
        schema, context = question["schema"], question["context"]
        try:
            given = [again(schema, part, context) for part in _parts(context)]
        except (KeyError, IndexError):
            return Response("the model was never asked for this, or not so often", status_code=400)
        text = orjson.dumps({"functions": given} if schema == "server_code" else given[0]).decode()
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
        usage = {"prompt_tokens": 100, "completion_tokens": 50, "total_tokens": 150}
        completion = {"id": "x", "object": "chat.completion", "created": 0, "model": "recorded", "usage": usage}
        return Response(orjson.dumps(completion | {"choices": [choice]}), media_type="application/json")

    return app


def _parts(context: dict[str, Any]) -> Iterator[str]:
    """What is asked for: the rows of one state, one function after the other, what belongs to a task, or the whole."""
    task = context["task"]["id"] if "task" in context else ""
    yield from context.get("wanted") or [context.get("state", task)]
