"""How far several partitions of the same things agree, and the one partition that is nearest to all of them.

Belongs here: the arithmetic on partitions. Does not: who made them (`merging`).

A partition is, for every thing, the number or name of its group.
"""

from collections import Counter
from collections.abc import Hashable, Sequence
from itertools import combinations
from math import comb
from statistics import mean

import numpy as np

from envfactory_dagster.arena.taxonomy.clustering import Matrix, agglomerate, cut

Partition = Sequence[Hashable]

_LIKENESS_SHARE = 1e-3
"""What likeness counts beside votes: less than any single vote, so that it only decides ties."""


def adjusted_rand(one: Partition, other: Partition) -> float:
    """1: the same partition; 0: as alike as chance makes them."""
    pairs = comb(len(one), 2)
    together = sum(comb(n, 2) for n in Counter(zip(one, other, strict=True)).values())
    of_one, of_other = (sum(comb(n, 2) for n in Counter(each).values()) for each in (one, other))
    expected = of_one * of_other / pairs if pairs else 0.0
    most = (of_one + of_other) / 2
    return 1.0 if most == expected else (together - expected) / (most - expected)


def mean_adjusted_rand(partitions: Sequence[Partition]) -> float | None:
    pairs = list(combinations(partitions, 2))
    return mean(adjusted_rand(one, other) for one, other in pairs) if pairs else None


def fleiss_kappa(partitions: Sequence[Partition]) -> float | None:
    """Of the question, asked of every pair of things, whether it is in one group. None for fewer than two raters."""
    if len(partitions) < 2:
        return None
    raters = len(partitions)
    votes = [sum(each[a] == each[b] for each in partitions) for a, b in combinations(range(len(partitions[0])), 2)]
    if not votes:
        return 1.0
    observed = mean((comb(yes, 2) + comb(raters - yes, 2)) / comb(raters, 2) for yes in votes)
    share = mean(votes) / raters
    chance = share**2 + (1 - share) ** 2
    return 1.0 if chance == 1.0 else (observed - chance) / (1 - chance)


def together(partitions: Sequence[Partition]) -> Matrix:
    """For every two things the share of the partitions in which they are in one group."""
    size = len(partitions[0])
    votes = np.zeros((size, size))
    for each in partitions:
        votes += np.array([[a == b for b in each] for a in each])
    return votes / len(partitions)


def consensus(partitions: Sequence[Partition], apart: Matrix, groups: int) -> list[int]:
    """The partition into so many groups in which things are together that most partitions have together. Where votes
    are equal, things that are less `apart` (from 0 to 1) come together first."""
    distances = (1.0 - together(partitions)) + _LIKENESS_SHARE * apart
    return cut(agglomerate(distances, "average"), groups)


def contested(votes: Matrix, groups: Sequence[int]) -> list[int]:
    """The things that no majority has together with the rest of their group."""
    found = []
    for thing, group in enumerate(groups):
        rest = [other for other, number in enumerate(groups) if number == group and other != thing]
        if rest and mean(votes[thing, other] for other in rest) <= 0.5:
            found.append(thing)
    return found
