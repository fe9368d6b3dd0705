"""The alpine huts as ground for conversations: golds, hand-written turns, and authors who tell the truth or lie."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson
from fastapi import FastAPI, Request
from pydantic import SecretStr

from envfactory_dagster.contracts.base import content_hash
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.graph import GraphParameter, GraphTool, ToolGraph
from envfactory_dagster.contracts.records import StageRecord
from envfactory_dagster.contracts.synthesis import MadeTask
from envfactory_dagster.contracts.truth import GatedVerifier, ReferenceSolution, TaskGate, Verifier
from envfactory_dagster.language.embedded.author import answer
from envfactory_dagster.language.embedded.conversation import read_question
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Role
from envfactory_dagster.language.settings import LanguageSettings, LimitSettings
from envfactory_dagster.runtime.facts import analyze_tools, load_schema
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.tasks.authored import authored_tasks
from envfactory_dagster.tasks.conversations.identifiers import Internals, names_inside
from envfactory_dagster.tasks.conversations.making import Ground
from envfactory_dagster.tasks.conversations.settings import ConversationSettings
from envfactory_dagster.tasks.conversations.workshop import Workshop
from tests.truth.references import reference

Answer = dict[str, Any]
Spoil = Callable[[str, Answer, Answer], Answer]
"""From schema, context and the right answer to the one that is given."""

PLANS: dict[str, list[tuple[str, int]]] = {
    "call_it_off": [
        (
            "Marek has taken a job in Lisbon, so our weekend at the Schneelahn Hut from 5 February is off: cancel the"
            " stay and our three places on Saturday's touring course",
            6,
        ),
        ("take Marek off the people I travel with", 2),
        ("how much money comes back to me in all?", 2),
    ],
    "last_morning": [
        ("pay everything that is still open for my stay at the Falkenrast Hut by direct debit", 5),
        ("check us out, the via ferrata sets are back on the hook", 1),
        ("leave the hut five stars, saying that the kitchen and the sunrise were worth every step", 1),
        (
            "Jakob thinks he forgot his grey merino hat, the one with the mended seam, at the Silbersee Hut in June: if"
            " they have found it, claim it for us and let them send it by post",
            2,
        ),
    ],
    "nephew_alone": [
        (
            "my nephew Felix is fifteen and dying to do the snowshoe loop of the Tannkogel on Saturday, 13 February."
            " Please sign him up on his own. If the club doesn't take him alone, don't book anything and tell me how"
            " old he would have to be",
            3,
        ),
    ],
}


@dataclass
class Author:
    """The embedded author with turns written by hand, and with whatever a test makes of its answers."""

    spoil: Spoil = field(default=lambda schema, context, right: right)
    asked: list[tuple[str, Answer]] = field(default_factory=list)

    def app(self) -> FastAPI:
        app = FastAPI()

        @app.post("/v1/chat/completions")
        async def chat(request: Request) -> Answer:
            body = await request.json()
            question = read_question(body["messages"])
            schema, context = question.schema, question.context
            self.asked.append((schema, context))
            given = self.spoil(schema, context, self._right(schema, context))
            message = {"role": "assistant", "content": orjson.dumps(given).decode()}
            choice = {"index": 0, "finish_reason": "stop", "message": message}
            usage = {"prompt_tokens": 1, "completion_tokens": 1}
            kind = {"id": "1", "object": "chat.completion", "created": 0, "model": "author"}
            return kind | {"choices": [choice], "usage": usage}

        return app

    def _right(self, schema: str, context: Answer) -> Answer:
        right = answer(schema, context, 0).model_dump(mode="json")
        if schema == "conversation_plan":
            turns = PLANS[context["task"]["id"]]
            right["turns"] = [{"goal": goal, "calls": calls} for goal, calls in turns]
        return right


def ground_of(huts: Bundle) -> Ground:
    facts = analyze_tools(huts.tools_source, huts.schema_sql)
    return Ground(huts, Internals(), facts, names_inside(huts, list(load_schema(huts.schema_sql).tables)))


async def parents_of(runtime: Runtime, huts: Bundle, *names: str) -> list[MadeTask]:
    golds = [await reference(runtime, huts, task) for task in huts.tasks if task.id in names]
    return authored_tasks(huts, golds, [gated(huts, gold) for gold in golds], ground_of(huts).facts)


def gated(huts: Bundle, gold: ReferenceSolution) -> GatedVerifier:
    """The hand-written verifier, whose trials are other tests' business."""
    verifier = Verifier(task=gold.task, source=huts.verifiers[gold.task])
    return GatedVerifier(verifier=verifier, gate=TaskGate(task=gold.task, trials=[], passed=True))


def graph_of(huts: Bundle) -> ToolGraph:
    """The tools with their parameters, ids being internal, and no edges."""
    tools = [
        GraphTool(
            name=tool.name,
            principal=tool.principal,
            read_only=tool.annotations.readOnlyHint,
            parameters=[
                GraphParameter(name=name, required=False, internal=name.endswith("_id"))
                for name in tool.inputSchema.get("properties", {})
            ],
            outputs=[],
        )
        for tool in huts.tools
    ]
    return ToolGraph(tools=tools, edges=[])


def record_of(stage: str, partition: str, artifact: Answer) -> StageRecord:
    version = content_hash(artifact)
    return StageRecord(
        stage=stage, partition=partition, status="ok", inputs=version, version=version, artifact=artifact
    )


@asynccontextmanager
async def gateway_to(author: Author, folder: Path) -> AsyncIterator[Gateway]:
    settings = LanguageSettings(
        base_url="http://model/v1",
        api_key=SecretStr("none"),
        limits=LimitSettings(backoff_s=0.001),
        models=dict.fromkeys(Role, "author"),
    )
    async with Gateway(settings, folder, app=author.app()) as gateway:
        yield gateway


def workshop(gateway: Gateway, runtime: Runtime, huts: Bundle, attempts: int = 2, **settings: Any) -> Workshop:
    return Workshop(gateway, runtime, ground_of(huts), attempts, ConversationSettings(**settings))
