"""Fresh tasks beside those of a dataset: drawn from the families of the environments that a run plays."""

import asyncio
from dataclasses import replace

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.synthesis import Release
from envfactory_dagster.rollouts.assignments import Assignment
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.tasks.families.sampling import fresh_tasks
from envfactory_dagster.tasks.released import released
from envfactory_dagster.truth.execution import run_solution
from envfactory_dagster.truth.rewards import RewardSettings
from envfactory_dagster.truth.verdicts import judge
from tests.support.tiny import tiny
from tests.tasks.family_kit import cancelling, family, proven
from trainer.fresh import draw_fresh

REWARDS = RewardSettings(weights={"checks": 1.0})


async def known(runtime: Runtime, withheld: list[str]) -> list[Assignment]:
    """A task of an environment that has two families."""
    bundle = replace(tiny(), families={one.name: one for one in (proven(family()), proven(cancelling()))})
    drawn = await fresh_tasks(runtime, bundle, 1, 3, families=["order_some"])
    release = Release(version=bundle.version, tasks=drawn.tasks)
    one = released(bundle, release, REWARDS)[0]
    return [one.without(withheld)]


def drawn_by_a_run(withheld: list[str]) -> tuple[list[Assignment], int, int]:
    tasks = asyncio.run(_known_alone(withheld))
    fresh = draw_fresh(tasks, 4, 5, REWARDS)
    assert len(fresh.levels) == len(fresh.tasks)
    return fresh.tasks, fresh.dropped, len({one.bundle.version for one in fresh.tasks})


async def _known_alone(withheld: list[str]) -> list[Assignment]:
    async with Runtime() as runtime:
        return await known(runtime, withheld)


async def _scores(tasks: list[Assignment]) -> list[float]:
    async with Runtime() as runtime:
        return [await _score(runtime, one, one.bundle) for one in tasks]


async def _score(runtime: Runtime, one: Assignment, bundle: Bundle) -> float:
    run = await run_solution(runtime, bundle, one.task, bundle.solutions[one.task.id], one.checks.form)
    return (await judge(runtime, one.checks, run)).score


def test_fresh_tasks_can_be_played_and_earned() -> None:
    tasks, dropped, bundles = drawn_by_a_run([])
    assert (len(tasks), dropped, bundles) == (4, 0, 1)
    assert asyncio.run(_scores(tasks)) == [1.0] * 4


def test_tasks_that_need_a_tool_which_is_held_back_are_left_out() -> None:
    tasks, dropped, _ = drawn_by_a_run(["cancel_order"])
    assert dropped == 2
    assert {one.task.id.rsplit("_s", 1)[0] for one in tasks} == {"order_some"}
    assert [one.task.withheld for one in tasks] == [["cancel_order"]] * 2


def test_what_a_single_task_withholds_is_there_for_fresh_ones() -> None:
    tasks = [one for withheld in (["cancel_order"], []) for one in asyncio.run(_known_alone(withheld))]
    fresh = draw_fresh(tasks, 4, 5, REWARDS)
    assert (len(fresh.tasks), fresh.dropped) == (4, 0)
    assert [one.task.withheld for one in fresh.tasks] == [[]] * 4


def test_where_no_environment_has_families_nothing_is_drawn() -> None:
    [one] = asyncio.run(_known_alone([]))
    without = replace(one, bundle=replace(one.bundle, families={}))
    assert draw_fresh([without], 4, 5, REWARDS).tasks == []
