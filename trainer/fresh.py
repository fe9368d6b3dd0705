"""Fresh tasks of the environments of a run, drawn from their task families before it begins.

Belongs here: which environments they are drawn from, and making assignments of them. Does not: drawing and gating
(`envfactory_dagster.tasks.families`), or the tasks of a dataset (`tasks`).
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.synthesis import MadeTask, Release
from envfactory_dagster.rollouts.assignments import Assignment
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.tasks.families.sampling import fresh_tasks
from envfactory_dagster.tasks.released import released
from envfactory_dagster.truth.rewards import RewardSettings


@dataclass(frozen=True, slots=True)
class FreshTasks:
    tasks: list[Assignment]
    levels: list[int]
    """Of each task, how hard it is."""
    dropped: int
    """Draws that did not stand their gate, or that need a tool which the run does not have."""


def draw_fresh(known: Sequence[Assignment], count: int, seed: int, rewards: RewardSettings) -> FreshTasks:
    """So many of each environment of these tasks that has families; the same in every process of a run."""
    return asyncio.run(_drawn(known, count, seed, rewards))


async def _drawn(known: Sequence[Assignment], count: int, seed: int, rewards: RewardSettings) -> FreshTasks:
    found = FreshTasks([], [], 0)
    bundles = {one.bundle.version: one.bundle for one in known if one.bundle.families}
    async with Runtime() as runtime:
        for version, bundle in bundles.items():
            withheld = set.intersection(*(set(one.task.withheld) for one in known if one.bundle.version == version))
            one = await _of_one(runtime, bundle, sorted(withheld), count, seed, rewards)
            found = FreshTasks(found.tasks + one.tasks, found.levels + one.levels, found.dropped + one.dropped)
    return found


async def _of_one(
    runtime: Runtime, bundle: Bundle, withheld: list[str], count: int, seed: int, rewards: RewardSettings
) -> FreshTasks:
    fresh = await fresh_tasks(runtime, bundle, count, seed)
    playable = [made for made in fresh.tasks if not _tools_of(made).intersection(withheld)]
    release = Release(version=fresh.bundle.version, tasks=playable)
    tasks = [one.without(withheld) for one in released(fresh.bundle, release, rewards)]
    left_out = len(fresh.tasks) - len(playable)
    return FreshTasks(tasks, [made.difficulty.level for made in playable], len(fresh.dropped) + left_out)


def _tools_of(made: MadeTask) -> set[str]:
    return {call.tool for call in made.solution.calls}
