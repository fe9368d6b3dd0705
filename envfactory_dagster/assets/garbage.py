"""What a step does about memory while it makes environments, and when it is done.

Belongs here: when Python looks for garbage, giving memory back, and why. Does not: anything about what is made.
"""

import ctypes
import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

Item = TypeVar("Item")

_NEW_OBJECTS = 10_000
"""Python's own 700 suits small programs. Parsing SQL and code makes millions of objects, most of which reference counts
free at once: at 700, and before what is alive already was left out, a seventh of a range run went into looking for the
rest."""

_BETWEEN_COLLECTIONS = 8
"""Environments, half of those at work at once. Python itself would wait for a quarter more objects than Dagster has
alive: hundreds of thousands."""

_ARENAS = -8, 2
"""`M_ARENA_MAX` of mallopt(3): each thread's free memory would be of no use to the others."""


@contextmanager
def seldom_collected() -> Iterator[None]:
    """Collect as before again when the work is done. What is alive already is not looked at meanwhile.

    The number of arenas stays as it is here: a process that works once works again.
    """
    before = gc.get_threshold()
    _cleared()  # before the first step: of what planning the run has left
    gc.freeze()
    gc.set_threshold(_NEW_OBJECTS, *before[1:])
    _allocate("mallopt", *_ARENAS)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        _cleared()  # before the next step's `freeze` hides what is left
        gc.unfreeze()


def collected(batches: Iterator[Sequence[Item]]) -> Iterator[Sequence[Item]]:
    """The same batches, with everything collected now and then: what waits to be found would scatter what is used."""
    since = 0
    for batch in batches:
        yield batch
        since += len(batch)
        if since >= _BETWEEN_COLLECTIONS:
            _cleared()
            since = 0


def _cleared() -> None:
    """Nothing that is garbage is left, and pages that nothing is on are given back: each batch would scatter more."""
    gc.collect()
    _allocate("malloc_trim", 0)


def _allocate(function: str, *arguments: int) -> None:
    """Tell the C library's allocator something, where it can be told."""
    found = getattr(ctypes.CDLL(None), function, None)
    if found is not None:
        found(*arguments)
