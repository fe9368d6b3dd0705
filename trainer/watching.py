"""Watching a run from inside: its figures, a loss that is no number, and being told to stop.

Belongs here: the callback that every run of TRL is given. Does not: where figures go (`reporting`).
"""

import math
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

from transformers import TrainerCallback

from .checkpoints import latest_whole
from .failures import Diverged
from .processes import anywhere
from .reporting import Reporter

if TYPE_CHECKING:
    import torch


class Watch(TrainerCallback):  # type: ignore[misc]
    """Reports what is logged, ends a run that has diverged, and saves when the process is told to stop."""

    def __init__(self, reporter: Reporter, *, steps_a_batch: int = 1) -> None:
        """`steps_a_batch`: only after so many is it known how long one takes, where the first of them plays for all."""
        self._reporter, self._steps_a_batch = reporter, steps_a_batch
        self._began, self._from = 0.0, 0
        self._has_told_speed = False
        self.stopped = False

    def on_train_begin(self, args: Any, state: Any, control: Any, **more: Any) -> None:
        self._began, self._from = time.perf_counter(), state.global_step

    def on_log(self, args: Any, state: Any, control: Any, logs: dict[str, Any] | None = None, **more: Any) -> None:
        figures = {name: float(value) for name, value in (logs or {}).items() if isinstance(value, int | float)}
        check_finite("norm of the gradient", figures.get("grad_norm", 0.0), state.global_step, Path(args.output_dir))
        self._reporter.step(state.global_step, figures)
        done = state.global_step - self._from
        if not self._has_told_speed and self._steps_a_batch <= done < state.max_steps - self._from:
            self._has_told_speed = True
            seconds = time.perf_counter() - self._began
            self._reporter.say(speed(done, seconds, figures.get("num_tokens"), state.max_steps - state.global_step))

    def on_step_end(self, args: Any, state: Any, control: Any, **more: Any) -> Any:
        # A signal reaches processes at different moments; one that went on would wait for the others for ever.
        self.stopped = anywhere(self.stopped, args.device)
        if self.stopped:
            control.should_save = True
            control.should_training_stop = True
        if control.should_save or control.should_training_stop:
            _check_weights(more["model"], state.global_step, Path(args.output_dir))
        return control

    def stop(self, number: int, frame: FrameType | None) -> None:
        self.stopped = True
        self._reporter.say(f"told to stop (signal {number}); the step under way is finished and saved")


def speed(done: int, seconds: float, tokens: float | None, left: int) -> str:
    """How long the first steps took, and what that says of the others."""
    minutes = round(seconds / done * left / 60)
    lasts = f"{minutes // 60} h {minutes % 60} min" if minutes >= 60 else f"{max(minutes, 1)} min"
    read = f", {tokens / seconds:,.0f} tokens a second" if tokens else ""
    of = "The first step" if done == 1 else f"{done} steps"
    return f"{of} took {seconds:,.1f} s{read}: at this speed the other {left} take about {lasts}."


def check_finite(name: str, value: float, step: int, checkpoints: Path) -> None:
    """For the loss, of every step: between two that are logged a checkpoint of a broken policy could be saved."""
    if not math.isfinite(value):
        raise Diverged(f"At step {step} the {name} is {value}. {way_back(checkpoints)}")


def _check_weights(model: "torch.nn.Module", step: int, checkpoints: Path) -> None:
    """Before they are saved: a gradient that is no number spoils them, and only some steps tell its norm."""
    for name, weights in model.named_parameters():
        if not weights.isfinite().all():
            raise Diverged(f"At step {step} weights are no numbers ({name}). {way_back(checkpoints)}")


def way_back(checkpoints: Path) -> str:
    """What a person can do whose policy is broken."""
    last = latest_whole(checkpoints)
    if last is not None:
        return f"{last.name} is from before: resume from it with a smaller learning rate."
    return (
        "There is no checkpoint from before: begin anew with a smaller learning rate, or with another policy where "
        "this one was broken from the start."
    )


@contextmanager
def until_told(watch: Watch) -> Iterator[None]:
    """While training: SIGTERM and SIGINT end the run after its step. While its outcome is written they end nothing: a
    launcher sends them as soon as one process is done."""
    before = {number: signal.signal(number, watch.stop) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
