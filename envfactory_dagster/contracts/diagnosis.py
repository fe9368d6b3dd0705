"""What a policy is weak in: failures by class, environments that are clearly weaker, and what is to be practised there.

Belongs here: what the stage `diagnosis` stores, and the question that a model is asked for it. Does not: computing any
of it (`arena.diagnosis`).
"""

from typing import Literal, Self

from pydantic import Field, model_validator

from envfactory_dagster.contracts.base import Artifact, Contract, Identifier, NonEmpty, Slug
from envfactory_dagster.contracts.domain import Rule, TaskKind

FailureClass = Literal[
    "hallucinated_tool",
    "bad_arguments",
    "format",
    "loops",
    "over_asking",
    "step_limit",
    "forbidden_done",
    "not_refused",
    "wrong_reason",
    "wrong_entity",
    "wrong_value",
    "extra_write",
    "missing_write",
    "stopped_early",
    "refused_wrongly",
    "no_report",
    "answer_missing",
    "answer_wrong",
    "message_wrong",
    "other",
]
"""Why an episode was failed, worked out from its calls, its changes and its report."""

MEANINGS: dict[FailureClass, str] = {
    "hallucinated_tool": "calls a tool that there is not, and does not do it otherwise",
    "bad_arguments": "calls a tool with arguments that cannot be read or do not fit its schema",
    "format": "breaks a rule of form that ends the episode",
    "loops": "makes the same calls again and again",
    "over_asking": "asks the person instead of doing or reporting",
    "step_limit": "comes to no end within its steps or tokens",
    "forbidden_done": "does what a rule forbids",
    "not_refused": "reports as done what had to be declined",
    "wrong_reason": "declines rightly, and says otherwise why",
    "wrong_entity": "does the right thing to the wrong row",
    "wrong_value": "writes another value than was asked for",
    "extra_write": "changes something that nobody asked for",
    "missing_write": "leaves out a change in between",
    "stopped_early": "ends before everything is done or looked up",
    "refused_wrongly": "declines or gives up what can be done",
    "no_report": "hands in no report",
    "answer_missing": "leaves an answer empty",
    "answer_wrong": "does everything, and answers wrongly",
    "message_wrong": "tells the person something else than it reports",
    "other": "fails in another way",
}

DiagnosedBy = Literal["model", "computed"]
"""`computed`: no model answered, or none of its answers stood the gate."""


class EvidencePointer(Contract):
    """Where something is to be seen."""

    environment: Slug
    task: Identifier
    seed: int
    step: int = Field(ge=0)


class Failure(Contract):
    """One episode that was failed by whoever played it."""

    at: EvidencePointer
    category: NonEmpty
    failure: FailureClass
    kind: TaskKind
    level: int
    detail: str = ""
    """The evidence, in a sentence."""
    tools: list[str] = Field(default_factory=list)
    """The tools that it is about."""


class FailurePattern(Contract):
    """Failures with one root cause."""

    id: Identifier
    root_cause: FailureClass
    description: NonEmpty
    share: float = Field(ge=0.0, le=1.0)
    """Of all failed episodes, those of this class."""
    evidence: list[EvidencePointer] = Field(min_length=1)


class WeakEnvironment(Contract):
    environment: Slug
    rank: int = Field(ge=1)
    severity: float = Field(ge=0.0, le=1.0)
    pass_rate: float = Field(ge=0.0, le=1.0)
    tasks: int = Field(ge=1)
    patterns: list[Identifier]
    why: NonEmpty


class Guideline(Contract):
    """A skill to practise in a weak environment."""

    environment: Slug
    missing_capability: NonEmpty
    practise: list[NonEmpty] = Field(min_length=1)
    """Tools, tables and ids of rules of the environment."""
    kind: TaskKind | None = None
    """Of tasks that practise it; None: of any kind."""
    least_calls: int = Field(default=1, ge=1)
    level: int = Field(default=1, ge=1, le=8)
    avoid: list[NonEmpty] = Field(default_factory=list)
    """What would not help, in words."""
    needs: str = ""
    """The records that the world lacks for it, in a sentence; empty: none."""
    tasks: int = Field(default=12, ge=1, le=50)
    """How many."""


class DiagnosisWritten(Contract):
    """What a model answers."""

    patterns: list[FailurePattern]
    weak: list[WeakEnvironment]
    guidelines: list[Guideline]


class Diagnosis(Artifact):
    """What a round shows of a policy."""

    policy: NonEmpty
    author: DiagnosedBy
    model: str | None = None
    """The model that was asked; None if there was none."""
    refused: str = ""
    """Why a model's answer was not taken."""
    instances: int
    """Episodes that count."""
    failed: int
    pass_rate: float
    spoiled: int
    """Episodes that their surroundings spoiled: a matter of ours and not of the policy."""
    failures: list[Failure]
    patterns: list[FailurePattern]
    weak: list[WeakEnvironment]
    """The weakest first. Empty: none is clearly weaker than the others, or nothing was failed."""
    clear: bool
    """Whether those are clearly weaker; else they are those with the lowest rates."""
    guidelines: list[Guideline]

    @model_validator(mode="after")
    def _ranks_are_in_order(self) -> Self:
        if [one.rank for one in self.weak] != list(range(1, len(self.weak) + 1)):
            raise ValueError("weak environments are ranked 1, 2, 3, in order")
        return self


# -- the question ------------------------------------------------------------------------------------------------------


class ClassCount(Contract):
    group: str
    failed: int
    by_class: dict[str, int]


class FailureStepShown(Contract):
    number: int
    said: str
    calls: list[str]


class FailureShown(Contract):
    """An episode, cut short."""

    at: EvidencePointer
    failure: FailureClass
    detail: str
    task: str
    steps: list[FailureStepShown]
    report: str
    reasons: list[str]
    """What the verifier found."""


class ExaminedEnvironment(Contract):
    key: Slug
    name: str
    category: str
    pass_rate: float
    low: float
    high: float
    tasks: int
    tools: dict[str, str]
    tables: list[str]
    rules: list[Rule]
    may_be_weak: bool
    """Whether it was failed often enough to be called weak."""


class DiagnosisContext(Contract):
    """schema `diagnosis`: what is a policy weak in, where, and what should it practise?"""

    policy: str
    protocol: str
    instances: int
    pass_rate: float
    classes: dict[str, str]
    """What each class of failure means."""
    overall: ClassCount
    by_environment: list[ClassCount]
    by_category: list[ClassCount]
    environments: list[ExaminedEnvironment]
    most_weak: int
    episodes: list[FailureShown]
