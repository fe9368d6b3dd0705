"""What a policy behind an endpoint does on a benchmark: how it was asked, every try, and the figures of a whole set.

Belongs here: what measurements keep and show. Does not: taking them (`measuring`).
"""

from typing import Literal

from pydantic import Field

from envfactory_dagster.contracts.base import Artifact, Contract, NonEmpty
from envfactory_dagster.contracts.records import Spent

BenchmarkName = Literal["held-out", "bfcl", "tau2"]


class Decoding(Contract):
    """How the measured model is told to choose its tokens. None: nothing is said, so that the endpoint's own way
    holds."""

    temperature: float | None = Field(default=None, ge=0.0)
    top_p: float | None = Field(default=None, gt=0.0, le=1.0)
    top_k: int | None = Field(default=None, ge=1)


class BenchmarkSetup(Contract):
    """Everything that decides what a figure means. Another setup is another measurement."""

    benchmark: BenchmarkName
    version: NonEmpty
    """Of the package, or of the dataset, that the tasks are from."""
    categories: list[NonEmpty] = Field(min_length=1)
    """Those that are measured, each of them whole."""
    model: NonEmpty
    endpoint: NonEmpty
    user_model: str | None = None
    """The model that plays a simulated person; `reference` is a script."""
    decoding: Decoding
    most_output_tokens: int
    """Of one message."""
    tries: int = Field(ge=1)
    """The number of tries of each task."""


class Try(Contract):
    """One try at one task. A try that its surroundings spoiled is none: it is made again."""

    task: NonEmpty
    category: NonEmpty
    group: NonEmpty
    """Tasks of one group have much in common, as those of one environment have."""
    seed: int
    score: float
    passed: bool
    outcome: NonEmpty
    detail: str = ""
    messages: int
    """Of the model."""


class MeasuredTask(Contract):
    """A task with all its tries."""

    task: NonEmpty
    category: NonEmpty
    group: NonEmpty
    scores: list[float] = Field(min_length=1)
    passed: int
    outcomes: dict[str, int]


class Spread(Contract):
    """A mean over tasks, and between what it lies in 95 of 100 resamples of them."""

    mean: float
    low: float
    high: float


class Scores(Contract):
    """The figures of one set of tasks that was tried to its end."""

    tasks: int
    score: Spread
    """The mean score of a try."""
    pass_all: dict[int, Spread]
    """k → pass^k: how likely k tries all pass."""
    best: dict[int, Spread]
    """k → max@k: the expected best score of k tries; of scores that are 0 or 1 it is pass@k."""


class Contamination(Contract):
    """Tasks whose words are in the rows that the policies of this home learn from."""

    compared_with: dict[str, str]
    """Dataset → version. Empty: the home has no dataset, so that nothing is known."""
    tasks: dict[str, str]
    """Task → a row that has a run of its words."""


class BenchmarkResult(Artifact):
    """A measurement that is complete: there is none of an incomplete set."""

    setup: BenchmarkSetup
    scores: dict[str, Scores]
    """Category → its figures; `all`: of all measured tasks; `uncontaminated`: of all but those named below."""
    aggregates: dict[str, float]
    """What the benchmark itself tells, worked out as its authors do."""
    missing: list[str]
    """Parts of the benchmark that were not measured. An aggregate that needs one of them is not told."""
    contamination: Contamination
    spent: Spent
    """By all runs that it took, the simulated person included."""
