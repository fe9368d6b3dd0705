"""What a model is asked when a task becomes a conversation: contexts and answers, a schema for each step.

Belongs here: contexts and answers. Does not: the words around them and the gates (`tasks.conversations`), and what a
conversation is once it is made (`contracts.synthesis`).
"""

from pydantic import Field

from envfactory_dagster.contracts.base import Contract, Identifier, Json, NonEmpty
from envfactory_dagster.contracts.domain import Rule, Task, Theme
from envfactory_dagster.contracts.reports import AnswerField
from envfactory_dagster.contracts.requests import CallShown

# -- from a task to turns ----------------------------------------------------------------------------------------------


class ConversationPlanContext(Contract):
    """schema `conversation_plan`: who brings this up, in what situation, and in which turns?"""

    theme: Theme
    clock: str
    task: Task
    calls: list[CallShown]
    """Of the reference solution, in order."""
    cuts: list[int]
    """After how many calls a turn may end."""
    most_tools: int
    """Different ones in one turn."""


class PlannedTurn(Contract):
    goal: NonEmpty
    calls: int = Field(ge=1)


class ConversationPlanAnswer(Contract):
    scenario: NonEmpty
    persona: NonEmpty
    turns: list[PlannedTurn] = Field(min_length=1)


class TurnShown(Contract):
    """A turn while it is worded. `request` is empty until it has been."""

    goal: NonEmpty
    calls: list[CallShown]
    request: str = ""


class ArticulationContext(Contract):
    """schema `articulation`: what does the person say in each turn?"""

    theme: Theme
    clock: str
    scenario: NonEmpty
    persona: NonEmpty
    turns: list[TurnShown]


class ArticulationAnswer(Contract):
    requests: list[NonEmpty]


# -- saying it as people do --------------------------------------------------------------------------------------------


class RefinementContext(Contract):
    """schemas `implicit_reference`, `action_compression`, `ambiguity`, `goal_expansion`: the same requests, said
    otherwise."""

    clock: str
    scenario: NonEmpty
    persona: NonEmpty
    turns: list[TurnShown]
    answers: list[NonEmpty]
    """What the person says only when asked, so far."""
    identifiers: list[NonEmpty]
    """Values of the calls that only the service knows."""


class RefinementAnswer(Contract):
    requests: list[NonEmpty]
    answers: list[NonEmpty] = Field(default_factory=list)
    """What the requests leave out from now on, as the person says it when asked."""


# -- variants ----------------------------------------------------------------------------------------------------------


class MissingParameterContext(Contract):
    """schema `missing_parameter`: the same requests without one value that the assistant will have to ask for."""

    clock: str
    scenario: NonEmpty
    persona: NonEmpty
    turns: list[TurnShown]
    spellings: list[NonEmpty]
    """How the value that is to be left out is written in the requests."""


class RulesQuestionContext(Contract):
    """schema `rules_question`: a question that the rules of the service answer, without any tool."""

    name: NonEmpty
    clock: str
    rules: list[Rule]
    asked: list[NonEmpty]
    """Questions there are already."""


class RulesQuestionAnswer(Contract):
    scenario: NonEmpty
    persona: NonEmpty
    rule: Identifier
    request: NonEmpty
    answer_form: list[AnswerField] = Field(min_length=1, max_length=3)
    """What the request asks to be told, field by field."""
    answers: dict[Identifier, Json]
    """The right value of every field, as a report gives it; money in cents."""
    message: NonEmpty
    """What the person is told."""
