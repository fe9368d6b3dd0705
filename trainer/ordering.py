"""In what order and batches examples are learned from, and where the exercises come.

Belongs here: that order. Does not: what is in an example (`examples`, `exercises`).
"""

from collections.abc import Iterator, Sequence
from itertools import accumulate
from random import Random

from torch.utils.data import Sampler

_ALIKE = 16
"""From so many batches, examples of like lengths come together: less of a batch is padding."""


class Batches(Sampler[list[int]]):  # type: ignore[misc]
    """Those of a dataset that begins with exercises, and then has examples to go through so many `epochs`, or until
    there are `most` batches. The same every time, so that a run can be gone on with.

    The `first` share of the exercises comes before all examples, the others evenly among them: what is not practised is
    unlearned. A batch has about `tokens`, padding included. A pass is batched apart from the next: no example meets
    itself.
    """

    def __init__(
        self,
        lengths: Sequence[int],
        exercises: int,
        first: float,
        tokens: float,
        epochs: float,
        most: int | None,
        seed: int,
    ) -> None:
        self._lengths, self._tokens = lengths, tokens
        self._chance = Random(seed)
        early = _within(first, lengths[:exercises])
        before, among = self._batched(range(early)), self._batched(range(early, exercises))
        examples = range(exercises, len(lengths))
        batches = list[list[int]]()
        rest = round(epochs * len(examples))
        while rest > 0 if most is None else len(before) + len(among) + len(batches) < most:
            shuffled = self._chance.sample(examples, len(examples))
            batches += self._batched(shuffled if most is not None else shuffled[:rest])
            rest -= len(shuffled)
        if most is not None:
            del batches[max(0, most - len(before) - len(among)) :]
        self._order = [*before, *_evenly(batches, among)][:most]

    def __iter__(self) -> Iterator[list[int]]:
        return iter(self._order)

    def __len__(self) -> int:
        return len(self._order)

    def _batched(self, places: Sequence[int]) -> list[list[int]]:
        """Nearly in their order: exchanged only with those close by."""
        found, stretch, tokens = list[list[int]](), list[int](), 0
        for place in places:
            stretch.append(place)
            tokens += self._lengths[place]
            if tokens >= _ALIKE * self._tokens:
                found += self._alike(stretch)
                stretch, tokens = [], 0
        return found + self._alike(stretch)

    def _alike(self, stretch: Sequence[int]) -> list[list[int]]:
        found, batch = list[list[int]](), list[int]()
        for place in sorted(stretch, key=self._lengths.__getitem__):
            length = self._lengths[place]
            if batch and (len(batch) + 0.5) * length > self._tokens:  # nearer to what is wanted without this one
                found.append(batch)
                batch = []
            batch.append(place)
        found += [batch] if batch else []
        return self._chance.sample(found, len(found))


def _within(share: float, lengths: Sequence[int]) -> int:
    """So many of them have this share of all tokens."""
    room = share * sum(lengths)
    return sum(behind <= room for behind in accumulate(lengths))


def _evenly(some: Sequence[list[int]], others: Sequence[list[int]]) -> list[list[int]]:
    """Both in their order, the fewer ones at equal distances."""
    placed = [((place + 0.5) / len(ones), batch) for ones in (some, others) for place, batch in enumerate(ones)]
    return [batch for _, batch in sorted(placed, key=lambda one: one[0])]
