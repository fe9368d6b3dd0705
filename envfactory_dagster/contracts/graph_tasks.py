"""What a model is asked when a walk over the tool graph becomes a task: whether a person would want it, and to say it
as they would.

Belongs here: the context it is shown and the answer it owes. Does not: what is stored of the task (`synthesis`).

The context speaks of things and wishes. Where it names a tool, a parameter or a number of a row, it is to say what
must not be said (`unspeakable`).
"""

from typing import Any, Literal, Self

from pydantic import Field, SerializerFunctionWrapHandler, model_serializer, model_validator

from envfactory_dagster.contracts.base import Contract, NonEmpty, unique
from envfactory_dagster.contracts.domain import TaskKind
from envfactory_dagster.contracts.trajectory import Criterion

ValueKind = Literal["money", "day", "moment", "number", "flag", "text"]


class SaidValue(Contract):
    """A value that only the person knows: the text says it in one of these forms."""

    what: NonEmpty
    """What it is, in words."""
    meaning: str = ""
    """As the service describes it."""
    kind: ValueKind
    forms: list[NonEmpty] = Field(min_length=1)


class SaidSign(Contract):
    """Something by which a thing is known: it is this, or it has the least or the most of it."""

    what: NonEmpty
    kind: ValueKind
    relation: Literal["is", "least", "most"]
    forms: list[NonEmpty] = Field(default_factory=list)
    """Empty where nothing but the relation is said."""


class Thing(Contract):
    """One thing the request is about, known by its signs among others of its kind. Without signs it is the one that
    belongs to `of`, or that an earlier wish made."""

    kind: NonEmpty
    signs: list[SaidSign] = Field(default_factory=list)
    called: list[NonEmpty] = Field(default_factory=list)
    """Names in its row that its signs leave out: of the thing itself, or of whose it is."""
    among: list[SaidValue] = Field(default_factory=list)
    """Only things of which this holds are meant."""
    of: list["Thing"] = Field(default_factory=list)
    listed_by: str = ""
    """How the service describes the list it is in: whose things they are, and which."""
    every: bool = False
    """Whether all things are meant of which this holds, not one."""
    made_by_wish: int | None = None
    """The wish, counted from 1, that brings it about."""


class Telling(Contract):
    """Something the person wants to be told: a value of a thing, how many there are, or what theirs add up to."""

    what: NonEmpty
    kind: ValueKind
    how: Literal["value", "count", "total"]
    thing: Thing | None = None
    """None: it is about the person, or about the service as a whole."""


class Wish(Contract):
    """One thing that is to be done, or to be found out."""

    purpose: NonEmpty
    """What the service can do here, in its own words."""
    things: list[Thing] = Field(default_factory=list)
    values: list[SaidValue] = Field(default_factory=list)
    telling: Telling | None = None
    """None: it is to be done."""
    by_person: bool = False
    """Whether the person does it, when the assistant asks for it, and knows its values."""


class DraftShown(Contract):
    """A walk that could become a task."""

    number: int
    wishes: list[Wish] = Field(min_length=1)


class TaskToChoose(Contract):
    task: NonEmpty
    clock: NonEmpty
    drafts: list[DraftShown] = Field(min_length=1)


class GraphTaskChoiceContext(Contract):
    """schema `graph_task_choice`: say which of these drafts a person would really ask for, and why."""

    service: NonEmpty
    tasks: list[TaskToChoose] = Field(min_length=1)


class ChosenDraft(Contract):
    number: int
    motive: NonEmpty
    """Why a person wants this."""


class ChosenForTask(Contract):
    task: NonEmpty
    drafts: list[ChosenDraft]
    """The most likely one first; empty where nobody would ask for any of them."""


class GraphTaskChoiceAnswer(Contract):
    tasks: list[ChosenForTask]


class GraphTaskWordingContext(Contract):
    """schema `graph_task_wording`: say these wishes as one request, and write what an answer to it must fulfil."""

    service: NonEmpty
    clock: NonEmpty
    kind: TaskKind
    obscured: bool
    """Whether things are to be called by what they are like."""
    motive: str = ""
    """Why the person wants this; empty where nobody was asked."""
    wishes: list[Wish] = Field(min_length=1)
    unspeakable: list[NonEmpty]
    """Names that no person would know."""

    @model_serializer(mode="wrap")
    def _without_an_empty_motive(self, written: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """As it was written before there were motives, so that recorded answers are found."""
        return {name: value for name, value in written(self).items() if name != "motive" or value}


class GraphTaskWordingAnswer(Contract):
    text: NonEmpty
    rubric: list[Criterion] = Field(min_length=1)

    @model_validator(mode="after")
    def _each_criterion_once(self) -> Self:
        unique([criterion.id for criterion in self.rubric], "criteria")
        return self
