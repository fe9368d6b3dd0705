"""Several processes that train together, as accelerate starts them.

Belongs here: how many there are, which of them this is, and what they have to agree on. Does not: how they train
together (TRL and accelerate do that).
"""

import os
import sys
from typing import TYPE_CHECKING

from .failures import RecipeError

if TYPE_CHECKING:
    import torch


def is_first() -> bool:
    """Only the first process writes files and reports. Alone, a process is the first."""
    return os.environ.get("RANK", "0") == "0"


def processes() -> int:
    return int(os.environ.get("WORLD_SIZE", "1"))


def check_sharding(*, fsdp: bool) -> None:
    """That the weights are shared out among processes in no way that cannot be saved or played with."""
    ways = {"DeepSpeed": "ACCELERATE_USE_DEEPSPEED", "FSDP": "ACCELERATE_USE_FSDP"}  # as accelerate tells its processes
    asked = [name for name, told in ways.items() if os.environ.get(told, "false").lower() in ("true", "1")]
    if refused := [name for name in asked if name != "FSDP" or not fsdp]:
        raise RecipeError(
            f"{refused[0]} is not supported here: every process holds the whole policy. Train an adapter "
            "(`policy.lora`), or all weights beside a server (`grpo.server`) with FSDP."
        )


def check_devices(devices: int) -> None:
    """Alone, a process would split each batch among all GPUs it sees, which TRL refuses."""
    if devices > 1 and "LOCAL_RANK" not in os.environ:
        raise RecipeError(
            f"This process is alone and sees {devices} GPUs. Start one for each with `accelerate launch --multi_gpu "
            f"--num_processes {devices} -m trainer …`, or let it see one: CUDA_VISIBLE_DEVICES=0."
        )


def leave() -> None:
    """Destroy the process group before exiting: its threads would abort the process otherwise."""
    torch = sys.modules.get("torch")
    if torch is not None and torch.distributed.is_available() and torch.distributed.is_initialized():
        torch.distributed.destroy_process_group()


def anywhere(told: bool, device: "torch.device") -> bool:
    """Whether any of them was told so. All of them ask at the same step."""
    import torch

    if not (torch.distributed.is_available() and torch.distributed.is_initialized()):
        return told
    known = torch.tensor([int(told)], device=device)
    torch.distributed.all_reduce(known, torch.distributed.ReduceOp.MAX)
    return bool(known.item())
