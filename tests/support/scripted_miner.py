"""A scripted model that mines: it gives one action after the other, whatever it is shown, through the real gateway.

Belongs here: the app, and the right actions for a small folder. Does not: judging anything.
"""

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import orjson
from fastapi import FastAPI, Request, Response

from envfactory_dagster.sources.local_folder import DocumentFolder
from envfactory_dagster.sources.shelf import Shelf

Action = dict[str, Any]
Instead = Callable[[str, dict[str, Any]], dict[str, Any] | None]
"""From a question and its context to another answer than the script's."""

FINISH: Action = {"do": "finish"}


def scripted_miner(
    rounds: Sequence[Sequence[Action]],
    wishes: Sequence[Sequence[Action]] = (),
    instead: Instead | None = None,
    tokens: int = 150,
) -> FastAPI:
    """`rounds`: the actions of each round, the last of which is repeated; `wishes`: what each round of growth asks for;
    `tokens`: what an answer takes. `app.state.asked` keeps every question that it answers."""
    app = FastAPI(title="scripted miner")
    app.state.asked = []

    def answer(schema: str, context: dict[str, Any]) -> dict[str, Any] | None:
        app.state.asked.append((schema, context))
        if instead is not None and (given := instead(schema, context)) is not None:
            return given
        if schema == "mining_step":
            script = rounds[context["round"]]
            action = script[min(context["step"], len(script)) - 1]
            return {"thought": "As it was written.", "action": action}
        if schema == "complexify" and context["round"] <= len(wishes):
            return {"operations": list(wishes[context["round"] - 1])}
        return None

    @app.post("/v1/chat/completions")
    async def chat(request: Request) -> Response:
        messages = (await request.json())["messages"]
        question = orjson.loads(re.findall(r"```json\n(.*)\n```", messages[1]["content"])[-1])
        given = answer(question["schema"], question["context"])
        if given is None:
            error = {"message": "this script holds no answer to it", "code": "no_other_answer"}
            return Response(orjson.dumps({"error": error}), status_code=422, media_type="application/json")
        message = {"role": "assistant", "content": orjson.dumps(given).decode()}
        choice = {"index": 0, "finish_reason": "stop", "message": message}
        usage = {"prompt_tokens": tokens - 50, "completion_tokens": 50, "total_tokens": tokens}
        completion = {"id": "x", "object": "chat.completion", "created": 0, "model": "scripted", "usage": usage}
        return Response(orjson.dumps(completion | {"choices": [choice]}), media_type="application/json")

    return app


def field(name: str, type: str = "text", **more: Any) -> dict[str, Any]:
    return {"name": name, "type": type, "meaning": f"The {name.replace('_', ' ')}.", **more}


def collection(name: str, *fields: dict[str, Any], purpose: str = "") -> dict[str, Any]:
    """The first field is the key."""
    listed = list(fields)
    return {"name": name, "purpose": purpose or f"One of the {name}.", "key": listed[0]["name"], "fields": listed}


def take(document: str, plan: dict[str, Any], table: int = 1, **columns: str) -> Action:
    return {"do": "take_rows", "document": document, "table": table, "columns": columns, "collection": plan}


def shelf_of(folder: Path) -> Shelf:
    return Shelf(DocumentFolder(folder))
