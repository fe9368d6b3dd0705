"""In what order and batches examples are learned from: exercises first, then the examples as often as wanted.

Belongs here: that order. Does not: what is in an example (`examples`, `exercises`).
"""

from collections.abc import Iterator, Sequence
from itertools import chain
from random import Random

from torch.utils.data import Sampler

_ALIKE = 16
"""From so many batches, examples of like lengths come together: less of a batch is padding."""


class Batches(Sampler[list[int]]):  # type: ignore[misc]
    """Those of a dataset that begins with exercises, and then has examples to go through so many `epochs`, or until
    there are `most` batches. The same every time, so that a run can be gone on with.

    A batch has at most `tokens`, padding included, unless one example alone has more.
    """

    def __init__(
        self, lengths: Sequence[int], exercises: int, tokens: float, epochs: float, most: int | None, seed: int
    ) -> None:
        self._lengths, self._tokens = lengths, tokens
        self._chance = Random(seed)
        first, examples = range(exercises), range(exercises, len(lengths))
        self._order = list(self._batched(first))
        if most is None:
            self._order += self._batched(self._often(examples, epochs))
        else:
            while len(self._order) < most:
                self._order += self._batched(self._often(examples, 1.0))
            del self._order[most:]

    def __iter__(self) -> Iterator[list[int]]:
        return iter(self._order)

    def __len__(self) -> int:
        return len(self._order)

    def _often(self, places: Sequence[int], epochs: float) -> Sequence[int]:
        """All of them before any comes again."""
        wanted = round(epochs * len(places))
        shuffled = (self._chance.sample(places, len(places)) for _ in range(-(-wanted // max(1, len(places)))))
        return list(chain.from_iterable(shuffled))[:wanted]

    def _batched(self, places: Sequence[int]) -> Iterator[list[int]]:
        """Nearly in their order: exchanged only with those close by."""
        stretch, tokens = list[int](), 0
        for place in places:
            stretch.append(place)
            tokens += self._lengths[place]
            if tokens >= _ALIKE * self._tokens:
                yield from self._alike(stretch)
                stretch, tokens = [], 0
        yield from self._alike(stretch)

    def _alike(self, stretch: Sequence[int]) -> list[list[int]]:
        found, batch = list[list[int]](), list[int]()
        for place in sorted(stretch, key=self._lengths.__getitem__):
            if batch and (len(batch) + 1) * self._lengths[place] > self._tokens:
                found.append(batch)
                batch = []
            batch.append(place)
        found += [batch] if batch else []
        return self._chance.sample(found, len(found))
