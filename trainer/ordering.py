"""In which order examples are learned from: exercises first, then the examples as often as wanted.

Belongs here: that order. Does not: what is in an example (`examples`, `exercises`).
"""

from collections.abc import Iterator, Sequence
from random import Random

from torch.utils.data import Sampler

_BATCHES = 16
"""Within so many batches, examples of like lengths come together: less of a batch is padding."""


class InOrder(Sampler[int]):  # type: ignore[misc]
    """So many places of a dataset that begins with exercises, the examples again and again. The same every time, so
    that a run can be gone on with."""

    def __init__(self, lengths: Sequence[int], exercises: int, wanted: int, batch: int, seed: int) -> None:
        chance = Random(seed)
        places = range(len(lengths))
        self._order = _mixed(places[:exercises], lengths, batch, chance)
        examples = places[exercises:]
        while len(self._order) < wanted:
            self._order += _mixed(examples, lengths, batch, chance)
        del self._order[wanted:]

    def __iter__(self) -> Iterator[int]:
        return iter(self._order)

    def __len__(self) -> int:
        return len(self._order)


def _mixed(places: Sequence[int], lengths: Sequence[int], batch: int, chance: Random) -> list[int]:
    shuffled = chance.sample(places, len(places))
    found: list[int] = []
    for start in range(0, len(shuffled), batch * _BATCHES):
        alike = sorted(shuffled[start : start + batch * _BATCHES], key=lengths.__getitem__)
        batches = [alike[place : place + batch] for place in range(0, len(alike), batch)]
        found += [place for one in chance.sample(batches, len(batches)) for place in one]
    return found
