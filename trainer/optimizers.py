"""The optimizer of policies from scratch: Muon for matrices, Adam for all else, as one; and going on with any.

Belongs here: making two optimizers look like one to a trainer, and what of a checkpoint's optimizer is not gone on
with. Does not: schedules or steps (`sft`).

Muon turns a step of a matrix so that it is as long in every direction; what few tokens ask for counts as much as what
all do. Embeddings, norms and the kernels of convolutions are left to Adam.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch.optim import AdamW, Muon, Optimizer
from torch.optim.lr_scheduler import LambdaLR

from trainer.failures import RecipeError

_MATRICES = 20 / 3
"""So many times the learning rate of all else: 0.02 beside 0.003, both in common use."""


class MuonAndAdam(Optimizer):  # type: ignore[misc]
    """For the parameters of a model with their names."""

    def __init__(self, parameters: Iterable[tuple[str, torch.nn.Parameter]], learning_rate: float) -> None:
        named = list(parameters)
        turned = [one for name, one in named if one.ndim == 2 and "embed" not in name]
        others = [one for name, one in named if one.ndim != 2 or "embed" in name]
        super().__init__([{"params": others}, {"params": turned}], {"lr": learning_rate})
        self._parts: tuple[Optimizer, Optimizer] = (
            AdamW(others, lr=learning_rate, weight_decay=0.0, betas=(0.9, 0.95)),
            Muon(turned, lr=_MATRICES * learning_rate, weight_decay=0.0),
        )
        self._join()

    def step(self, closure: Callable[[], float] | None = None) -> None:
        assert closure is None, "nobody here looks twice"
        for part in self._parts:
            part.step()

    def state_dict(self) -> dict[str, Any]:
        return {"parts": [part.state_dict() for part in self._parts]}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        for part, state in zip(self._parts, state_dict["parts"], strict=True):
            part.load_state_dict(state)
        self._join()

    def _join(self) -> None:
        """A schedule that changes the groups of this one changes those of both."""
        self.param_groups = [group for part in self._parts for group in part.param_groups]


@contextmanager
def rates_kept(schedule: LambdaLR) -> Iterator[None]:
    """While a checkpoint's optimizer and schedule are loaded: the learning rates stay those of the recipe, so that a
    run that diverged can be gone on with more carefully."""
    rates = list(schedule.base_lrs)
    try:
        yield
    except KeyError as error:  # one optimizer has not what the other one has saved
        raise RecipeError(
            "The checkpoint is of a run with another optimizer; resume with the recipe of that run."
        ) from error
    schedule.base_lrs = rates
    now = [rate * share(schedule.last_epoch) for rate, share in zip(rates, schedule.lr_lambdas, strict=True)]
    for group, rate, rate_now in zip(schedule.optimizer.param_groups, rates, now, strict=True):
        group["initial_lr"], group["lr"] = rate, rate_now
    schedule._last_lr = now  # what is logged of the next step
