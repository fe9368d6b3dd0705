"""Muon and Adam as one optimizer: to a schedule, a checkpoint and a trainer it is like any other."""

import copy
from typing import Any

import pytest
import torch
from pydantic import ValidationError

from trainer.failures import RecipeError
from trainer.optimizers import MuonAndAdam
from trainer.recipe import Recipe


def _model() -> torch.nn.ModuleDict:
    torch.manual_seed(0)
    parts = {"embed": torch.nn.Embedding(8, 6), "inner": torch.nn.Linear(6, 6), "outer": torch.nn.Linear(6, 3)}
    return torch.nn.ModuleDict(parts)


def _learn(model: torch.nn.ModuleDict, optimizer: torch.optim.Optimizer, first: int, last: int) -> None:
    for step in range(first, last):
        seen = model["embed"](torch.arange(8)).roll(step, 0)
        model["outer"](model["inner"](seen)).square().sum().backward()
        optimizer.step()
        optimizer.zero_grad()


def test_everything_is_trained_and_a_matrix_in_all_directions_alike() -> None:
    model = _model()
    before = copy.deepcopy(model.state_dict())
    _learn(model, MuonAndAdam(model.named_parameters(), 1e-3), 0, 1)
    moved = {name: after - before[name] for name, after in model.state_dict().items()}
    assert all(change.abs().max() > 0 for change in moved.values())
    directions = torch.linalg.svdvals(moved["outer.weight"])
    assert directions.min() > directions.max() / 3


def test_what_is_saved_goes_on_as_if_nothing_had_been() -> None:
    whole, first = _model(), _model()
    _learn(whole, MuonAndAdam(whole.named_parameters(), 1e-2), 0, 5)
    optimizer = MuonAndAdam(first.named_parameters(), 1e-2)
    _learn(first, optimizer, 0, 2)
    second = _model()
    second.load_state_dict(first.state_dict())
    again = MuonAndAdam(second.named_parameters(), 1e-2)
    again.load_state_dict(copy.deepcopy(optimizer.state_dict()))
    _learn(second, again, 2, 5)
    for mine, theirs in zip(second.parameters(), whole.parameters(), strict=True):
        torch.testing.assert_close(mine, theirs)


def test_a_schedule_holds_for_both_also_after_going_on() -> None:
    model = _model()
    optimizer = MuonAndAdam(model.named_parameters(), 1e-3)
    optimizer.load_state_dict(copy.deepcopy(optimizer.state_dict()))
    torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: 0.0)
    before = copy.deepcopy(model.state_dict())
    _learn(model, optimizer, 0, 1)
    for name, after in model.state_dict().items():
        torch.testing.assert_close(after, before[name])


def test_a_checkpoint_of_another_optimizer_is_refused_in_a_sentence() -> None:
    other = torch.optim.AdamW(_model().parameters()).state_dict()
    with pytest.raises(RecipeError, match="resume with the recipe of that run"):
        MuonAndAdam(_model().named_parameters(), 1e-3).load_state_dict(other)


@pytest.mark.parametrize("sft", [{"optimizer": "muon"}, {"lookups": True}])
def test_what_is_for_policies_from_scratch_is_refused_for_others(sft: dict[str, Any]) -> None:
    with pytest.raises(ValidationError, match="are for a policy from `scratch`"):
        Recipe.model_validate({"name": "mine", "policy": {"base": "weights"}, "sft": sft})
