"""A pretrained model goes the whole path: `make smollm2`, then `pytest -m pretrained`."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.trainer.shop import Shop
from trainer.__main__ import main
from trainer.policies import load
from trainer.recipe import Recipe

ROOT = Path(__file__).parents[2]
RECIPE = ROOT / "trainer" / "recipes" / "smollm2-135m.yaml"
BASE = ROOT / Recipe.read(RECIPE).policy.base

pytestmark = [
    pytest.mark.pretrained,
    pytest.mark.skipif(not (BASE / "config.json").is_file(), reason=f"no model in {BASE}: `make smollm2` brings it"),
]


def test_it_learns_examples_and_plays(shop: Shop, tmp_path: Path) -> None:
    whole: dict[str, Any] = yaml.safe_load(RECIPE.read_text())
    whole["policy"]["base"] = str(BASE)
    whole["sft"] |= {"most_steps": 3, "accumulate": 1}
    whole["grpo"] |= {"most_turns": 2, "most_new_tokens": 24}
    recipe, one = tmp_path / "recipe.yaml", tmp_path / "one.jsonl"
    recipe.write_text(yaml.safe_dump(whole))
    one.write_text(shop.rl.read_text().splitlines()[0])
    learned = ["sft", "--recipe", recipe, "--data", shop.sft, "--out", tmp_path / "sft"]
    assert main([*map(str, learned)]) == 0
    losses = [json.loads(line) for line in (tmp_path / "sft" / "progress.jsonl").read_text().splitlines()]
    first, *_, last = [step["loss"] for step in losses if "loss" in step]
    assert last < first < 4, "it knows how to write before it has learned anything here"
    played = ["evaluate", "--recipe", recipe, "--data", one, "--home", shop.home, "--out", tmp_path / "played"]
    given = ["--policy", tmp_path / "sft" / "policy", "--split", "rl", "--k", "1"]
    assert main([*map(str, [*played, *given])]) == 0
    [line] = [
        line
        for path in (tmp_path / "played" / "episodes").glob("greedy-*/trajectories/*/*/*.jsonl")
        for line in path.read_text().splitlines()
    ]
    assert json.loads(line)["trajectory"]["steps"][0]["tokens"]["ids"]


def test_it_writes_english_and_has_our_template() -> None:
    policy = load(Recipe.read(RECIPE).policy.model_copy(update={"base": str(BASE)}))
    assert policy.parameters == 134_515_008
    from trainer.sampling import Sampling, generate

    prompt = policy.renderer.prompt([{"role": "user", "content": "What is the capital of France?"}], [])
    [written] = generate(policy, [(prompt, 0)], Sampling(temperature=0.0, most_new_tokens=12))
    assert "Paris" in policy.renderer.read(written.ids, prompt)["content"]
