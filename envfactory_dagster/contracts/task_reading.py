"""What a judge is asked who reads tasks: which tools their words mean (schema `task_review`), and what somebody of the
trade would find odd about them (schema `task_reading`).

Belongs here: the typed contexts and the answers owed. Does not: the words around them, and what comes of the answers
(`truth.review`, `tasks.task_reading`).
"""

from typing import Literal

from pydantic import Field

from envfactory_dagster.contracts.base import Contract, Identifier, NonEmpty
from envfactory_dagster.contracts.database import TableRows
from envfactory_dagster.contracts.requests import CommandShown


class TaskToReview(Contract):
    """A task as a reader sees it."""

    task: Identifier
    text: str
    steps: list[str]
    """The steps of its solution, given when the question is whether they belong together."""


class TaskReviewContext(Contract):
    """schema `task_review`: which tool do the words of each task mean, and do its steps belong together?"""

    service: str
    tools: list[CommandShown]
    tasks: list[TaskToReview]


class WishRead(Contract):
    """One thing that a task asks for, and the tools that do it by themselves."""

    wish: NonEmpty
    tools: list[str] = Field(default_factory=list)


class ReviewedTask(Contract):
    task: Identifier
    wishes: list[WishRead] = Field(default_factory=list)
    verdict: Literal["keep", "drop", "reorder"] = "keep"
    order: list[int] = Field(default_factory=list)
    """All steps by their numbers, as anybody would take them."""
    purposes: list[NonEmpty] = Field(default_factory=list)
    why: str = ""


class TaskReviewAnswer(Contract):
    tasks: list[ReviewedTask]


class TaskToRead(Contract):
    """A request with what is known of it."""

    task: Identifier
    clock: str
    """When it is made."""
    text: str
    rows: list[TableRows]
    """Rows that are in the database for this request alone; the first ones of each table."""
    calls: list[str]
    """What was looked up and done for it, with the beginning of each answer; the first ones."""
    told: str
    """What the person was told at last."""


class TaskReadingContext(Contract):
    """schema `task_reading`: what would somebody who works there find odd about each of these requests?"""

    service: str
    rules: list[str]
    tasks: list[TaskToRead]


class TaskRead(Contract):
    task: Identifier
    verdict: Literal["natural", "odd", "wrong"]
    """`natural`: somebody could well ask this. `odd`: there is a slip in it. `wrong`: nobody would ask it, or it cannot
    be so."""
    oddity: str = ""
    """The fault, in a sentence."""
    instead: str = ""
    """How a person would say it, or what they would ask in its place."""


class TaskReadingAnswer(Contract):
    tasks: list[TaskRead]
