"""Playing groups with the policy that is being trained.

Belongs here: tasks in, groups of finished rollouts out, and where the time went. Does not: the loop of an episode
(`envfactory_dagster.rollouts`), or what is learned from it (`groups`).
"""

import asyncio
import time
from collections import defaultdict
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import get_args

from envfactory_dagster.rollouts.assignments import Assignment
from envfactory_dagster.rollouts.engine import Engine, WaitingTime
from envfactory_dagster.rollouts.reference import Player
from envfactory_dagster.rollouts.scoring import Rollout
from envfactory_dagster.rollouts.settings import RolloutSettings, Setting
from envfactory_dagster.rollouts.store import TrajectoryStore
from envfactory_dagster.runtime.pool import SessionPool
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.home import Home
from envfactory_dagster.truth.judging import Judge
from envfactory_dagster.truth.rewards import RewardSettings, Schedule

from .failures import EnvironmentsDown
from .people import judge_of, person_for
from .policies import LoadedPolicy
from .recipe import Grpo, Recipe
from .sampling import PolicyModel, Sampling

_CALLER = "rl_policy"
Surroundings = tuple[Runtime, SessionPool, Judge | None, Player | None]
"""What groups are played in."""


@dataclass(slots=True)
class Played:
    """The groups of one batch, in the order of their tasks."""

    groups: list[list[Rollout]]
    seconds: float
    model_seconds: float
    """In which the policy was writing, or its text was made while it was idle; the rest is environments and verdicts.
    What these do while the policy writes costs no time, and is in no figure."""
    session_seconds: float
    """In which at least one episode waited for its session, whether or not the policy wrote for others meanwhile."""


REWARDS: dict[str, RewardSettings] = {
    "verdict": RewardSettings(weights={"checks": 1.0}),
    "agent_world_model": RewardSettings(weights={"outcome": 1.0}),
    "env_factory": RewardSettings(weights={"path_and_state": 1.0}),
}
"""The rewards that a recipe may name (`Grpo.reward`)."""


def rollout_settings(grpo: Grpo, step: int = 0) -> RolloutSettings:
    """For a policy in this process: its slowness is no failure, so that it may take what time it needs."""
    reward = REWARDS[grpo.reward] if isinstance(grpo.reward, str) else grpo.reward
    now = {"alpha": Schedule(start=reward.alpha.at(step)), "gamma": Schedule(start=reward.gamma.at(step))}
    return RolloutSettings(
        protocol=grpo.protocol,
        candidates=grpo.group,
        in_flight=grpo.in_flight,
        most_steps=grpo.most_turns,
        window=grpo.window,
        temperature=grpo.temperature,
        token_ids=True,
        step_seconds=None,
        reward=reward.model_copy(update=now),
    )


async def begun(surroundings: AsyncExitStack, recipe: Recipe, tasks: Sequence[Assignment], home: Home) -> Surroundings:
    """All that is needed to play these tasks, until `surroundings` is closed. Models that take part are paid from the
    budget of the home."""
    runtime = await surroundings.enter_async_context(Runtime())
    judge = await judge_of(rollout_settings(recipe.grpo).reward, _CALLER, home, surroundings)
    person = await person_for(tasks, _CALLER, home, surroundings)
    return runtime, await surroundings.enter_async_context(SessionPool(runtime)), judge, person


async def play(
    runtime: Runtime,
    policy: LoadedPolicy,
    sampling: Sampling,
    settings: RolloutSettings,
    tasks: Sequence[Assignment],
    sessions: SessionPool,
    *,
    ahead: Sequence[Assignment],
    folder: Path,
    seed: int,
    name: str,
    judge: Judge | None = None,
    person: Player | None = None,
) -> Played:
    """Every task by a group. The rollouts are kept in `folder`, which must be of this batch alone. `ahead`: what will
    be played next; while the policy writes, its environments start. `judge`: who is asked where the reward needs a
    judge. `person`: who plays the person where tasks are conversations."""
    model = PolicyModel(policy, sampling, name)
    store = TrajectoryStore(Home.resolve(folder))
    waiting = WaitingTime()
    _open_ahead(sessions, (*tasks, *ahead), settings.candidates)
    found: defaultdict[tuple[str, str], list[Rollout]] = defaultdict(list)

    async def rolled(setting: Setting) -> None:
        chosen = [one for one in tasks if one.setting == setting]
        played_so = replace(settings, setting=setting)
        engine = Engine(runtime, model, played_so, store, person, judge, waiting=waiting, sessions=sessions)
        async for rollout in engine.roll(chosen, seed):
            found[rollout.trajectory.bundle_version, rollout.trajectory.task].append(rollout)

    started = time.perf_counter()
    try:
        # Side by side, so that the policy writes for both at once; what is at work is finished before one fails.
        ended = await asyncio.gather(*map(rolled, get_args(Setting)), return_exceptions=True)
    finally:
        await model.close()
    for failure in filter(None, ended):
        raise failure
    groups = [found[one.bundle.version, one.task.id] for one in tasks]
    check_played([rollout for group in groups for rollout in group])
    return Played(groups, time.perf_counter() - started, model.seconds, waiting.seconds)


def _open_ahead(sessions: SessionPool, tasks: Sequence[Assignment], candidates: int) -> None:
    """What is wanted and not begun yet, in this order: of the first batch nothing is."""
    wanted: defaultdict[tuple[str, str], int] = defaultdict(int)
    for one in tasks:
        kind = one.bundle.version, one.task.state
        wanted[kind] += candidates
        missing = wanted[kind] - sessions.begun(one.bundle, state=one.task.state)
        sessions.prefetch(one.bundle, max(0, missing), state=one.task.state)


def check_played(rollouts: Sequence[Rollout]) -> None:
    """That something could be played. Where all surroundings failed, all episodes are alike: that says nothing of the
    policy, and is no sign that there is nothing to learn."""
    if rollouts and all(one.trajectory.outcome == "environment_error" for one in rollouts):
        raise EnvironmentsDown(f"Not one episode could be played to its end: {rollouts[0].detail}")
