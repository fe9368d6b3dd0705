"""What the machine lacks: memory, or room on its disk.

Belongs here: telling such a lack from a defect. Does not: other failures (`failures`), nor noticing them.
"""

import errno
from collections.abc import Iterator
from contextlib import contextmanager

from envfactory_dagster.contracts.errors import EnvFactoryError, InfrastructureFault

from .failures import OutOfMemory

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
    try:
        yield
    except EnvFactoryError:
        raise
    except Exception as error:  # torch and safetensors, which may not be installed, have classes of their own
        if _lacks_memory(error):
            raise OutOfMemory(
                "There is no memory left for a batch: take smaller ones (`sft.batch`, `grpo.micro_batch`), shorter "
                "samples (`longest`), or fewer episodes at once (`grpo.in_flight`)."
            ) from error
        if _lacks_room(error):
            raise InfrastructureFault(
                f"There is no room left on the disk ({error}). Free some and start again: a training run goes on from "
                "its last whole checkpoint with `--resume`."
            ) from error
        raise


def _lacks_memory(error: Exception) -> bool:
    # Torch has a class for the device's memory, and tells of the machine's only in words.
    return (
        isinstance(error, MemoryError)
        or type(error).__name__ == "OutOfMemoryError"
        or getattr(error, "errno", None) == errno.ENOMEM
        or "can't allocate memory" in str(error)
    )


def _lacks_room(error: Exception) -> bool:
    if isinstance(error, OSError):
        return error.errno in (errno.ENOSPC, errno.EDQUOT)
    return any(words in str(error) for words in _NO_ROOM)
