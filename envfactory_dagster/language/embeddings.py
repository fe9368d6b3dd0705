"""Finding near duplicates by the cosine of embeddings.

Belongs here: the arithmetic on vectors. Does not: where vectors come from (`Gateway.embed`), or what is done about a
duplicate (discovery).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from envfactory_dagster.contracts.errors import UsageError

Matrix = npt.NDArray[np.float64]

DECIMALS = 6
"""Cosines are rounded: the digits after these depend on how many vectors are multiplied at once."""


@dataclass(frozen=True, slots=True)
class Neighbour:
    """The most similar member of a pool."""

    name: str
    cosine: float


class NearDuplicates:
    """A pool of named vectors no two of which are as similar as the threshold."""

    def __init__(self, threshold: float = 0.85) -> None:
        self.threshold = threshold
        self.names: list[str] = []
        self._room: Matrix = np.empty((0, 0))

    def nearest(self, vectors: Sequence[Sequence[float]]) -> list[Neighbour | None]:
        """The nearest member of the pool for each vector, however far; None only when the pool is empty."""
        if not self.names or not vectors:
            return [None] * len(vectors)
        return [self._neighbour(row) for row in _cosines(self._unit(vectors), self._pool())]

    def admit(self, names: Sequence[str], vectors: Sequence[Sequence[float]]) -> list[Neighbour | None]:
        """Add the new ones, in order. None: it was added. Otherwise: the member it is a near duplicate of.

        Each is held against the whole pool and those added before it, all in one matrix product.
        """
        if len(names) != len(vectors):
            raise UsageError(f"{len(names)} names were given for {len(vectors)} vectors.")
        if not vectors:
            return []
        new = self._unit(vectors)
        before = len(self.names)
        cosines = _cosines(new, np.vstack([self._pool(), new]) if before else new)
        members = list(range(before))
        verdicts: list[Neighbour | None] = []
        every_name = [*self.names, *names]
        for number, row in enumerate(cosines):
            duplicate = self._duplicate(row, members, every_name)
            if duplicate is None:
                members.append(before + number)
            verdicts.append(duplicate)
        self._append([names[m - before] for m in members[before:]], new[[m - before for m in members[before:]]])
        return verdicts

    def _duplicate(self, cosines: Matrix, members: list[int], names: list[str]) -> Neighbour | None:
        if not members:
            return None
        nearest = members[int(np.argmax(cosines[members]))]
        cosine = float(cosines[nearest])
        return Neighbour(names[nearest], cosine) if cosine >= self.threshold else None

    def _neighbour(self, cosines: Matrix) -> Neighbour:
        nearest = int(np.argmax(cosines))
        return Neighbour(self.names[nearest], float(cosines[nearest]))

    def _unit(self, vectors: Sequence[Sequence[float]]) -> Matrix:
        matrix = np.asarray(vectors, dtype=np.float64)
        if matrix.ndim != 2 or (self.names and matrix.shape[1] != self._room.shape[1]):
            raise UsageError("The vectors differ in length: they were not all made by one embedder.")
        lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
        return matrix / np.where(lengths == 0, 1.0, lengths)

    def _pool(self) -> Matrix:
        return self._room[: len(self.names)]

    def _append(self, names: list[str], vectors: Matrix) -> None:
        size = len(self.names) + len(names)
        if size > len(self._room):
            room = np.empty((2 * size, vectors.shape[1]))
            room[: len(self.names)] = self._pool() if self.names else 0.0
            self._room = room
        self._room[len(self.names) : size] = vectors
        self.names += names


def _cosines(rows: Matrix, columns: Matrix) -> Matrix:
    cosines: Matrix = np.round(rows @ columns.T, DECIMALS)
    return cosines
