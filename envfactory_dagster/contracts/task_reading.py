"""What a judge is asked who reads tasks as somebody of the trade would (schema `task_reading`).

Belongs here: the typed context and the answer owed. Does not: the words around them, and what comes of the answer
(`tasks.task_reading`).
"""

from typing import Literal

from envfactory_dagster.contracts.base import Contract, Identifier
from envfactory_dagster.contracts.database import TableRows


class TaskToRead(Contract):
    """A request with what is known of it."""

    task: Identifier
    clock: str
    """When it is made."""
    text: str
    rows: list[TableRows]
    """That are in the database for this request alone; the first ones of each table."""
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
    """Somebody could well ask this; there is a slip in it; nobody would ask it, or it cannot be so."""
    oddity: str = ""
    """What is odd or wrong, in a sentence."""
    instead: str = ""
    """How a person would say it, or what they would ask in its place."""


class TaskReadingAnswer(Contract):
    tasks: list[TaskRead]
