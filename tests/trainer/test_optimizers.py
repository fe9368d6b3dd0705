"""Muon and Adam as one optimizer: to a schedule, a checkpoint and a trainer it is like any other."""

import copy
from collections.abc import Callable
from typing import Any

import pytest
import torch
from pydantic import ValidationError
from torch.optim import AdamW
from torch.optim.lr_scheduler import LambdaLR

from trainer.failures import RecipeError
from trainer.optimizers import MuonAndAdam, rates_kept
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


MAKES: list[Callable[[float], torch.optim.Optimizer]] = [
    lambda rate: MuonAndAdam(_model().named_parameters(), rate),
    lambda rate: AdamW(_model().parameters(), lr=rate),
]


@pytest.mark.parametrize("make", MAKES)
def test_who_goes_on_has_the_learning_rates_of_his_own_recipe(make: Callable[[float], torch.optim.Optimizer]) -> None:
    def falling(optimizer: torch.optim.Optimizer) -> LambdaLR:
        return LambdaLR(optimizer, lambda step: 1 - step / 10)

    before, after = make(1e-2), make(1e-3)
    first, second = falling(before), falling(after)
    for _ in range(2):
        before.step()
        first.step()
    with rates_kept(second):
        after.load_state_dict(copy.deepcopy(before.state_dict()))
        second.load_state_dict(first.state_dict())
    for left in (8, 7):
        wanted = [rate * left / 10 for rate in (1e-3, 1e-3 * 20 / 3)[: len(after.param_groups)]]
        assert [group["lr"] for group in after.param_groups] == pytest.approx(wanted)
        assert second.get_last_lr() == pytest.approx(wanted), "and tells them"
        after.step()
        second.step()


@pytest.mark.parametrize(("saved", "loading"), [MAKES, MAKES[::-1]])
def test_a_checkpoint_of_another_optimizer_is_refused_in_a_sentence(
    saved: Callable[[float], torch.optim.Optimizer], loading: Callable[[float], torch.optim.Optimizer]
) -> None:
    optimizer = loading(1e-3)
    schedule = LambdaLR(optimizer, lambda step: 1.0)
    with pytest.raises(RecipeError, match="resume with the recipe of that run"), rates_kept(schedule):
        optimizer.load_state_dict(saved(1e-3).state_dict())


@pytest.mark.parametrize("sft", [{"optimizer": "muon"}, {"lookups": True}])
def test_what_is_for_policies_from_scratch_is_refused_for_others(sft: dict[str, Any]) -> None:
    with pytest.raises(ValidationError, match="are for a policy from `scratch`"):
        Recipe.model_validate({"name": "mine", "policy": {"base": "weights"}, "sft": sft})
