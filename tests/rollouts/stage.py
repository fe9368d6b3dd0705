"""One task of the alpine huts, played by whoever a test brings."""

from typing import Any

from envfactory_dagster.contracts.truth import ReferenceSolution
from envfactory_dagster.rollouts.assignments import Assignment, assignments
from envfactory_dagster.rollouts.engine import Engine
from envfactory_dagster.rollouts.model import Model
from envfactory_dagster.rollouts.scoring import Rollout
from envfactory_dagster.rollouts.settings import RolloutSettings
from envfactory_dagster.rollouts.store import TrajectoryStore
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.truth.replay import replay
from envfactory_dagster.truth.rewards import RewardSettings
from tests.rollouts.scripted import calls

LOOK = calls(("list_payment_methods", {}))
ASSIGNED = dict[str, Assignment]
GOLDS = dict[str, ReferenceSolution]


class Stage:
    """A task, and where its episodes go."""

    def __init__(
        self, runtime: Runtime, store: TrajectoryStore, assignment: Assignment, gold: ReferenceSolution | None = None
    ) -> None:
        self.runtime, self.store, self.assignment, self.gold = runtime, store, assignment, gold

    @property
    def strict(self) -> "Stage":
        """The same with a reward for which any wrong call ends the episode."""
        one, gold = self.assignment, self.gold
        assert gold is not None
        strict = RewardSettings(format_rules="all")
        [assignment] = assignments(one.bundle, {one.task.id: gold}, one.bundle.verifiers, strict)
        return Stage(self.runtime, self.store, assignment, gold)

    async def all(self, agent: Model, user: Model | None = None, **settings: Any) -> list[Rollout]:
        engine = Engine(self.runtime, agent, RolloutSettings(**settings), self.store, user)
        return [rollout async for rollout in engine.roll([self.assignment])]

    async def one(self, agent: Model, user: Model | None = None, **settings: Any) -> Rollout:
        """The only episode; it is in the store, and it replays."""
        [rollout] = await self.all(agent, user, **settings)
        assert self.store.read(self.assignment.bundle)[-1] == rollout
        assert (await replay(self.runtime, self.assignment.bundle, rollout.trajectory)).reproduced
        return rollout
