"""Going on from a checkpoint: with its state, and with the learning rates of the recipe."""

import copy

import pytest
import torch
from torch.optim import AdamW
from torch.optim.lr_scheduler import LambdaLR

from trainer.checkpoints import rates_kept


def test_who_goes_on_has_the_learning_rates_of_his_own_recipe() -> None:
    before, after = (AdamW([torch.nn.Parameter(torch.ones(2))], lr=rate) for rate in (1e-2, 1e-3))
    first, second = (LambdaLR(optimizer, lambda step: 1 - step / 10) for optimizer in (before, after))
    for _ in range(2):
        before.step()
        first.step()
    with rates_kept(second):
        after.load_state_dict(copy.deepcopy(before.state_dict()))
        second.load_state_dict(first.state_dict())
    for left in (8, 7):
        wanted = pytest.approx([1e-3 * left / 10])
        assert [group["lr"] for group in after.param_groups] == wanted
        assert second.get_last_lr() == wanted, "and tells them"
        after.step()
        second.step()
