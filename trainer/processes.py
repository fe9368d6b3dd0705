"""Several processes that train together, as accelerate starts them.

Belongs here: how many there are, and which of them this is. Does not: how they work together
(TRL and accelerate do that).
"""

import os


def is_first() -> bool:
    """Only the first process writes files and reports. Alone, a process is the first."""
    return os.environ.get("RANK", "0") == "0"


def processes() -> int:
    return int(os.environ.get("WORLD_SIZE", "1"))
