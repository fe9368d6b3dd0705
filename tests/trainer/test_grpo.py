"""What a step of GRPO reads of each sample does not depend on the others in its batch."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from trl import GRPOTrainer

from trainer.batches import as_tensors
from trainer.corpus import conversations
from trainer.groups import Sample
from trainer.grpo import TurnTrainer
from trainer.policies import begin
from trainer.recipe import Recipe

_ROW = {"tools": [], "messages": [{"role": "user", "content": "Say it."}, {"role": "assistant", "content": "Said."}]}
_RECIPE: dict[str, Any] = {
    "name": "short",
    "policy": {
        "scratch": {"layers": 2, "hidden": 32, "heads": 2, "key_value_heads": 1, "feedforward": 64, "vocabulary": 320}
    },
    "grpo": {"tasks": 2, "group": 4, "micro_batch": 8, "steps": 1},
    "precision": "float32",
}


def test_samples_of_different_lengths_are_read_as_each_alone(tmp_path: Path) -> None:
    recipe = Recipe.model_validate(_RECIPE)
    policy = begin(recipe, conversations([_ROW] * 4))
    task: Any = SimpleNamespace(task=SimpleNamespace(text="Say it."))
    trainer = TurnTrainer(policy=policy, recipe=recipe, tasks=[task, task], folder=tmp_path)
    made = [
        Sample([30 + n] * (1 + 9 * n), [40 + n] * (40 - 4 * n), [0.0] * (40 - 4 * n), [True] * (40 - 4 * n), 1.0)
        for n in range(9)
    ]
    read = {}
    for name, way in {"here": type(trainer), "by TRL": GRPOTrainer}.items():
        tensors = as_tensors(made, policy.renderer.pad, 1, torch.device("cpu"))
        ids = torch.cat([tensors["prompt_ids"], tensors["completion_ids"]], dim=1)
        mask = torch.cat([tensors["prompt_mask"], tensors["completion_mask"]], dim=1)
        width = tensors["completion_ids"].size(1)
        found = way._get_per_token_logps_and_entropies(trainer, trainer.model, ids, mask, width, compute_entropy=True)
        read[name] = [torch.where(tensors["completion_mask"].bool(), one, 0.0) for one in found[:2]]
    for here, by_trl in zip(read["here"], read["by TRL"], strict=True):
        assert here.shape == by_trl.shape
        assert here.detach().numpy() == pytest.approx(by_trl.detach().numpy(), abs=1e-4)
        assert here.abs().sum() > 1
