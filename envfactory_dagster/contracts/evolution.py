"""Co-evolution: what is practised after a round, the policies that come of it, and how they fare in what is held out.

Belongs here: what is stored of a round once it is diagnosed, but for the target tasks (`arena`). Does not: drawing,
training and playing (`arena`, `assets.evolution`).
"""

from typing import Literal

from pydantic import Field

from envfactory_dagster.contracts.arena import Rate
from envfactory_dagster.contracts.base import Artifact, Contract, Identifier, NonEmpty, Slug
from envfactory_dagster.contracts.domain import TaskKind

Arm = Literal["targeted", "untargeted", "base"]
"""`targeted`: practises what the diagnosis asks for. The others are controls, with as many tasks and steps:
`untargeted` has fresh tasks that were drawn without the diagnosis, `base` only such as were trained on before."""

PracticeOrigin = Literal["target", "untargeted", "replayed", "base"]


class RicherWorld(Contract):
    """A weak environment of which a guideline says that its data are too poor to practise on."""

    environment: Slug
    wanted: NonEmpty
    """The sentence of the guideline."""
    version: str = ""
    """Of the bundle that holds the richer state; empty: there is none."""
    records: int = 0
    """How many were added."""
    reason: str = ""
    """Why there is none."""


class RicherWorlds(Artifact):
    """What became of the worlds that were to become richer."""

    worlds: list[RicherWorld]


class PractisedTask(Contract):
    """A task of a round's training data."""

    environment: Slug
    task: Identifier
    kind: TaskKind
    origin: PracticeOrigin
    since: str = ""
    """Of a task that was trained on before: the round, or the version of `rl_dataset`, that it comes from."""
    because: str = ""
    """Of a target: the sentence of the diagnosis that asks for it."""


class ArmPractice(Contract):
    """What one arm practises after a round."""

    arm: Arm
    dataset: str
    """The version of its data, and the name of the home below `arena/ROUND/practice/ARM` that holds them."""
    tasks: list[PractisedTask] = Field(min_length=1)


class RoundPractice(Artifact):
    """What each arm practises after a round."""

    arms: list[ArmPractice]
    """One of each, or none at all where the diagnosis calls nothing weak: then there is nothing to practise, and the
    experiment is over."""
    short: dict[Arm, int] = Field(default_factory=dict)
    """How many tasks an arm has too few, compared with the targeted one."""

    def of(self, arm: Arm) -> ArmPractice:
        [found] = [one for one in self.arms if one.arm == arm]
        return found


class RoundPolicy(Artifact):
    """A policy that was trained after a round."""

    arm: Arm
    name: NonEmpty
    """Of a simulated learner the name that it plays under, else its run."""
    simulated: bool
    """Whether it is a simulated learner, which learns nothing."""
    path: str | None = None
    """Its folder below the home; None where there is none."""
    begun: NonEmpty
    """The policy that it goes on from."""
    tasks: int


class ArmEvaluation(Contract):
    """What a policy passes of the held-out tasks."""

    arm: Literal["before", "targeted", "untargeted", "base"]
    """`before`: the policy as the round began, without training."""
    policy: NonEmpty
    """Its name: of a trained policy the asset, the round and the run, `round_policy-first-r00 RUN`."""
    rates: list[Rate]
    """Of all tasks, and of each split."""
    environment_errors: int


class ArmDifference(Contract):
    """How much more the targeted policy passes of the held-out tasks than another, task by task, with the 95 %
    interval."""

    compared_with: Literal["before", "untargeted", "base"]
    policy: NonEmpty
    """The targeted one."""
    tasks: int
    difference: float
    low: float
    high: float
    better: int
    """Tasks that the targeted policy passes more often."""
    worse: int


class RoundEvaluation(Artifact):
    """What the policies of a round do in environments that none of them was trained on."""

    simulated: bool
    note: str
    """What the figures say, and what they do not."""
    dataset: str
    """The version of `rl_dataset` that the tasks are of."""
    candidates: int
    arms: list[ArmEvaluation]
    differences: list[ArmDifference]
