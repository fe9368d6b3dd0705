"""How a task is judged: reference solutions, verifiers, the verdict they give, and how they were themselves tested.

Belongs here: what the stages `reference_solutions` and `verifiers` store, and the parts of it. Does not: running a
solution, comparing changes, judging (`truth`), and rewards.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal, Self

from pydantic import Field, model_validator

from envfactory_dagster.contracts.base import Artifact, Contract, Identifier, Json, NonEmpty, unique
from envfactory_dagster.contracts.calls import Outcome
from envfactory_dagster.contracts.database import Cell
from envfactory_dagster.contracts.reports import AnswerForm, Report
from envfactory_dagster.contracts.tools import Principal


class Verifier(Contract):
    """A module of independent checks, each `def goal_…(world) -> bool` or `def guard_…(world) -> bool`.

    A goal is what must have become true (and is false at the start); a guard what must have stayed true. `world`
    offers `initial` and `final` (read-only databases with `query` and `one`), `changes` (rows touched), `trajectory`
    (the calls), and `report` with `outcome`, `reason` and `says(field, value)`: whether that answer is this value.
    """

    task: Identifier
    source: NonEmpty


class Signal(Contract):
    """What one check returned. `error` is set when it raised, hung or returned something that is not JSON."""

    name: str
    value: Json = None
    error: str | None = None


MessageCheck = Literal["unchecked", "values_only", "judged", "unread"]
"""How the message to the person was held against the report: not at all (there is none), its values by code, or its
words by a judge as well. `unread`: the person was told something by an agent that knew of no reports, and nobody has
read it; then the score says nothing."""


class Verdict(Contract):
    """guards × mean(goals), with every reason; a reward made from it is another thing."""

    score: float = Field(ge=0.0, le=1.0)
    signals: list[Signal] = Field(default_factory=list)
    reasons: list[str] = Field(default_factory=list)
    message: MessageCheck = "unchecked"


class TracedStep(Contract):
    """One tool call as it was made, by whom, and what came of it."""

    tool: str
    principal: Principal = "assistant"
    arguments: dict[str, Json] = Field(default_factory=dict)
    outcome: Outcome = "ok"
    value: Json = None
    error: str | None = None


class RowChange(Contract):
    """One row that a program changed. `before` is None for a created row, `after` for a deleted one."""

    table: str
    key: list[Cell]
    before: dict[str, Cell] | None
    after: dict[str, Cell] | None


class ReferenceSolution(Contract):
    """A program that does what the task asks, and everything that came of running it."""

    task: Identifier
    source: NonEmpty
    alternatives: list[NonEmpty] = Field(default_factory=list)
    """Further programs that reach other ends the task allows."""
    form: AnswerForm = AnswerForm()
    """What the task asks to be told."""
    report: Report
    calls: list[TracedStep]
    changes: list[RowChange]
    state_hash: str
    """Of the database after the program."""
    volatile: dict[str, list[str]] = Field(default_factory=dict)
    """Table → columns whose content depends on ids or on the clock in no regular way: only whether they are filled
    counts."""
    relative: dict[str, list[str]] = Field(default_factory=dict)
    """Table → columns whose days and moments move with the clock: their distance to it counts."""
    dictated: dict[str, list[str]] = Field(default_factory=dict)
    """Table → columns that hold text as the person dictated it: case, a leading article and final punctuation do not
    count."""


class Dropped(Contract):
    """A task that was given up, with the stage that gave it up and why."""

    task: Identifier
    reason: NonEmpty
    stage: str


BEFORE_REPORTS: Mapping[int, str] = {1: "It was made before reports: rebuild it."}
"""The first format: tasks that were judged by what their verifiers found in a text."""


class SolutionSet(Artifact):
    """The tasks of an environment that have a working solution, and those that were dropped."""

    format: int = 2
    outdated: ClassVar[Mapping[int, str]] = BEFORE_REPORTS
    solutions: list[ReferenceSolution]
    dropped: list[Dropped] = Field(default_factory=list)

    @model_validator(mode="after")
    def _each_task_once(self) -> Self:
        unique([s.task for s in self.solutions] + [d.task for d in self.dropped], "tasks solved or dropped")
        return self


TrialKind = Literal["gold", "gold_again", "noop", "minus_write", "minus_person", "mutant", "variant", "alternative"]
"""`minus_person`: gold without what the person does in it."""


class Trial(Contract):
    """One trace that a verifier was shown, what it should have said of it, and what it said."""

    kind: TrialKind
    operator: str = ""
    """Which operator made the mutant or variant."""
    what: str
    """What was changed, in words."""
    expected: Literal["accept", "reject"]
    score: float = Field(ge=0.0, le=1.0)
    right: bool
    reason: str = ""


class TaskGate(Contract):
    """Every trial of one task's verifier. `passed` is the gate's decision."""

    task: Identifier
    trials: list[Trial]
    passed: bool

    def of(self, *kinds: TrialKind) -> list[Trial]:
        return [trial for trial in self.trials if trial.kind in kinds]

    def rate(self, *kinds: TrialKind) -> float | None:
        """The share of trials of these kinds that were judged rightly; None when there were none."""
        trials = self.of(*kinds)
        return sum(trial.right for trial in trials) / len(trials) if trials else None

    @property
    def kill_rate(self) -> float | None:
        return self.rate("mutant")

    @property
    def acceptance_rate(self) -> float | None:
        """Of everything that must be accepted: gold, its variants, and the alternatives."""
        return self.rate("gold", "gold_again", "variant", "alternative")

    @property
    def survivors(self) -> list[Trial]:
        """What should have been rejected and was not."""
        return [trial for trial in self.trials if trial.expected == "reject" and not trial.right]

    @property
    def refused(self) -> list[Trial]:
        """What should have been accepted and was not."""
        return [trial for trial in self.trials if trial.expected == "accept" and not trial.right]


_RIGHT_ENDS: tuple[TrialKind, ...] = ("gold", "gold_again", "variant", "alternative")
_WRONG_ENDS: tuple[TrialKind, ...] = ("noop", "minus_write", "minus_person", "mutant")


@dataclass(frozen=True, slots=True)
class Strength:
    """How verifiers stood their trials: of the ends they were shown, how many they judged rightly."""

    wrong_refused: int = 0
    wrong: int = 0
    right_accepted: int = 0
    right: int = 0

    @classmethod
    def of(cls, gates: Iterable[TaskGate]) -> Self:
        gates = list(gates)
        wrong = [trial for gate in gates for trial in gate.of(*_WRONG_ENDS)]
        right = [trial for gate in gates for trial in gate.of(*_RIGHT_ENDS)]
        return cls(sum(one.right for one in wrong), len(wrong), sum(one.right for one in right), len(right))

    @property
    def trials(self) -> int:
        return self.wrong + self.right


class GatedVerifier(Contract):
    """A verifier together with the trials it stood."""

    verifier: Verifier
    gate: TaskGate

    @model_validator(mode="after")
    def _one_task(self) -> Self:
        if self.verifier.task != self.gate.task:
            raise ValueError(f"the verifier is of task {self.verifier.task}, the gate of task {self.gate.task}")
        return self


class VerifierSet(Artifact):
    """The verifiers of an environment that passed their gate, and the tasks that were dropped."""

    format: int = 2
    outdated: ClassVar[Mapping[int, str]] = BEFORE_REPORTS
    verifiers: list[GatedVerifier]
    dropped: list[Dropped] = Field(default_factory=list)

    @model_validator(mode="after")
    def _each_task_once(self) -> Self:
        unique([v.verifier.task for v in self.verifiers] + [d.task for d in self.dropped], "tasks verified or dropped")
        return self
