"""Playing what was released: environment after environment, by the models of the roles solver and user.

Belongs here: which environments and tasks are played, in which setting, and by whom. Does not: the loop itself
(`rollouts.engine`), and what is told of the outcome (`rollout_figures`).
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Literal, get_args

from envfactory_dagster.contracts.base import found_in
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.errors import EnvironmentFault, UsageError
from envfactory_dagster.contracts.synthesis import MadeTask, Release
from envfactory_dagster.contracts.trajectory import Protocol
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Caller, Role
from envfactory_dagster.language.settings import LanguageSettings
from envfactory_dagster.rollouts.engine import Engine
from envfactory_dagster.rollouts.reference import Player, player
from envfactory_dagster.rollouts.scoring import Rollout
from envfactory_dagster.rollouts.settings import RolloutSettings, Setting
from envfactory_dagster.rollouts.simulator import Simulator
from envfactory_dagster.rollouts.store import TrajectoryStore
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.bundles import BundleStore
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.records import RecordStore
from envfactory_dagster.tasks.release import ReleaseStage
from envfactory_dagster.tasks.released import released
from envfactory_dagster.truth.judging import Judge, takes_part
from envfactory_dagster.truth.rewards import RewardSettings, needs_judge
from envfactory_dagster.truth.withholding import beyond

log = logging.getLogger(__name__)

CALLER = "trajectories"

IN_FLIGHT = 64
AT_ONCE = 2
"""Environments that share these episodes, so that nobody waits for the last one of the environment before."""

Choice = Literal["as_made", "single", "conversation"]
"""`as_made`: what was made as a conversation is played as one, and so is what the person does a part of; everything
else is said in one message."""


@dataclass(frozen=True, slots=True)
class PlayPlan:
    """What is played. The defaults take everything that was released."""

    candidates: int = 4
    protocol: Protocol = "native"
    setting: Choice = "as_made"
    environments: Sequence[str] = ()
    """Empty: all that are released."""
    most_tasks: int | None = None
    """Of each environment, the first ones of its release."""
    token_ids: bool = False
    window: int | None = None
    """How many of the latest exchanges the solver is shown beside the first one; None: all of them."""
    most_tools: int | None = None
    """So many tools are shown to the solver at most, see `truth.withholding.beyond`; None: all."""
    most_steps: int | None = None
    """Messages of the solver; None: as many as the task needs (`RolloutSettings.steps_for`)."""
    reward: RewardSettings = field(default_factory=RewardSettings)
    """The reward of new episodes; stored ones keep theirs. If it needs a judge, the model of that role is asked."""

    def settings(self, setting: Setting) -> RolloutSettings:
        return RolloutSettings(
            protocol=self.protocol,
            setting=setting,
            candidates=self.candidates,
            in_flight=IN_FLIGHT // AT_ONCE,
            token_ids=self.token_ids,
            window=self.window,
            most_steps=self.most_steps,
            reward=self.reward,
        )

    def tasks(self, release: Release) -> list[MadeTask]:
        return release.tasks[: self.most_tasks]

    def setting_of(self, made: MadeTask) -> Setting:
        return made.setting if self.setting == "as_made" else self.setting


ToPlay = tuple[str, Release]
"""The key of an environment, and its release."""


@dataclass(frozen=True, slots=True)
class PlayedEnvironment:
    """One environment: everything its store holds of the plan, and how much of that is new."""

    release: Release
    rollouts: list[Rollout]
    new: int


@dataclass(frozen=True, slots=True)
class Unplayable:
    """An environment whose bundle is damaged."""

    key: str
    reason: str


@dataclass(slots=True)
class Players:
    """Who plays, where, and where it is kept."""

    home: Home
    gateway: Gateway
    runtime: Runtime
    models: LanguageSettings
    people: Gateway | None = None
    """For the model that plays the person; None: `gateway` as well."""
    simulator: Simulator | None = None
    """Who answers in place of the tools; None: they do."""
    store: TrajectoryStore = field(init=False)

    def __post_init__(self) -> None:
        self.store = TrajectoryStore(self.home)

    def play(self, plan: PlayPlan) -> AsyncGenerator[PlayedEnvironment | Unplayable, None]:
        """Every environment as soon as it is done. Episodes that were played already are not played again."""
        return played(partial(self.environment, plan), to_play(self.home, self.models, plan), AT_ONCE)

    async def environment(self, plan: PlayPlan, to_play: ToPlay) -> PlayedEnvironment | Unplayable:
        key, release = to_play
        try:
            bundle = await asyncio.to_thread(BundleStore(self.home).load, key, release.version)
        except EnvironmentFault as fault:
            return Unplayable(key, str(fault))
        try:
            async with self.store.alone(bundle):
                return await self._play(bundle, release, plan)
        finally:
            self.runtime.retire(bundle)

    async def _play(self, bundle: Bundle, release: Release, plan: PlayPlan) -> PlayedEnvironment:
        made = {one.task.id: one for one in plan.tasks(release)}
        assigned = [
            one.without(beyond(plan.most_tools, bundle, one.task, one.solution))
            for one in await asyncio.to_thread(released, bundle, release, plan.reward)
        ]
        new = 0
        for setting in get_args(Setting):
            wanted = {task for task, one in made.items() if plan.setting_of(one) == setting}
            engine = self._engine(bundle.key, plan.settings(setting))
            async for _ in engine.roll([one for one in assigned if one.task.id in wanted]):
                new += 1
        model = self.models.model(Role.SOLVER)
        kept = await asyncio.to_thread(self.store.read, bundle)
        return PlayedEnvironment(release, [one for one in kept if _belongs(one, made, plan, model)], new)

    def _engine(self, key: str, settings: RolloutSettings) -> Engine:
        return Engine(
            self.runtime,
            self._player(key, Role.SOLVER, settings),
            settings,
            self.store,
            self._player(key, Role.USER, settings) if settings.setting == "conversation" else None,
            Judge(self.gateway, CALLER, key) if takes_part(settings.reward, self.models) else None,
            simulator=self.simulator,
        )

    def _player(self, key: str, role: Role, settings: RolloutSettings) -> Player:
        asks_for_tokens = settings.token_ids and role is Role.SOLVER
        caller = Caller(CALLER, key, role)
        gateway = self.people if role is Role.USER and self.people is not None else self.gateway
        return player(gateway, caller, self.models.model(role), settings.temperature, asks_for_tokens)


async def played(
    environment: Callable[[ToPlay], Awaitable[PlayedEnvironment | Unplayable]], releases: Iterable[ToPlay], at_once: int
) -> AsyncGenerator[PlayedEnvironment | Unplayable, None]:
    """Call `environment` for each release, `at_once` of them at a time, and give each result when it is there."""
    waiting = iter(releases)
    at_work: set[asyncio.Future[PlayedEnvironment | Unplayable]] = set()
    try:
        while True:
            while len(at_work) < at_once and (one := next(waiting, None)) is not None:
                at_work.add(asyncio.ensure_future(environment(one)))
            if not at_work:
                return
            done, at_work = await asyncio.wait(at_work, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                yield task.result()
    finally:
        for task in at_work:
            task.cancel()
        await asyncio.gather(*at_work, return_exceptions=True)


def to_play(home: Home, models: LanguageSettings, plan: PlayPlan) -> list[ToPlay]:
    """The releases of the plan. Raises UsageError where a role that takes part has no model."""
    releases = chosen(RecordStore(home), plan.environments)
    models.require(*_roles(plan, [release for _, release in releases]))
    return releases


def _roles(plan: PlayPlan, releases: Sequence[Release]) -> list[Role]:
    """Who is asked while the plan is played."""
    settings = {plan.setting_of(one) for release in releases for one in plan.tasks(release)}
    users = [Role.USER] if "conversation" in settings else []
    return [Role.SOLVER, *users, *([Role.JUDGE] if needs_judge(plan.reward) else [])]


def chosen(records: RecordStore, environments: Iterable[str]) -> list[ToPlay]:
    """The releases of these environments, or of all; one that is named has to be there. Of all, those that were made
    before reports are left out, and named in the log."""
    stored = {
        record.partition: record.artifact
        for record in records.records(ReleaseStage.name)
        if record.artifact is not None
    }
    named = list(environments)
    unknown = [key for key in named if key not in stored]
    if unknown:
        raise UsageError(f"Not released: {', '.join(unknown)}. Released are: {', '.join(stored) or 'none'}.")
    found = []
    for key in named or stored:
        try:
            with found_in(key):
                found.append((key, Release.model_validate(stored[key])))
        except UsageError as outdated:
            if named:
                raise
            log.warning("%s", outdated)
    return found


def _belongs(rollout: Rollout, made: dict[str, MadeTask], plan: PlayPlan, model: str) -> bool:
    one = rollout.trajectory
    if one.task not in made or (one.protocol, one.model) != (plan.protocol, model):
        return False
    return one.seed < plan.candidates and rollout.setting == plan.setting_of(made[one.task])
