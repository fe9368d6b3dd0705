"""What a model is asked when a task becomes a conversation: contexts and answers, a schema for each question.

Belongs here: contexts and answers. Does not: the words around them and the gates (`tasks.conversations`), and what a
conversation is once it is made (`contracts.synthesis`).
"""

from typing import Literal

from pydantic import Field

from envfactory_dagster.contracts.base import Contract, Identifier, Json, NonEmpty, ToolName
from envfactory_dagster.contracts.domain import Rule
from envfactory_dagster.contracts.reports import AnswerField
from envfactory_dagster.contracts.requests import CallShown
from envfactory_dagster.contracts.synthesis import TurnKind

# -- from tasks to conversations ---------------------------------------------------------------------------------------

WordingRefinement = Literal["implicit_reference", "action_compression", "ambiguity"]
"""The refinements that change words alone. The fourth one, goal expansion, adds a step before there are any words."""


class WishShown(Contract):
    """Something more that could be looked up for a person."""

    number: int
    tool: ToolName
    arguments: dict[str, Json]
    whose: list[NonEmpty] = Field(default_factory=list)
    """Names in the record that is looked up."""
    tells: list[NonEmpty]
    """What the person would be told."""
    values: list[Json]
    """The answers."""


class TaskToExpand(Contract):
    """One task, and what could be asked besides."""

    task: Identifier
    clock: str
    text: NonEmpty
    most: int
    """The largest number of further wishes."""
    wishes: list[WishShown]


class FurtherWishesContext(Contract):
    """schema `further_wishes`: what would these people well ask besides?"""

    service: NonEmpty
    tasks: list[TaskToExpand]


class ChosenWishes(Contract):
    task: Identifier
    wishes: list[int]
    """Their numbers, in the order in which the person asks."""


class FurtherWishesAnswer(Contract):
    tasks: list[ChosenWishes]


class PartShown(Contract):
    """Calls that belong to one turn, whichever that is."""

    calls: list[CallShown]
    goes_on: bool
    """Whether it goes on with what a part before it told."""
    besides: list[NonEmpty] = Field(default_factory=list)
    """Of a further wish: what the person wants to be told, which the task's text does not say."""


class HeldBack(Contract):
    """A value that a change needs and no tool can tell: the person may keep it until the assistant asks."""

    part: int = Field(ge=1)
    """The part in which it is needed, counted from 1."""
    written: list[NonEmpty]
    """How it may be written."""
    beside: list[NonEmpty]
    """What else the person says of the same change, as the task writes it."""


class TaskToTell(Contract):
    """One task, with all that has to be known to bring it up in a conversation."""

    task: Identifier
    clock: str
    text: NonEmpty
    parts: list[PartShown]
    turns: int
    """About so many are wanted."""
    refused: bool
    """Whether the assistant has to refuse it."""
    held_back: list[HeldBack]
    identifiers: list[NonEmpty]
    """Values of the calls that only the service knows."""
    refinements: list[WordingRefinement]
    """Those that have something to do here."""


class ConversationContext(Contract):
    """schema `conversation`: how do people bring up these tasks, turn by turn?"""

    service: NonEmpty
    tasks: list[TaskToTell]


class RefinedWords(Contract):
    """One place where a request is said less plainly than it could be."""

    refinement: WordingRefinement
    before: NonEmpty
    """As somebody would say it who spells everything out."""
    after: NonEmpty
    """As the request says it."""


class ToldTurn(Contract):
    kind: TurnKind
    parts: int = Field(ge=0)
    goal: NonEmpty
    request: NonEmpty
    refined: list[RefinedWords] = Field(default_factory=list)
    instead_of: str = ""
    """What the request before said otherwise; empty unless the person has changed their mind."""


class ToldConversation(Contract):
    task: Identifier
    scenario: NonEmpty
    persona: NonEmpty
    turns: list[ToldTurn] = Field(min_length=1)
    answers: list[NonEmpty] = Field(default_factory=list)
    """What the person says only when asked."""


class ConversationAnswer(Contract):
    conversations: list[ToldConversation]


# -- variants ----------------------------------------------------------------------------------------------------------


class TurnShown(Contract):
    """A turn as it is said."""

    kind: TurnKind = "wish"
    goal: NonEmpty
    request: NonEmpty
    calls: list[CallShown]


class MissingParameterContext(Contract):
    """schema `missing_parameter`: the same requests without one value that the assistant will have to ask for."""

    clock: str
    scenario: NonEmpty
    persona: NonEmpty
    turns: list[TurnShown]
    spellings: list[NonEmpty]
    """How the value that is to be left out is written in the requests."""


class MissingParameterAnswer(Contract):
    goals: list[NonEmpty]
    requests: list[NonEmpty]
    answers: list[NonEmpty]
    """The value that was left out, as the person says it when asked."""


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
