"""Agglomerative clustering of at most a few thousand points, with the same result on every machine.

Belongs here: joining, and cutting what was joined. Does not: what the points are, or what clusters are called.

The chain of nearest neighbours finds the joins of Ward's method and of average linkage in time and memory that grow
with the square of the number of points. Ties go to the lowest index.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

Matrix = npt.NDArray[np.float64]
Linkage = Literal["ward", "average"]

_DECIMALS = 9
"""Squared distances are rounded: the digits after these depend on the machine, and could decide ties."""


@dataclass(frozen=True, slots=True)
class Joined:
    """Two clusters that became one, each named by one of its points."""

    left: int
    right: int
    height: float


def ward(points: Matrix) -> list[Joined]:
    """The joins of Ward's method on Euclidean distances, lowest first; their heights are those that SciPy gives."""
    squared = squared_distances(points)
    return [Joined(one.left, one.right, float(np.sqrt(one.height))) for one in agglomerate(squared, "ward")]


def squared_distances(points: Matrix) -> Matrix:
    lengths = np.einsum("ij,ij->i", points, points)
    squared: Matrix = lengths[:, None] + lengths[None, :] - 2.0 * (points @ points.T)
    return np.maximum(squared, 0.0).round(_DECIMALS)


def agglomerate(distances: Matrix, linkage: Linkage) -> list[Joined]:
    """All joins, lowest first. `ward` is given squared distances, and so are its heights squared."""
    apart = distances.astype(np.float64)
    np.fill_diagonal(apart, np.inf)
    sizes = np.ones(len(apart))
    chain, joins = list[int](), list[Joined]()
    while len(joins) < len(apart) - 1:
        if not chain:
            chain = [int(np.argmax(sizes > 0))]
        nearest = int(np.argmin(apart[chain[-1]]))
        if len(chain) > 1 and apart[chain[-1], chain[-2]] <= apart[chain[-1], nearest]:
            left, right = sorted((chain.pop(), chain.pop()))
            joins.append(Joined(left, right, float(apart[left, right])))
            _join(apart, sizes, left, right, linkage)
        else:
            chain.append(nearest)
    return sorted(joins, key=lambda one: one.height)


def _join(apart: Matrix, sizes: Matrix, left: int, right: int, linkage: Linkage) -> None:
    """The formula of Lance and Williams. The joint cluster goes on under the index of the left one."""
    a, b = sizes[left], sizes[right]
    if linkage == "ward":
        to_others = ((a + sizes) * apart[left] + (b + sizes) * apart[right] - sizes * apart[left, right]) / (
            a + b + sizes
        )
    else:
        to_others = (a * apart[left] + b * apart[right]) / (a + b)
    apart[left, :] = apart[:, left] = to_others
    apart[right, :] = apart[:, right] = np.inf
    apart[left, left] = np.inf
    sizes[left], sizes[right] = a + b, 0


def cut(joins: Sequence[Joined], clusters: int) -> list[int]:
    """For every point the number of its cluster, where there are so many, numbered in the order of their points."""
    points = len(joins) + 1
    cluster = list(range(points))
    for one in joins[: points - clusters]:
        left, right = cluster[one.left], cluster[one.right]
        cluster = [left if number == right else number for number in cluster]
    order = {number: place for place, number in enumerate(dict.fromkeys(cluster))}
    return [order[number] for number in cluster]


def joins_above(joins: Sequence[Joined], clusters: Sequence[int]) -> list[Joined]:
    """The joins of whole clusters, each named by its number."""
    above = joins[len(clusters) - len(set(clusters)) :]
    return [Joined(clusters[one.left], clusters[one.right], one.height) for one in above]


def members(clusters: Sequence[int]) -> list[list[int]]:
    """The points of every cluster."""
    found: list[list[int]] = [[] for _ in set(clusters)]
    for point, number in enumerate(clusters):
        found[number].append(point)
    return found
