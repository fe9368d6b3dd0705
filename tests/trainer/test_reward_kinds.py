"""Every kind of reward pays the reference solution 1, and a wrong end less: as trajectories are played, and as the
trainer plays a row of `rl_dataset`."""

from dataclasses import replace
from pathlib import Path
from typing import get_args

from benchmarks.made_worlds import Made
from benchmarks.truth_reports import KINDS, measure_rewards
from envfactory_dagster import examples
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.truth.rewards import Component
from tests.tasks.conversation_kit import gated
from tests.truth.references import reference


def test_no_component_is_left_out() -> None:
    assert {name for settings in KINDS.values() for name in settings.weights} == set(get_args(Component))


async def test_every_kind_of_reward_can_be_earned(runtime: Runtime, tmp_path: Path) -> None:
    huts = examples.load("alpine_huts")
    [task] = [task for task in huts.tasks if task.id == "sprained_ankle"]
    gold = await reference(runtime, huts, task)
    made = Made(replace(huts, tasks=[task]), {task.id: gold}, {task.id: gated(huts, gold)}, [])
    found = await measure_rewards(runtime, [made], tmp_path)
    assert found["reward_kinds_reachable"] == 1.0
    assert found["reward_kinds"].keys() == KINDS.keys()
