"""What the machine lacks: memory, or room on its disk.

Belongs here: telling such a lack from a defect. Does not: other failures (`failures`), nor noticing them.
"""

import errno
from collections.abc import Iterator
from contextlib import contextmanager

from envfactory_dagster.contracts.errors import InfrastructureFault
from trainer.failures import OutOfMemory

_NO_ROOM = (
    "No space left on device",
    "Disk quota exceeded",
    "PytorchStreamWriter failed writing",
    "] . unexpected pos",
)
"""Words of safetensors and of torch, which have no error number. Torch ends a file that was cut short with the last."""


@contextmanager
def lacks_told() -> Iterator[None]:
    """What the machine has no more of, memory or room on its disk, is told as what it is and not as a defect."""
    from safetensors import SafetensorError

    try:
        yield
    except (OSError, MemoryError, RuntimeError, SafetensorError) as error:
        if _lacks_memory(error):
            raise OutOfMemory(
                "There is no memory left for a batch: take smaller ones (`sft.batch`, `grpo.micro_batch`), shorter "
                "samples (`longest`), or fewer episodes at once (`grpo.in_flight`). Where vLLM writes, it keeps "
                "`grpo.vllm_memory`."
            ) from error
        if _lacks_room(error):
            raise InfrastructureFault(
                f"There is no room left on the disk ({error}). Free some and start again: a training run goes on from "
                "its last whole checkpoint with `--resume`."
            ) from error
        raise


def _lacks_memory(error: Exception) -> bool:
    import torch

    # Torch tells of the machine's memory, not the device's, only in words.
    return (
        isinstance(error, torch.OutOfMemoryError | MemoryError)
        or getattr(error, "errno", None) == errno.ENOMEM
        or "can't allocate memory" in str(error)
    )


def _lacks_room(error: Exception) -> bool:
    if isinstance(error, OSError):
        return error.errno in (errno.ENOSPC, errno.EDQUOT)
    return any(words in str(error) for words in _NO_ROOM)
