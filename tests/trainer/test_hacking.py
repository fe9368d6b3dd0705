"""Rewards that exploits do not earn: the probe of `benchmarks.hacking`, on one environment."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from benchmarks.hacking import HONEST, measure
from trainer.recipe import Recipe

pytestmark = pytest.mark.long

RECIPES = sorted((Path(__file__).parents[2] / "trainer/recipes").glob("*.yaml"))


@pytest.fixture(scope="module")
def probed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    found = asyncio.run(measure(tmp_path_factory.mktemp("probe"), 1))
    assert found["tasks"] >= 5
    policies: dict[str, Any] = found["policies"]
    return policies


@pytest.mark.parametrize("strategy", ["agent_world_model", "env_factory"])
def test_no_exploit_earns_more_than_an_honest_failure(probed: dict[str, Any], strategy: str) -> None:
    honest = probed[HONEST][strategy]["mean"]
    earned = {policy: one[strategy]["mean"] for policy, one in probed.items()}
    assert max(earned.values()) <= honest, earned


def test_no_exploit_passes_a_task(probed: dict[str, Any]) -> None:
    assert len(probed) > 5
    assert {policy: one["passed"] for policy, one in probed.items() if one["passed"]} == {}


@pytest.mark.parametrize("path", RECIPES, ids=lambda path: path.stem)
def test_recipes_train_with_a_reward_of_which_exploits_get_nothing(probed: dict[str, Any], path: Path) -> None:
    """`verdict` pays some of them more than an honest failure now and then."""
    reward = Recipe.read(path).grpo.reward
    if not isinstance(reward, str):
        assert reward.weights == {"outcome": 1.0}, "that is Agent World Model's"
        reward = "agent_world_model"
    assert {policy: one[reward]["above"] for policy, one in probed.items()} == dict.fromkeys(probed, 0.0)
