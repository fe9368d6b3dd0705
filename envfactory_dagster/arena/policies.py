"""The policies of an experiment: the one that each arm has come to, and who plays as it.

Belongs here: looking them up, and the policies that need no training to be played. Does not: training, and serving
what was trained (`resources.trained`), and playing (`tasks.playing`).
"""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from typing import ClassVar, Protocol

from envfactory_dagster.arena.rounds import ArenaRound
from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.contracts.evolution import Arm, RoundPolicy
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Role
from envfactory_dagster.language.settings import LanguageSettings
from envfactory_dagster.rollouts.settings import AgentView
from envfactory_dagster.store.records import RecordStore

POLICY_OF: dict[Arm, str] = {
    "targeted": "round_policy",
    "untargeted": "control_untargeted",
    "base": "control_base",
}
"""What each arm's policy is called, as an asset and as a stage."""


@dataclass(frozen=True, slots=True)
class Playing:
    """A policy that can be reached while this is open. `models` names it as the model of the role solver."""

    name: str
    """Its name in results."""
    gateway: Gateway
    models: LanguageSettings
    people: Gateway
    """The gateway to the model that plays the person."""


class Policies(Protocol):
    """The policies of an experiment."""

    @property
    def told(self) -> list[Json]:
        """What makes these policies differ from those of another experiment."""

    @property
    def view(self) -> AgentView:
        """What each of them is shown when it plays."""

    @property
    def are_trained(self) -> bool:
        """Whether each round is played by the policy that was trained after the one before."""

    def playing(self, policy: RoundPolicy | None) -> AbstractAsyncContextManager[Playing]:
        """None: the one that the first round begins with."""


@dataclass(frozen=True, slots=True)
class OnePolicy:
    """A model, or a reference policy, that plays all rounds and is not trained in between."""

    gateway: Gateway
    models: LanguageSettings
    view: AgentView = field(default_factory=AgentView)
    are_trained: ClassVar[bool] = False

    @property
    def told(self) -> list[Json]:
        return [self.models.model(Role.SOLVER), self.models.model(Role.USER)]

    @asynccontextmanager
    async def playing(self, policy: RoundPolicy | None) -> AsyncIterator[Playing]:
        yield Playing(self.models.model(Role.SOLVER), self.gateway, self.models, self.gateway)


@dataclass(frozen=True, slots=True)
class SimulatedPolicies:
    """Simulated learners. `models` names the one that the first round begins with."""

    gateway: Gateway
    models: LanguageSettings
    view: ClassVar[AgentView] = AgentView()
    are_trained: ClassVar[bool] = True

    @property
    def told(self) -> list[Json]:
        return [self.models.model(Role.SOLVER), self.models.model(Role.USER)]

    @asynccontextmanager
    async def playing(self, policy: RoundPolicy | None) -> AsyncIterator[Playing]:
        models = self.models
        if policy is not None:
            models = models.model_copy(update={"models": {**models.models, Role.SOLVER: policy.name}})
        yield Playing(models.model(Role.SOLVER), self.gateway, models, self.gateway)


def policy_after(records: RecordStore, this: ArenaRound, arm: Arm) -> RoundPolicy | None:
    """The one that an arm has after a round, where it was trained."""
    record = records.latest(POLICY_OF[arm], this.key)
    return None if record is None or record.artifact is None else RoundPolicy.model_validate(record.artifact)


def policy_before(records: RecordStore, this: ArenaRound, arm: Arm) -> RoundPolicy | None:
    """The one that an arm begins a round with; None for the one that the first round begins with."""
    if not this.before:
        return None
    found = policy_after(records, this.before[-1], arm)
    if found is None:
        raise UsageError(
            f"{this.key} goes on from the {POLICY_OF[arm]} of {this.before[-1].key}, which is not made yet; "
            "`envfactory evolve` makes one round after the other."
        )
    return found
