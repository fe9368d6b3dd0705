"""Several processes that train together, as accelerate starts them.

Belongs here: how many there are, which of them this is, and what they have to agree on. Does not: how they train
together (TRL and accelerate do that).
"""

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch


def is_first() -> bool:
    """Only the first process writes files and reports. Alone, a process is the first."""
    return os.environ.get("RANK", "0") == "0"


def processes() -> int:
    return int(os.environ.get("WORLD_SIZE", "1"))


def anywhere(told: bool, device: "torch.device") -> bool:
    """Whether any of them was told so. All of them ask at the same step."""
    import torch

    if not (torch.distributed.is_available() and torch.distributed.is_initialized()):
        return told
    known = torch.tensor([int(told)], device=device)
    torch.distributed.all_reduce(known, torch.distributed.ReduceOp.MAX)
    return bool(known.item())
