"""Which tasks a run plays, and in which order.

Belongs here: curricula and levels. Does not: reading rows and finding what they are of
(`envfactory_dagster.datasets.assigned`), or playing them (`playing`).
"""

from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path
from random import Random

import orjson

from envfactory_dagster.contracts.dataset import RlRow
from envfactory_dagster.datasets.assigned import lines_of, task_of

from .failures import RecipeError


def in_curriculum(rows: Sequence[RlRow], path: Path) -> list[RlRow]:
    """The tasks that a curriculum names, in its order. Its lines are those of `envfactory calibrate`."""
    try:
        named = [orjson.loads(line) for line in lines_of(path)]
        places = {(one["environment"], one["version"], one["task"]): place for place, one in enumerate(named)}
    except (OSError, orjson.JSONDecodeError, KeyError, TypeError) as error:
        raise RecipeError(f"The curriculum {path} cannot be read: {error}") from error
    chosen = sorted((row for row in rows if task_of(row) in places), key=lambda row: places[task_of(row)])
    if not chosen:
        raise RecipeError(f"None of the tasks is in the curriculum {path}, which names {len(places)}.")
    return chosen


def ranks_of(rows: Sequence[RlRow], *, in_order: bool, easiest_first: bool) -> list[int]:
    """Which are played before which: each before the next, or those of lower levels, else all alike."""
    if in_order:
        return [*range(len(rows))]
    return [row.trace.difficulty.level if easiest_first else 0 for row in rows]


def order_of_tasks(ranks: Sequence[int], seed: int) -> Iterator[int]:
    """Places of tasks without end: all of them in turn, again and again, by rank, and those of one rank shuffled each
    time. None is left out because a batch would not be full."""
    places = range(len(ranks))
    for turn in count():
        shuffled = Random(f"{seed} {turn}").sample(places, len(places))
        yield from sorted(shuffled, key=lambda place: ranks[place])
