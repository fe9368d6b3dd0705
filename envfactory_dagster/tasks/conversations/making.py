"""From tasks to conversations: several are asked about in one question, and each is judged for itself.

Belongs here: asking, and a task as it is said. Does not: the question and its gate (`planning`), variants (`variants`),
and the truth (`proving`).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import orjson
from pydantic import BaseModel

from envfactory_dagster.authoring.loop import Gate, PastAnswer, Question, ask_once, author
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.conversations import ConversationAnswer, ToldConversation, TurnShown
from envfactory_dagster.contracts.records import Attempt, Problem
from envfactory_dagster.contracts.synthesis import Conversation, MadeTask, Turn, Variant
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Caller
from envfactory_dagster.runtime.facts.results import ToolFacts
from envfactory_dagster.tasks.conversations import planning, refinements
from envfactory_dagster.tasks.conversations.identifiers import Internals, Unsayable
from envfactory_dagster.tasks.conversations.planning import Planned, problem
from envfactory_dagster.tasks.conversations.refinements import Wording

A = TypeVar("A", bound=BaseModel)
SCHEMA = "conversation"


class GivenUp(Exception):
    """A task that does not become what it should, and why. It stays within the stage."""


@dataclass
class Writer:
    """Asks the author, and remembers every attempt."""

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
class SpokenEnvironment:
    """An environment as conversations are made from it."""

    bundle: Bundle
    internals: Internals
    facts: ToolFacts
    names: frozenset[str]
    """Those that nobody outside the service would say."""


@dataclass(frozen=True, slots=True)
class Talk:
    """A task as it is said."""

    parent: MadeTask
    clock: str
    scenario: str
    persona: str
    turns: tuple[TurnShown, ...]
    """With their goals and calls; what is said in them is in `wording`."""
    wording: Wording
    secrets: Unsayable
    spelled_out: tuple[str, ...]
    """The requests without any refinement, to be compared with."""
    changes_mind: bool = False
    """Whether the person says another value first, and the right one when asked."""

    @property
    def shown(self) -> list[TurnShown]:
        said = zip(self.turns, self.wording.requests, strict=True)
        return [turn.model_copy(update={"request": request}) for turn, request in said]

    @property
    def text(self) -> str:
        """What is said at once, for who is told everything. Nobody pleads before they have been refused."""
        said = zip(self.turns, self.wording.requests, strict=True)
        return refinements.joined([request for turn, request in said if turn.kind != "insist"])

    @property
    def asks_back(self) -> bool:
        """Whether the assistant has to ask for a value."""
        return any(turn.kind == "detail" for turn in self.turns)

    def conversation(self, variant: Variant) -> Conversation:
        return Conversation(
            scenario=self.scenario,
            persona=self.persona,
            turns=[Turn(kind=one.kind, goal=one.goal, request=one.request, calls=len(one.calls)) for one in self.shown],
            answers=list(self.wording.answers),
            refinements=list(self.wording.refinements),
            variant=variant,
        )


async def told(
    writer: Writer, spoken: SpokenEnvironment, plans: Sequence[Planned]
) -> dict[str, ToldConversation | GivenUp]:
    """The tasks, told as conversations, by their names. What was accepted once is not asked for again."""
    found: dict[str, ToldConversation | GivenUp] = {}
    left, refused, why = list(plans), None, "nothing was answered"
    words = planning.instructions({one for plan in plans for one in plan.wanted})
    for number in range(1, writer.most + 1):
        question = Question(SCHEMA, ConversationAnswer, words, planning.context_of(spoken.bundle, left))
        answer, attempt = await ask_once(writer.gateway, writer.caller, question, refused, number)
        if answer is None:
            writer.attempts.append(attempt)
            why = attempt.problems[0].message
            break
        given = {one.task: one for one in answer.value.conversations}
        faults = {plan.parent.task.id: _judged(plan, given.get(plan.parent.task.id)) for plan in left}
        named = [p.model_copy(update={"message": f"{task}: {p.message}"}) for task, ps in faults.items() for p in ps]
        writer.attempts.append(attempt.model_copy(update={"problems": named}))
        found |= {task: given[task] for task, problems in faults.items() if not problems}
        left = [plan for plan in left if faults[plan.parent.task.id]]
        if not left:
            return found
        again = [given[plan.parent.task.id] for plan in left if plan.parent.task.id in given]
        text = orjson.dumps({"conversations": [one.model_dump(mode="json") for one in again]}).decode()
        refused, why = PastAnswer(text, named), ""
    for plan in left:
        task = plan.parent.task.id
        reason = why or f"not accepted after {writer.most} attempts: {faults[task][0].message}"
        found[task] = GivenUp(f"{SCHEMA}: {reason}")
    return found


def _judged(plan: Planned, given: ToldConversation | None) -> list[Problem]:
    return [problem("Its conversation is missing.")] if given is None else planning.problems_of(plan, given)


def talk_of(plan: Planned, given: ToldConversation) -> Talk:
    """A task with the words that passed the gate."""
    turns: list[TurnShown] = []
    calls, done = plan.parent.solution.calls, 0
    for turn in given.turns:
        taken = plan.parts[done : done + turn.parts]
        steps = calls[taken[0].begin : taken[-1].end] if taken else []
        done += turn.parts
        turns.append(
            TurnShown(
                kind=turn.kind, goal=turn.goal, request=turn.request, calls=[planning.shown(step) for step in steps]
            )
        )
    made = refinements.made_of(given, plan.wanted)
    if any(plan.besides):
        made.append("goal_expansion")
    wording = Wording(tuple(turn.request for turn in given.turns), tuple(given.answers), tuple(made))
    plain = tuple(refinements.said_with(turn, given.answers, ()) for turn in given.turns)
    changed = any(turn.instead_of for turn in given.turns)
    return Talk(
        plan.parent, plan.clock, given.scenario, given.persona, tuple(turns), wording, plan.secrets, plain, changed
    )
