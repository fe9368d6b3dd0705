"""The arena: which environments a round plays, with which tasks, and what came of it.

Belongs here: what the stages over `rounds` store. Does not: drawing, playing and counting (`arena`).
"""

from typing import Annotated

from pydantic import Field, StringConstraints

from envfactory_dagster.contracts.base import Artifact, Contract, Identifier, NonEmpty, Slug
from envfactory_dagster.contracts.domain import TaskKind
from envfactory_dagster.contracts.synthesis import TaskSource
from envfactory_dagster.contracts.truth import Dropped

RoundKey = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+(?:-[a-z0-9]+)*-r[0-9]{2}$", max_length=64)]
"""The name of an experiment, and the number of the round in it, from 00."""


class DrawnEnvironment(Contract):
    """An environment that a round is about."""

    key: Slug
    category: NonEmpty
    version: str
    """Of its release."""
    again: bool = False
    """Whether the round before was about it too."""


class ArenaDraw(Artifact):
    """The environments of a round, by category. Once drawn they stay, whatever is released meanwhile."""

    seed: int
    """Of the tasks that are drawn from families."""
    taxonomy: str | None = None
    """The version that the categories are of; None: they are those that the environments' themes name."""
    environments: list[DrawnEnvironment] = Field(min_length=1)
    short: dict[str, int] = Field(default_factory=dict)
    """Category → how many environments it has, where these are fewer than a round wants."""


class RoundTask(Contract):
    """A task of a round, in short. The whole of it is in the release of its environment below the round's home."""

    id: Identifier
    source: TaskSource
    kind: TaskKind
    level: int
    text: NonEmpty


class RoundEnvironment(Contract):
    """An environment with the tasks that it has in this round."""

    key: Slug
    category: NonEmpty
    version: str
    """Of the bundle with these tasks."""
    tasks: list[RoundTask] = Field(min_length=1)
    dropped: list[Dropped] = Field(default_factory=list)
    """Draws that stood no gate, and tasks that would not have been new."""


class ArenaTasks(Artifact):
    """What a round plays."""

    draw: ArenaDraw
    environments: list[RoundEnvironment] = Field(min_length=1)
    without_tasks: dict[Slug, NonEmpty] = Field(default_factory=dict)
    """Environment that was drawn → why nothing is played in it."""


class Rate(Contract):
    """How often tasks were passed, with its 95 % interval. `value` is the mean of the tasks' own rates."""

    group: str
    tasks: int
    episodes: int
    value: float
    low: float
    high: float


class ArenaTaskResult(Contract):
    """What came of a task."""

    environment: Slug
    category: NonEmpty
    task: Identifier
    source: TaskSource
    kind: TaskKind
    level: int
    played: int
    passed: int
    environment_errors: int
    """Episodes that their surroundings spoiled; they are not among those played."""


class ArenaResults(Artifact):
    """What a policy passed in a round."""

    policy: NonEmpty
    candidates: int
    """Episodes of each task."""
    episodes: str
    """Hash of all that was played."""
    tasks: list[ArenaTaskResult]
    overall: Rate
    rates: dict[str, list[Rate]]
    """By what they are grouped: environment, category, kind, level, source."""
    unplayable: dict[Slug, NonEmpty] = Field(default_factory=dict)


class TargetTask(RoundTask):
    """A task that practises what a guideline names."""

    guideline: int = Field(ge=0)
    """Its place in the diagnosis, from 0."""
    practises: list[NonEmpty] = Field(min_length=1)
    """Of what the guideline names, that which the task needs."""


class TargetEnvironment(Contract):
    """A weak environment with the tasks that are to be practised in it."""

    key: Slug
    version: str
    """Of the bundle with these tasks."""
    tasks: list[TargetTask] = Field(min_length=1)


class TargetTasks(Artifact):
    """What a policy is to practise after a round."""

    environments: list[TargetEnvironment]
    """None where the diagnosis calls none weak."""
    dataset: str = ""
    """The version of its rows, and the name of the home below `arena/ROUND/targets` that holds them."""
    missing: dict[str, int] = Field(default_factory=dict)
    """Environment and guideline, `KEY 0` → how many tasks there are too few."""
