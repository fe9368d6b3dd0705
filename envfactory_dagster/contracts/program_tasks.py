"""What a model is asked when it makes a task together with its programs (stage `program_tasks`).

Belongs here: the typed context and the answer owed. Does not: the words around them and the gate
(`tasks.program_tasks`).
"""

from typing import Literal

from pydantic import Field

from envfactory_dagster.contracts.base import Contract, Identifier, NonEmpty
from envfactory_dagster.contracts.database import Table, TableRows
from envfactory_dagster.contracts.domain import Theme
from envfactory_dagster.contracts.reports import AnswerField
from envfactory_dagster.contracts.tool_signatures import ToolSignature

Pattern = Literal["across_lists", "each_one", "for_all", "depending"]
"""Figures from several lists are compared; each of several things is looked into; something is done to all that fit;
what is done depends on a figure."""


class ProgramTaskContext(Contract):
    """schema `program_task`: a hard request of user 1, a program that does it, and checks that tell whether it was
    done. What the tasks of an environment have in common comes first."""

    theme: Theme
    tables: list[Table]
    tools: list[ToolSignature]
    state: Identifier
    """The state the task starts in."""
    sample_rows: list[TableRows]
    """The first rows of that state."""
    clock: str
    """The time in that state."""
    taken: list[str]
    """What others ask for already."""
    number: int = Field(ge=1)
    """Which of the tasks asked for this is."""
    pattern: Pattern
    """A hint."""
    level: int = Field(ge=1, le=5)
    least_calls: int
    least_tools: int


class ProgramTaskAnswer(Contract):
    id: Identifier
    text: NonEmpty
    kind: Literal["action", "information"]
    entities: list[NonEmpty]
    answer_form: list[AnswerField] = Field(default_factory=list)
    """What the task asks to be told, field by field."""
    solution: NonEmpty
    """A module with `solve(tools)`."""
    verifier: NonEmpty
    """A module of `goal_…` and `guard_…` checks."""
