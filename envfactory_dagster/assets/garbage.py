"""How often Python looks for garbage while environments are made.

Belongs here: that one setting, and why. Does not: anything about what is made.
"""

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
