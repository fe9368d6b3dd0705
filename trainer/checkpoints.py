"""The checkpoints of a run: which of them are whole, what an earlier run left in the folder of a new one, and the
learning rates with which a run goes on from one.

Belongs here: looking at their files, and what of them is not gone on with. Does not: writing and loading them
(transformers does), or whether they are of this model (`policies`).
"""

import json
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import is_zipfile

if TYPE_CHECKING:
    from torch.optim.lr_scheduler import LambdaLR

_NAME = re.compile(r"checkpoint-(\d+)")


def latest_whole(folder: Path, passed_over: Callable[[str], None] = lambda sentence: None) -> Path | None:
    """The latest checkpoint that can be gone on with; a sentence is told about each later one that cannot."""
    for checkpoint in reversed(checkpoints(folder)):
        problem = _problem(checkpoint)
        if problem is None:
            return checkpoint
        passed_over(f"The checkpoint {checkpoint} is passed over: {problem}.")
    return None


def checkpoints(folder: Path) -> list[Path]:
    """Whole or not, the earliest first."""
    found = [path for path in folder.glob("*") if _NAME.fullmatch(path.name) and path.is_dir()]
    return sorted(found, key=step_of)


def step_of(checkpoint: Path) -> int:
    """The step after which it was saved."""
    return int(checkpoint.name.rpartition("-")[2])


def set_aside(out: Path) -> Path | None:
    """Moves the checkpoints that an earlier run left, so that they are never taken for those of the run that begins.
    What was moved before is deleted."""
    folder = out / "checkpoints"
    if not checkpoints(folder):
        return None
    kept = folder.with_name(f"{folder.name}.old")
    shutil.rmtree(kept, ignore_errors=True)
    return folder.rename(kept)


@contextmanager
def rates_kept(schedule: "LambdaLR") -> Iterator[None]:
    """While a checkpoint's optimizer and schedule are loaded: the learning rates stay those of the recipe, so that a
    run that diverged can be gone on with more carefully."""
    rates = list(schedule.base_lrs)
    yield
    schedule.base_lrs = rates
    now = [rate * share(schedule.last_epoch) for rate, share in zip(rates, schedule.lr_lambdas, strict=True)]
    for group, rate, rate_now in zip(schedule.optimizer.param_groups, rates, now, strict=True):
        group["initial_lr"], group["lr"] = rate, rate_now
    schedule._last_lr = now  # what is logged of the next step


def _problem(checkpoint: Path) -> str | None:
    """What keeps a checkpoint from being gone on with. Its state is written last: without it the others are torn."""
    try:
        state = json.loads((checkpoint / "trainer_state.json").read_text())
    except (OSError, ValueError):
        return "its trainer_state.json is missing or torn, so it was being written when the run ended"
    if not isinstance(state, dict) or "global_step" not in state:
        return "its trainer_state.json tells no step"
    return _torn_weights(checkpoint) or _torn_optimizer(checkpoint)


def _torn_weights(checkpoint: Path) -> str | None:
    from safetensors import SafetensorError, safe_open  # who only lists checkpoints does not need it

    weights = list(checkpoint.glob("*.safetensors"))
    try:
        for index in checkpoint.glob("*.safetensors.index.json"):
            weights += [checkpoint / name for name in set(json.loads(index.read_text())["weight_map"].values())]
        for path in weights:
            with safe_open(path, "pt"):
                pass
    except (OSError, ValueError, KeyError, SafetensorError) as error:
        return f"its weights cannot be opened ({error})"
    return None if weights else "it has no weights"


def _torn_optimizer(checkpoint: Path) -> str | None:
    """Without it transformers would begin with another optimizer and say nothing."""
    for name in ("optimizer.pt", "scheduler.pt"):
        if not (checkpoint / name).is_file():
            return f"it has no {name}"
    torn = [path.name for path in checkpoint.glob("*.pt*") if path.is_file() and not is_zipfile(path)]
    return f"its {torn[0]} cannot be opened" if torn else None
