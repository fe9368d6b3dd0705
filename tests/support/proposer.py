"""A scripted model that proposes worlds: one for each source that names one, and inventions from a written list.

Belongs here: answers to `theme_proposals`, `crud_suitability` and `task_filter`, the same to the same question. Does
not: anything about an environment (`alpine_author`, the library).
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any
from zlib import crc32

import orjson
from fastapi import FastAPI, Request, Response
from pydantic import SecretStr

from envfactory_dagster.language.messages import Role
from envfactory_dagster.language.settings import LanguageSettings, LimitSettings
from tests.support.alpine_author import Answer

MODEL = "proposer"
ONLY_WRITES = re.compile(r"poem|translation", re.IGNORECASE)
"""Of a world: it makes texts, and keeps no records."""
NO_SERVICE = ("general", "coding", "math")
"""What the samples call tasks that belong nowhere."""
_TRADES = Path(__file__).with_name("trades.txt")
_FIELD = re.compile(r"^(name|title|category|domain|environment): (.+)$", re.MULTILINE)


def proposer(spoil: str | None = None) -> FastAPI:
    """An OpenAI-compatible app. `app.state.asked` counts the questions. `spoil`: it says this and nothing else."""
    app = FastAPI(title="scripted proposer")
    app.state.asked = 0

    @app.post("/v1/chat/completions")
    async def chat(request: Request) -> Response:
        app.state.asked += 1
        body = await request.json()
        question = orjson.loads(re.findall(r"```json\n(.*)\n```", body["messages"][1]["content"])[-1])
        text = orjson.dumps(ANSWERS[question["schema"]](question["context"])).decode() if spoil is None else spoil
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
        usage = {"prompt_tokens": 100, "completion_tokens": 50, "total_tokens": 150}
        completion = {"id": "x", "object": "chat.completion", "created": 0, "model": MODEL, "usage": usage}
        return Response(orjson.dumps(completion | {"choices": [choice]}), media_type="application/json")

    return app


def proposer_settings() -> LanguageSettings:
    """How a gateway in the same process speaks to it. Embeddings are made by the built-in embedder."""
    return LanguageSettings(
        base_url="http://proposer/v1",
        api_key=SecretStr("none"),
        models={role: MODEL for role in Role if role is not Role.EMBEDDER},
        limits=LimitSettings(backoff_s=0.001),
    )


def theme_proposals(context: Answer) -> Answer:
    if context["sources"]:
        return {"proposals": [_read(source, context["known_categories"]) for source in context["sources"]]}
    wanted, known = context["wanted_categories"], context["known_names"]
    new = [one for one in inventions() if one["name"] not in known and (not wanted or one["category"] in wanted)]
    begin = 7 * context["round"] % len(new) if new else 0
    return {"proposals": [*new[begin:], *new[:begin]][: context["count"]]}


def crud_suitability(context: Answer) -> Answer:
    return {"scores": [_scored(proposal) for proposal in context["proposals"]]}


def task_filter(context: Answer) -> Answer:
    return {"tasks": [_sorted(task) for task in context["tasks"]]}


ANSWERS = {"theme_proposals": theme_proposals, "crud_suitability": crud_suitability, "task_filter": task_filter}


@cache
def inventions() -> list[dict[str, Any]]:
    """Worlds of many trades."""
    lines = [line for line in _TRADES.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    columns = [line.split(" | ") for line in lines]
    return [
        {"category": category, "name": name, "description": about, "entities": things.split(", ")}
        for category, name, about, things in columns
    ]


def _read(source: Mapping[str, str], categories: Sequence[str]) -> dict[str, Any]:
    """The world of a source by the name that it gives itself, or by its first words."""
    said = dict(reversed(_FIELD.findall(source["text"])))
    name = said.get("title") or said.get("name") or " ".join(source["text"].partition(":")[0].split()[:8])
    return {
        "name": name.replace("-", " ").capitalize(),
        "category": said.get("category") or categories[crc32(name.encode()) % len(categories)],
        "description": source["text"][:300],
        "entities": ["record"],
        "reference": source["reference"],
    }


def _scored(proposal: Mapping[str, Any]) -> dict[str, Any]:
    if ONLY_WRITES.search(proposal["name"]):
        return {"name": proposal["name"], "score": 0.2, "reason": "It makes texts and keeps no records."}
    return {"name": proposal["name"], "score": 0.9, "reason": "People change what it keeps records of."}


def _sorted(task: Mapping[str, str]) -> dict[str, Any]:
    said = dict(_FIELD.findall(task["text"]))
    place = said.get("domain") or said.get("environment") or ""
    place = "" if place in NO_SERVICE else place
    scores = {"usefulness": 8, "modelability": 8}
    verdict = {"stateful": bool(place), "domain_specific": bool(place), "environment": place.capitalize()}
    return {"reference": task["reference"]} | verdict | scores
