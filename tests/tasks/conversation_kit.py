"""The alpine huts for conversations: golds, conversations written by hand, authors who may lie, and players."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import orjson
from fastapi import FastAPI, Request
from pydantic import SecretStr

from envfactory_dagster.contracts.base import content_hash
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.graph import GraphParameter, GraphTool, ToolGraph
from envfactory_dagster.contracts.records import StageRecord
from envfactory_dagster.contracts.synthesis import Conversation, MadeTask, Refinement
from envfactory_dagster.contracts.truth import GatedVerifier, ReferenceSolution, TaskGate, Verifier
from envfactory_dagster.language.built_in.conversation import read_question
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Role
from envfactory_dagster.language.settings import LanguageSettings, LimitSettings
from envfactory_dagster.rollouts.assignments import Assignment
from envfactory_dagster.rollouts.engine import Engine
from envfactory_dagster.rollouts.reference import Player
from envfactory_dagster.rollouts.scoring import Rollout
from envfactory_dagster.rollouts.settings import RolloutSettings
from envfactory_dagster.rollouts.store import TrajectoryStore
from envfactory_dagster.runtime.facts import analyze_tools, load_schema
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.home import Home
from envfactory_dagster.tasks.authored import authored_tasks
from envfactory_dagster.tasks.conversations.expanding import Expanded
from envfactory_dagster.tasks.conversations.identifiers import Internals, names_inside
from envfactory_dagster.tasks.conversations.maker import ConversationMaker
from envfactory_dagster.tasks.conversations.making import SpokenEnvironment
from envfactory_dagster.tasks.conversations.planning import Planned, planned
from envfactory_dagster.tasks.conversations.settings import ALL_REFINEMENTS, ConversationSettings
from envfactory_dagster.truth.replay import replay
from envfactory_dagster.truth.reward_basis import RewardBasis
from envfactory_dagster.truth.verdicts import TaskChecks
from tests.truth.references import reference

Answer = dict[str, Any]
Spoil = Callable[[str, Answer, Answer], Answer]
"""From schema, context and the right answer to the one that is given."""

Said = dict[str, Any]


def wish(parts: int, goal: str, request: str, *refined: tuple[str, str, str]) -> Said:
    """A turn that takes so many parts; `refined`: refinement, what was said before, what is said now."""
    places = [dict(zip(("refinement", "before", "after"), one, strict=True)) for one in refined]
    return {"kind": "wish", "parts": parts, "goal": goal, "request": request, "refined": places, "instead_of": ""}


def detail(goal: str, request: str, instead_of: str = "") -> Said:
    """A turn in which the person is asked for something."""
    return wish(0, goal, request) | {"kind": "detail", "instead_of": instead_of}


def insist(goal: str, request: str) -> Said:
    """A turn in which the person does not take no for an answer."""
    return wish(0, goal, request) | {"kind": "insist"}


PARENTS = ("last_morning", "call_it_off", "nephew_alone")
"""The tasks of which `TURNS` are conversations."""

TURNS: dict[str, list[Said]] = {
    "call_it_off": [
        wish(
            1,
            "learn what is booked at the Schneelahn Hut from 5 February; Marek has a job in Lisbon, the weekend is off",
            "Marek has taken a job in Lisbon, so our weekend at the Schneelahn Hut from 5 February is off. What did we"
            " book there?",
            ("implicit_reference", "at the hut", "there"),
        ),
        wish(
            3,
            "cancel the stay and the three places on Saturday's touring course",
            "Then cancel that and our three places on Saturday's touring course.",
            ("implicit_reference", "the stay at the Schneelahn Hut", "that"),
            ("action_compression", "the course. Which course is it? Look it up first", "the course"),
        ),
        wish(2, "have Marek taken off the people I travel with", "Take Marek off the people I travel with."),
        wish(2, "learn how much money comes back in all", "How much money comes back to me in all?"),
    ],
    "last_morning": [
        wish(
            2,
            "it is the last morning at the Falkenrast Hut: learn what is still open for this stay",
            "It's our last morning at the Falkenrast Hut. What is still open for this stay?",
        ),
        wish(3, "pay all that is open by direct debit", "Please pay all of it by direct debit."),
        wish(
            2,
            "check out, the via ferrata sets are back on the hook; leave five stars, say that the kitchen and the"
            " sunrise were worth every step",
            "Check us out, the via ferrata sets are back on the hook, and leave the hut five stars: the kitchen and the"
            " sunrise were worth every step.",
        ),
        wish(
            2,
            "Jakob forgot a grey merino hat with a mended seam at the Silbersee Hut in June; if found, claim it and"
            " have it sent by post",
            "Jakob thinks he forgot his grey merino hat, the one with the mended seam, at the Silbersee Hut in June. If"
            " they have found it, claim it for us and let them send it by post.",
        ),
    ],
    "nephew_alone": [
        wish(1, "learn whether nephew Felix is among my companions", "Is my nephew Felix on my list of companions?"),
        wish(
            1,
            "learn whether the snowshoe loop of the Tannkogel on Saturday, 13 February takes place; Felix, fifteen, is"
            " dying to do it",
            "He's fifteen and dying to do the snowshoe loop of the Tannkogel on Saturday, 13 February. Is that on?",
        ),
        wish(
            1,
            "sign Felix up on his own; if the club does not take him alone, book nothing and learn how old he would"
            " have to be",
            "I have to work that day, so please sign him up on his own. If the club doesn't take him alone, don't book"
            " anything and tell me how old he would have to be.",
        ),
    ],
}

REVIEW = (
    "Check us out, the via ferrata sets are back on the hook, and write that the kitchen and the sunrise were worth"
    " every step."
)


def asked_back(detail_turn: Said, request: str = REVIEW, goal: str = "check out and write a review") -> list[Said]:
    """The conversation about the last morning, in which somebody has to ask for a value."""
    turns = TURNS["last_morning"]
    return [*turns[:2], wish(2, goal, request), detail_turn, turns[3]]


NO_WAY = insist("beg for an exception", "Oh please, he has been looking forward to it all year.")

SISTER = "Please add my sister Vroni to the people I travel with."
CORRECTED = "She was born on 14 March 1996. And put her down as Valerie Brandstätter instead."


def sister_joins(first: Said, second: Said) -> list[Said]:
    """The conversation about the sister, after the turns in which the person asks to add her."""
    rest = (
        "Make her a club member from today, on whatever plan fits her age and includes mountain rescue.",
        "Then book us in for Saturday, 20 February, in any hut of the Weißkogel region with a drying room, as long as"
        " we pay no more than 60 euros together. I'll accept the house rules; leave the bills open.",
    )
    return [first, second, wish(2, rest[0], rest[0]), wish(5, rest[1], rest[1])]


def told(task: str, turns: list[Said] | None = None, *answers: str) -> Said:
    """A conversation that passes the gate."""
    return {
        "task": task,
        "scenario": "Plans have changed at home.",
        "persona": "Somebody friendly and brief.",
        "turns": TURNS[task] if turns is None else turns,
        "answers": list(answers),
    }


def without_the_stars(context: Answer) -> Answer:
    """The requests of `last_morning`, in which the person forgets to say how many stars they give."""
    assert "five" in context["spellings"]
    said = [(turn["goal"], turn["request"]) for turn in context["turns"]]
    goals, requests = ([one.replace("five stars", "some stars") for one in texts] for texts in zip(*said, strict=True))
    return {"goals": goals, "requests": requests, "answers": ["It is five."]}


RULES_QUESTION: Answer = {
    "scenario": "A tour is coming up, and somebody in the family has a cold.",
    "persona": "Somebody friendly and brief.",
    "rule": "cancellation_window",
    "request": "Just a question about your rules: how long before the start can I still give back a place on a tour?",
    "answer_form": [
        {"name": "notice", "type": "integer", "description": "Latest time before the start", "unit": "hours"}
    ],
    "answers": {"notice": 24},
    "message": "You can give it back until 24 hours before the start.",
}


@dataclass
class Author:
    """Gives hand-written answers about the alpine huts, which a test may spoil."""

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
        match schema:
            case "conversation":
                return {"conversations": [told(one["task"]) for one in context["tasks"] if one["task"] in TURNS]}
            case "further_wishes":
                return {"tasks": [{"task": one["task"], "wishes": [1]} for one in context["tasks"]]}
            case "missing_parameter":
                return without_the_stars(context)
            case "rules_question":
                return RULES_QUESTION
            case _:
                raise AssertionError(f"nobody wrote an answer to {schema}")


def ground_of(huts: Bundle) -> SpokenEnvironment:
    facts = analyze_tools(huts.tools_source, huts.schema_sql)
    return SpokenEnvironment(huts, Internals(), facts, names_inside(huts, list(load_schema(huts.schema_sql).tables)))


async def parents_of(runtime: Runtime, huts: Bundle, *names: str) -> list[MadeTask]:
    golds = [await reference(runtime, huts, task) for task in huts.tasks if task.id in names]
    return authored_tasks(huts, golds, [gated(huts, gold) for gold in golds], ground_of(huts).facts)


def the(parents: list[MadeTask], name: str) -> MadeTask:
    return next(one for one in parents if one.task.id == name)


def plan_of(huts: Bundle, parent: MadeTask, *wanted: Refinement) -> Planned:
    """What a conversation about this task has to keep to."""
    spoken, refinements = ground_of(huts), wanted or ALL_REFINEMENTS
    expanded = Expanded(parent, parent)
    return planned(spoken.bundle, spoken.internals, spoken.facts, spoken.names, expanded, refinements)


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


def maker(gateway: Gateway, runtime: Runtime, huts: Bundle, attempts: int = 2, **settings: Any) -> ConversationMaker:
    return ConversationMaker(
        gateway, runtime, ground_of(huts), graph_of(huts), attempts, ConversationSettings(**settings)
    )


@dataclass(frozen=True)
class Talks:
    """Everything that became of some tasks: conversations and their variants, by their names."""

    shop: ConversationMaker
    author: Author

    def __getitem__(self, name: str) -> MadeTask:
        return next(made for made in self.shop.made if made.task.id == name)

    def conversation(self, name: str) -> Conversation:
        found = self[name].conversation
        assert found is not None
        return found


async def play(
    runtime: Runtime, bundle: Bundle, one: MadeTask, agent: Player, user: Player | None, folder: Path, **settings: Any
) -> Rollout:
    """The only episode of a made task; it replays."""
    source, form = one.verifier.verifier.source, one.solution.form
    bundle = replace(bundle, tasks=[one.task], verifiers={one.task.id: source}, answer_forms={one.task.id: form})
    chosen = RolloutSettings(**settings)
    facts = analyze_tools(bundle.tools_source, bundle.schema_sql)
    basis = RewardBasis(bundle, one.task, one.solution, facts, chosen.reward)
    work = Assignment(bundle, one.task, TaskChecks(one.task, source, form), basis, one.conversation)
    engine = Engine(runtime, agent, chosen, TrajectoryStore(Home.resolve(folder)), user)
    [rollout] = [rollout async for rollout in engine.roll([work])]
    assert (await replay(runtime, bundle, rollout.trajectory)).reproduced
    return rollout
