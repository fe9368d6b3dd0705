"""Task families: what an author writes once, and from which any number of tasks are drawn.

Belongs here: a family, what one draw from it gives, and what the stage `task_families` asks for and stores. Does not:
drawing and gating (`tasks.families`), and the worker that a family's code runs in (`runtime.family_worker`).
"""

from collections.abc import Mapping
from typing import Annotated, Self

from pydantic import AfterValidator, Field, StringConstraints, model_validator

from envfactory_dagster.contracts.base import Artifact, Contract, Identifier, Json, NonEmpty, unique
from envfactory_dagster.contracts.database import Cell, Table, TableRows
from envfactory_dagster.contracts.domain import TaskKind, Theme
from envfactory_dagster.contracts.reports import AnswerField
from envfactory_dagster.contracts.synthesis import MadeTask
from envfactory_dagster.contracts.tool_signatures import ToolSignature
from envfactory_dagster.contracts.truth import Dropped

LEAST_WORDINGS = 3

FamilyName = Annotated[
    str,
    StringConstraints(pattern=r"^[a-z][a-z0-9_]*$", max_length=36),
    AfterValidator(lambda name: name.rstrip("_")),
]
"""Short, because a task's id is this name with the seed and a number after it."""


class Proven(Contract):
    """What trying a family's instances has shown, and what its tasks need not learn again."""

    instances: int = Field(ge=0)
    """The number of instances that passed the whole gate."""
    volatile: dict[str, list[str]] = Field(default_factory=dict)
    """As in `ReferenceSolution`, over all of these instances."""
    relative: dict[str, list[str]] = Field(default_factory=dict)


class FamilyDescription(Contract):
    """Everything about a family but its code."""

    name: FamilyName
    about: NonEmpty
    """What a person wants here, in a sentence."""
    hard: NonEmpty
    """What makes it hard."""
    kind: TaskKind
    """Of instances that do not say their own."""
    rule: Identifier | None = None
    entities: list[NonEmpty] = Field(min_length=1)
    wordings: list[NonEmpty] = Field(min_length=LEAST_WORDINGS)
    """What the person says, with slots in braces: `{hut}`, `{day:date}`, `{limit:money}`, `{names:list}`."""
    answer_form: list[AnswerField] = Field(default_factory=list)

    @model_validator(mode="after")
    def _wordings_differ(self) -> Self:
        unique(self.wordings, "wordings")
        return self


class TaskFamily(FamilyDescription):
    """A kind of task with everything that tasks of it are made from."""

    source: NonEmpty
    """A module: `instances(world, rng)`, `solve(tools, p)`, checks `goal_…(world, p)` and `guard_…(world, p)`."""
    proven: Proven | None = None
    """None: nobody has tried it yet."""

    def description(self) -> dict[str, Json]:
        """Everything but the code, as it stands beside it in a bundle."""
        dumped: dict[str, Json] = self.model_dump(mode="json", exclude={"source"})
        return dumped


class FamilyInstance(Contract):
    """One draw: the parameters of a task, and the rows it brings along."""

    p: dict[str, Json]
    kind: TaskKind | None = None
    """Where it is another than the family's."""
    rule: Identifier | None = None
    given: dict[Identifier, list[dict[Identifier, Cell]]] = Field(default_factory=dict)
    """Table → rows that are in the state beside those that are there already."""


class FamilyRecord(Contract):
    """A family that was accepted, with what became of the instances that were tried."""

    family: TaskFamily
    tried: int
    dropped: list[Dropped] = Field(default_factory=list)
    skeletons: int
    """How many different chains of tools its solutions make."""
    levels: dict[str, int] = Field(default_factory=dict)
    """Level of difficulty → instances."""


class TaskFamilies(Artifact):
    """The families of an environment, those that were given up, and the tasks that came of trying them."""

    families: list[FamilyRecord]
    tasks: list[MadeTask] = Field(default_factory=list)
    """A few of each family that stood the whole gate, in states of the environment: they are released with it."""
    dropped: list[Dropped] = Field(default_factory=list)
    """Families that were not accepted; `task` is the name."""
    declined: str = ""
    """Why the author gave none at all."""

    @model_validator(mode="after")
    def _each_family_once(self) -> Self:
        unique([record.family.name for record in self.families], "families")
        return self


# -- what a model is asked ---------------------------------------------------------------------------------------------


class TaskFamiliesContext(Contract):
    """schema `task_families`: several families of tasks. What all questions for an environment have in common comes
    first."""

    theme: Theme
    tables: list[Table]
    tools: list[ToolSignature]
    states: dict[Identifier, str]
    """Every initial state with its time."""
    sample_rows: list[TableRows]
    """The first rows of the first of them."""
    tasks: list[str]
    """What people ask for already, one task each."""
    taken: list[str]
    """Families that there are, in a sentence each."""
    number: int = Field(ge=1)
    """Which question of its kind this is: not all families are asked for at once."""
    count: int = Field(ge=1)
    """The number of families asked for."""


class FamilyWritten(FamilyDescription):
    source: NonEmpty
    """A module with `instances`, `solve` and the checks."""


class TaskFamiliesAnswer(Contract):
    families: list[FamilyWritten]
    declined: str = ""
    """Why there are none. An author that can write families leaves it empty."""


SLOTS_BY_FORMAT: Mapping[str, str] = {
    "": "text or a number",
    "date": "a day as `2026-03-06`",
    "money": "an amount in cents",
    "list": "a list of texts",
}
"""How a slot is written into a wording, and what it takes."""
