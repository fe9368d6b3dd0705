"""Tasks that are made out of an environment once it stands: over its tool graph, by a program, as a conversation.

Belongs here: what the stages `graph_tasks`, `program_tasks`, `conversations` and `release` store. Does not: what a
model is asked on the way (a module beside this one for each), and how tasks are made (`tasks`).
"""

from collections.abc import Mapping
from typing import ClassVar, Literal, Self

from pydantic import Field, model_validator

from envfactory_dagster.contracts.base import Artifact, Contract, Identifier, NonEmpty, unique
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.trajectory import Criterion
from envfactory_dagster.contracts.truth import BEFORE_REPORTS, Dropped, GatedVerifier, ReferenceSolution

TaskSource = Literal["task_set", "graph", "program", "family", "conversation"]
"""The author's own list; a walk over the tool graph; a hard question with its program; drawn from a task family; any of
these as a conversation, or a variant of one."""

Refinement = Literal["implicit_reference", "action_compression", "ambiguity", "goal_expansion"]
"""Things called by what they are and not by their numbers; several actions asked for in one breath; a wish left open
until asked; a goal named instead of the steps to it."""

Variant = Literal["plain", "missing_parameter", "missing_function", "refusal", "no_tool"]


class Difficulty(Contract):
    """How hard a task was meant to be, and what it takes."""

    level: int = Field(ge=1, le=8)
    """The dial, as it was set."""
    calls: int
    """Of the reference solution, as many as remain when it is shortened: what was known already counts once."""
    tools: int
    """Different ones among them."""
    weak_edges: int = 0
    """Steps of the solution that a weak dependency suggests, and no strong one."""
    independent_steps: int = 0
    """Steps of the solution that no dependency suggests."""
    tables: int = 0
    """Tables that the calls read or write."""
    obscured: bool = False
    """Whether things are called by what they are like and not by their names."""
    pass_rate: float | None = Field(default=None, ge=0.0, le=1.0)
    """Of the reference solver; None where it has not played."""


class Turn(Contract):
    """One thing a person comes up with in a conversation, and what it takes."""

    goal: NonEmpty
    """In plain words, for whoever plays the person."""
    request: NonEmpty
    """As the person says it."""
    calls: int = Field(ge=0)
    """How many calls of the reference solution belong to it. Turns take the calls in order."""


class Conversation(Contract):
    """How a person brings a task to an assistant."""

    scenario: NonEmpty
    persona: NonEmpty
    turns: list[Turn] = Field(min_length=1)
    answers: list[NonEmpty] = Field(default_factory=list)
    """What the person says only when asked."""
    refinements: list[Refinement] = Field(default_factory=list)
    variant: Variant = "plain"


class MadeTask(Contract):
    """A task with its truth: the solution that was run, the verifier that stood its trials."""

    task: Task
    source: TaskSource
    parent: Identifier | None = None
    """The task it was made from."""
    solution: ReferenceSolution
    verifier: GatedVerifier
    rubric: list[Criterion] = Field(default_factory=list)
    difficulty: Difficulty
    conversation: Conversation | None = None
    masked: dict[str, list[str]] = Field(default_factory=dict)
    """Tool → arguments whose value does not matter for the end."""

    @property
    def needs_the_person(self) -> bool:
        """Whether the person does a part of it, so that it can only be played where there is one."""
        return any(call.principal == "user" for call in self.solution.calls)

    @model_validator(mode="after")
    def _one_task(self) -> Self:
        if {self.solution.task, self.verifier.verifier.task} != {self.task.id}:
            raise ValueError(f"solution and verifier are not both of task {self.task.id}")
        if self.conversation is not None and sum(t.calls for t in self.conversation.turns) != len(self.solution.calls):
            raise ValueError(f"the turns of {self.task.id} do not take all calls of its solution")
        return self


class MadeTasks(Artifact):
    """The tasks that one stage made for an environment, and those it gave up."""

    format: int = 2
    outdated: ClassVar[Mapping[int, str]] = BEFORE_REPORTS
    tasks: list[MadeTask]
    dropped: list[Dropped] = Field(default_factory=list)

    @model_validator(mode="after")
    def _each_task_once(self) -> Self:
        unique([made.task.id for made in self.tasks], "tasks made")
        return self


class Release(Artifact):
    """A sealed bundle: the environment with every task that has its truth."""

    format: int = 2
    outdated: ClassVar[Mapping[int, str]] = BEFORE_REPORTS
    version: str
    """Of the bundle in the store."""
    tasks: list[MadeTask] = Field(min_length=1)
    dropped: list[Dropped] = Field(default_factory=list)
