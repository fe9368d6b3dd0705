"""A model behind an endpoint that plays the huts' tasks as it is told, and the desk where their words are proved."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import orjson
from fastapi import FastAPI, Request, Response
from pydantic import SecretStr

from envfactory_dagster.authoring.settings import AuthoringSettings
from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.records import StageRecord
from envfactory_dagster.contracts.reports import Report
from envfactory_dagster.contracts.synthesis import MadeTask, ProofOfWords
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.settings import LanguageSettings, LimitSettings
from envfactory_dagster.rollouts.store import TrajectoryStore
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.memo import run_stage
from envfactory_dagster.tasks.proof_of_words import ProofSettings, WordsProver
from envfactory_dagster.tasks.release import ReleaseStage
from tests.rollouts.scripted import Line, calls, finishes, followed, says
from tests.support.reports import report
from tests.tasks.huts_kit import Golds, Standing, made_tasks

ACTION, QUESTION, REFUSAL = "call_it_off", "best_hut_in_reach", "nephew_alone"
Lines = Sequence[Line]
NOWHERE: Lines = [calls(("call_nobody_has", {}))]
"""A run that breaks off."""
ByRun = Callable[[int], Lines]
"""What is said in a run, by its seed."""


@dataclass
class Solver:
    """A model behind an endpoint: it plays each task as a test has written down, by the words it is shown."""

    lines: dict[str, ByRun]
    person: Lines = ()
    """What it says where it plays the person."""
    answers_left: int | None = None
    """After so many it is down; None: never."""
    hangs_on: str = ""
    """The words of a task to which it gives no answer."""
    hiccups: int = 0
    """So many questions about a task are refused at first, as by an endpoint that is overloaded."""
    patience_s: float = 300.0
    """How long an answer is waited for."""
    begun: list[tuple[str, int]] = field(default_factory=list)
    answered: int = 0
    hung: int = 0
    shown: list[dict[str, Any]] = field(default_factory=list)

    def app(self) -> FastAPI:
        app = FastAPI()

        @app.post("/v1/chat/completions")
        async def chat(request: Request) -> Response:
            asked = await request.json()
            about_a_task = len(asked["messages"]) > 1
            if about_a_task and asked["messages"][1]["content"] == self.hangs_on:
                self.hung += 1
                await asyncio.sleep(60 * self.patience_s)
            if about_a_task and self.hiccups > 0:
                self.hiccups -= 1
                return Response("one moment", status_code=503)
            if self.answers_left is not None and self.answered >= self.answers_left:
                return Response("down for repairs", status_code=503)
            self.answered += 1
            self.shown.append(asked)
            messages, seed = asked["messages"], asked["seed"]
            place = sum(message["role"] == "assistant" for message in messages)
            if not about_a_task:
                line = says("Yes.")
            elif messages[0]["content"].startswith("You play a person"):
                line = self.person[place]
            else:
                if not place:
                    self.begun.append((messages[1]["content"], seed))
                lines = self.lines[messages[1]["content"]](seed)
                line = by_call_tool(lines[min(place, len(lines) - 1)])
            choice = {"index": 0, "finish_reason": "stop", "message": line}
            usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
            completion = {"id": "x", "object": "chat.completion", "created": 0, "model": "solver", "usage": usage}
            return Response(orjson.dumps(completion | {"choices": [choice]}), media_type="application/json")

        return app

    def runs(self, text: str) -> int:
        return len({seed for words, seed in self.begun if words == text})


def by_call_tool(line: Line) -> Line:
    """With its calls as a model makes them that was told the tools as signatures."""
    assert isinstance(line, dict)
    wrapped = []
    for call in line.get("tool_calls", []):
        if not call or not call["function"]:
            return line
        name, arguments = call["function"]["name"], call["function"]["arguments"]
        if name not in ("finish", "call_tool"):
            inner = json.dumps({"tool": name, "arguments": json.loads(arguments)})
            call = call | {"function": {"name": "call_tool", "arguments": inner}}
        wrapped.append(call)
    return line | {"tool_calls": wrapped} if wrapped else line


class Desk:
    """Where the words of the huts' tasks are played, and from where they are released."""

    def __init__(self, runtime: Runtime, folder: Path, huts: Bundle, golds: Golds) -> None:
        self.runtime, self.folder, self.huts, self.golds = runtime, folder, huts, golds
        self.made = made_tasks(huts, golds)
        self.rightly: dict[str, ByRun] = {one.task.text: always(right(one)) for one in self.made.values()}
        self.standing = Standing(Home.resolve(folder), replace(huts, solutions={}), golds)

    @asynccontextmanager
    async def prover(self, solver: Solver, settings: ProofSettings | None = None) -> AsyncIterator[WordsProver]:
        models = LanguageSettings(
            base_url="http://model/v1",
            api_key=SecretStr("none"),
            default_model="solver",
            limits=LimitSettings(attempts=1, timeout_s=solver.patience_s),
        )
        store = TrajectoryStore(Home.resolve(self.folder / "proof_of_words"))
        async with Gateway(models, self.folder, app=solver.app()) as gateway:
            yield WordsProver(gateway, self.runtime, store, "solver", "solver", settings or ProofSettings())

    async def proofs(self, solver: Solver, *made: MadeTask) -> dict[str, ProofOfWords]:
        """Of these tasks; of all of them where none is named."""
        made = made or tuple(self.made.values())
        async with self.prover(solver) as prover:
            found = await prover.prove("release", self.huts, made)
        return {one.task.id: proof for one, proof in zip(made, found, strict=True)}

    async def proof(self, task: str, lines: ByRun) -> ProofOfWords:
        """Of this task, played with these lines."""
        self.solver = Solver({self.text(task): lines})
        return (await self.proofs(self.solver, self.made[task]))[task]

    async def record(
        self, lines: dict[str, ByRun], settings: ProofSettings | None = None, *, redo: bool = False
    ) -> StageRecord:
        """Of the release, with these lines for some tasks."""
        self.solver = Solver(self.rightly | {self.text(task): runs for task, runs in lines.items()})
        return await self.record_of(self.solver, settings, redo=redo)

    async def record_of(
        self, solver: Solver, settings: ProofSettings | None = None, *, redo: bool = False
    ) -> StageRecord:
        async with self.prover(solver, settings) as prover:
            stage = ReleaseStage(self.runtime, AuthoringSettings(), self.standing.bundles, prover)
            return await run_stage(self.standing.records, stage, self.huts.key, redo=redo)

    def text(self, task: str) -> str:
        return self.made[task].task.text

    def bundle(self) -> Bundle:
        return self.standing.bundles.load(self.huts.key)


def always(lines: Lines) -> ByRun:
    return lambda seed: lines


def in_turn(*runs: Lines) -> ByRun:
    return lambda seed: runs[seed]


def right(one: MadeTask) -> Lines:
    return followed(one.solution.calls, one.solution.report)


def costing(dinner: Json, message: str = "That is what I found.", best_hut: str = "Falkenrast Hut") -> Lines:
    """An answer to the question that is wrong; what else is asked is not answered."""
    return [finishes(report(message=message, best_hut=best_hut, vegetarian_dinner=dinner, last_reviewer=None))]


def without(one: MadeTask, tool: str, reported: Report | None = None) -> Lines:
    """Everything but one call, and the report nevertheless."""
    return followed([call for call in one.solution.calls if call.tool != tool], reported or one.solution.report)
