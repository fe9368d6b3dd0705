"""Tasks that are made out of an environment once it stands: over its tool graph, by a program, as a conversation.

Belongs here: what the stages `graph_tasks`, `program_tasks`, `conversations` and `release` store. Does not: what a
model is asked on the way (a module beside this one for each), and how tasks are made (`tasks`).
"""

from collections.abc import Mapping
from typing import Any, ClassVar, Literal, Self

from pydantic import Field, SerializerFunctionWrapHandler, model_serializer, model_validator

from envfactory_dagster.contracts.base import Artifact, Contract, Identifier, NonEmpty, unique
from envfactory_dagster.contracts.database import TableRows
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.reports import Report
from envfactory_dagster.contracts.trajectory import Criterion
from envfactory_dagster.contracts.truth import BEFORE_REPORTS, Dropped, GatedVerifier, ReferenceSolution, RowChange

TaskSource = Literal["task_set", "graph", "program", "family", "conversation"]
"""The author's own list; a walk over the tool graph; a hard question with its program; drawn from a task family; any of
these as a conversation, or a variant of one."""

Refinement = Literal["implicit_reference", "action_compression", "ambiguity", "goal_expansion"]
"""Things called by what they are and not by their numbers; several actions asked for in one breath; a wish left open
until asked; a related second wish, added to the task before its truth is made."""

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
    """Which share of the `runs` of the `solver` came to the end of the reference solution; None where nobody has played
    these words."""
    solver: str | None = None
    """The model that played these words for the proof of them."""
    runs: int = Field(default=0, ge=0)
    """How often it played."""


WordsVerdict = Literal["accepted", "unproven", "disputed", "not_played"]
"""Whether words say what their reference solution does. At least two runs came to its end, and more than to any other;
no two runs came to the same end; at least two came to one other end, and no fewer than to that of the solution, so that
the solution is as suspect as they are, or the words mean two things; nobody has played."""


class WordsStanding(Contract):
    """What came of a task when somebody who saw nothing but its words played it."""

    verdict: WordsVerdict
    solver: str | None = None
    runs: int = Field(default=0, ge=0)
    at_gold: int = Field(default=0, ge=0)
    """Of the runs, those that came to the end of the reference solution."""

    @property
    def pass_rate(self) -> float | None:
        return self.at_gold / self.runs if self.runs else None

    @model_validator(mode="after")
    def _somebody_played(self) -> Self:
        played = self.solver is not None and self.runs > 0
        if played == (self.verdict == "not_played") or self.at_gold > self.runs:
            raise ValueError(f"{self.runs} runs of {self.solver}, {self.at_gold} at gold, cannot be {self.verdict}")
        return self


class ReachedEnd(Contract):
    """An end other than that of the reference solution, and which runs came to it."""

    seeds: list[int]
    """Of the runs."""
    report: Report
    changes: list[RowChange]
    """The first ones."""
    changed: int
    """How many there are."""
    refused: str
    """Why the verifier refuses it."""


class ProofOfWords(WordsStanding):
    """The same with every other end that a run came to, those of most runs first. Runs that broke off are at none."""

    ends: list[ReachedEnd] = Field(default_factory=list)
    unanswered: str = ""
    """Why a run broke off again when it was made once more: a model gave no answer. No further runs were made then."""

    @property
    def standing(self) -> WordsStanding:
        return WordsStanding(verdict=self.verdict, solver=self.solver, runs=self.runs, at_gold=self.at_gold)


TurnKind = Literal["wish", "detail", "insist"]
"""Something the person brings up of their own accord; something they say when the assistant asks for it; what they say
when they have been refused and do not give up at once."""


class Turn(Contract):
    """One thing a person comes up with in a conversation, and what it takes."""

    kind: TurnKind = "wish"
    goal: NonEmpty
    """In plain words, for whoever plays the person."""
    request: NonEmpty
    """As the person says it."""
    calls: int = Field(ge=0)
    """How many calls of the reference solution belong to it. Turns take the calls in order."""

    @model_serializer(mode="wrap")
    def _without_the_usual_kind(self, written: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """As it was written before there were kinds, where it is a wish: such bundles keep their version."""
        return {name: value for name, value in written(self).items() if name != "kind" or value != "wish"}


class Conversation(Contract):
    """How a person brings a task to an assistant."""

    scenario: NonEmpty
    persona: NonEmpty
    turns: list[Turn] = Field(min_length=1)
    answers: list[NonEmpty] = Field(default_factory=list)
    """What the person says only when asked."""
    refinements: list[Refinement] = Field(default_factory=list)
    variant: Variant = "plain"


class OwnRows(Contract):
    """Rows that the database of one task has beside those of a state: the task starts in a state named like itself."""

    state: Identifier
    """What they are added to."""
    rows: list[TableRows]


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
    own_rows: OwnRows | None = None
    conversation: Conversation | None = None
    masked: dict[str, list[str]] = Field(default_factory=dict)
    """Tool → arguments whose value does not matter for the end."""
    words: ProofOfWords | None = None
    """None before the release, which has the words played."""

    @property
    def needs_the_person(self) -> bool:
        """Whether the person does a part of it, so that it can only be played where there is one."""
        return any(call.principal == "user" for call in self.solution.calls)

    @property
    def setting(self) -> Literal["single", "conversation"]:
        """How it is meant to be played: with the person where it is a conversation, or they do a part of it."""
        return "single" if self.conversation is None and not self.needs_the_person else "conversation"

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
    held_back: list[MadeTask] = Field(default_factory=list)
    """Tasks that have their truth and whose words are not proved: they are kept here and are not in the bundle."""
    dropped: list[Dropped] = Field(default_factory=list)
