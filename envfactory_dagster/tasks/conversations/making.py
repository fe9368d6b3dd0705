"""One task on its way to a conversation: planned, worded, refined, each step a question to a model with its gate.

Belongs here: the order of the steps and what is known between them. Does not: the steps (`planning`, `refinements`),
variants (`variants`), and the truth (`proving`).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from pydantic import BaseModel

from envfactory_dagster.authoring.loop import Gate, Question, author
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.conversations import (
    ArticulationAnswer,
    ConversationPlanAnswer,
    RefinementAnswer,
    RefinementContext,
    TurnShown,
)
from envfactory_dagster.contracts.records import Attempt, Problem
from envfactory_dagster.contracts.synthesis import Conversation, MadeTask, Refinement, Turn, Variant
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Caller
from envfactory_dagster.runtime.facts.results import ToolFacts
from envfactory_dagster.tasks.conversations import planning, refinements
from envfactory_dagster.tasks.conversations.cuts import cuts
from envfactory_dagster.tasks.conversations.identifiers import Internals, Secrets
from envfactory_dagster.tasks.conversations.refinements import Wording

A = TypeVar("A", bound=BaseModel)


class GivenUp(Exception):
    """A task that does not become what it should, and why. It stays within the stage."""


@dataclass
class Writer:
    """Asks the author about one task, and remembers every attempt."""

    gateway: Gateway
    caller: Caller
    most: int
    attempts: list[Attempt] = field(default_factory=list)

    async def write(self, question: Question[A], gate: Gate[A]) -> A:
        authored = await author(self.gateway, self.caller, question, gate, attempts=self.most)
        self.attempts += authored.attempts
        if authored.value is None:
            raise GivenUp(f"{question.schema_name}: {authored.rejection()}")
        return authored.value


@dataclass(frozen=True, slots=True)
class Ground:
    """An environment as conversations are made from it."""

    bundle: Bundle
    internals: Internals
    facts: ToolFacts
    names: frozenset[str]
    """Those that nobody outside the service would say."""


@dataclass(frozen=True, slots=True)
class Talk:
    """A task as it is said so far."""

    parent: MadeTask
    clock: str
    scenario: str
    persona: str
    turns: tuple[TurnShown, ...]
    """With their goals and calls; what is said in them is in `wording`."""
    wording: Wording
    secrets: Secrets

    @property
    def shown(self) -> list[TurnShown]:
        said = zip(self.turns, self.wording.requests, strict=True)
        return [turn.model_copy(update={"request": request}) for turn, request in said]

    @property
    def text(self) -> str:
        return refinements.joined(self.wording.requests)

    def context(self) -> RefinementContext:
        return RefinementContext(
            clock=self.clock,
            scenario=self.scenario,
            persona=self.persona,
            turns=self.shown,
            answers=list(self.wording.answers),
            identifiers=list(self.secrets.values),
        )

    def conversation(self, variant: Variant) -> Conversation:
        return Conversation(
            scenario=self.scenario,
            persona=self.persona,
            turns=[Turn(goal=one.goal, request=one.request, calls=len(one.calls)) for one in self.shown],
            answers=list(self.wording.answers),
            refinements=list(self.wording.refinements),
            variant=variant,
        )


async def articulated(writer: Writer, ground: Ground, parent: MadeTask) -> Talk:
    """The task in turns, worded by whoever looks at its calls: not refined yet."""
    bundle, task, calls = ground.bundle, parent.task, parent.solution.calls
    secrets = Secrets.of(calls, ground.internals, task.text, ground.names)
    plan_context = planning.plan_context(bundle, task, calls, cuts(calls, ground.internals, ground.facts))

    async def plan_gate(answer: ConversationPlanAnswer) -> list[Problem]:
        return planning.problems_of_plan(plan_context, secrets, answer)

    question = Question("conversation_plan", ConversationPlanAnswer, planning.PLAN, plan_context)
    plan = await writer.write(question, plan_gate)
    context = planning.articulation_context(plan_context, plan)

    async def gate(answer: ArticulationAnswer) -> list[Problem]:
        return planning.problems_of_articulation(context, secrets, answer)

    raw = await writer.write(Question("articulation", ArticulationAnswer, planning.ARTICULATION, context), gate)
    wording = Wording(tuple(raw.requests))
    return Talk(parent, context.clock, plan.scenario, plan.persona, tuple(context.turns), wording, secrets)


async def refined(writer: Writer, talk: Talk, wanted: Sequence[Refinement]) -> Talk:
    """The task after these refinements, one after the other. One that does not succeed is left out: what was said
    before it is good as well; unless identifiers were to be hidden."""
    for refinement in wanted:
        try:
            talk = await _refined_once(writer, talk, refinement)
        except GivenUp:
            if refinement == "implicit_reference":
                raise
    return talk


async def _refined_once(writer: Writer, talk: Talk, refinement: Refinement) -> Talk:
    context = talk.context()

    async def gate(answer: RefinementAnswer) -> list[Problem]:
        return refinements.problems_of(refinement, context, talk.secrets, answer)

    question = Question(refinement, RefinementAnswer, refinements.INSTRUCTIONS[refinement], context)
    answer = await writer.write(question, gate)
    return replace(talk, wording=talk.wording.refined(refinement, answer))
