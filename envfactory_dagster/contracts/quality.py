"""How good the environments of a home are, and how various: the figures.

Belongs here: ratings by several judges, what is broken, diversity by the size of a pool. Does not: finding them out
(`measuring.quality`).
"""

from envfactory_dagster.contracts.base import Contract, NonEmpty
from envfactory_dagster.contracts.records import Spent


class Rated(Contract):
    """One to five, over environments."""

    mean: float
    deviation: float
    """Of the environments, as of a sample."""


class JudgeRatings(Contract):
    judge: NonEmpty
    environments: int
    """Those for which its answer could be read."""
    ratings: dict[str, Rated]


class JudgesCompared(Contract):
    """Two judges on the environments that both rated."""

    judges: tuple[NonEmpty, NonEmpty]
    environments: int
    difference: dict[str, float]
    """Rating → how far they lie apart, on average."""


class Bugs(Contract):
    """As inspections found them, before anything was mended or dropped."""

    environments_with_bugs: float
    """The share of environments with a tool that fails."""
    bugs: float
    """Failing tools of an environment."""
    blocked_tasks: float
    """The share of its tasks that they stand in the way of, or that were given up by then; the mean of environments."""


class PoolDiversity(Contract):
    """Means over pools of this size, drawn by chance."""

    size: int
    apart: float
    """1 − cosine of two environments."""
    nearest: float
    """1 − cosine of an environment and the one that is most like it."""
    categories: float
    """Different categories of worlds."""


class Quality(Contract):
    environments: int
    judges: list[JudgeRatings]
    compared: list[JudgesCompared]
    bugs: Bugs
    diversity: list[PoolDiversity]
    spent: Spent
    """In this run."""
