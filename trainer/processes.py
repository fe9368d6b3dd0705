"""Several processes that train together, as accelerate starts them.

Belongs here: which of them this is. Does not: how they work together (TRL and accelerate do that).
"""

import os


def is_first() -> bool:
    """Only the first process writes files and reports. Alone, a process is the first."""
    return os.environ.get("RANK", "0") == "0"
