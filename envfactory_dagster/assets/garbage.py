"""What a step does about memory while it makes environments, and when it is done.

Belongs here: how often Python looks for garbage, giving memory back, and why. Does not: anything about what is made.
"""

import ctypes
import gc
from collections.abc import Iterator
from contextlib import contextmanager

_NEW_OBJECTS = 10_000
"""Python's own 700 suits small programs. Parsing SQL and code makes millions of objects, most of which reference counts
free at once, beside the hundreds of thousands that Dagster keeps alive: at 700 a seventh of a range run went into
looking through all of them."""


@contextmanager
def seldom_collected() -> Iterator[None]:
    """Collect as before again when the work is done. Cycles live somewhat longer, at a cost of some megabytes."""
    before = gc.get_threshold()
    gc.set_threshold(_NEW_OBJECTS, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
        _give_back()


def _give_back() -> None:
    """Return to the system what the C library keeps free. Steps of a run follow each other in one process, and each
    would have its own scattered free memory added to that of the one before; this takes a few milliseconds."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # not every C library has it
    if trim is not None:
        trim(0)
