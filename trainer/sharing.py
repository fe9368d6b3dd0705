"""Episodes that begin alike, as one batch: what they have in common is read once.

Belongs here: putting examples of one environment together, and the loss of such a batch. Does not: making examples
(`examples`), or the run (`sft`).

Half of a short episode is its beginning: the system message and the list of tools. The model reads it once, and the
rest of every episode after it, as it does when it plays. Nothing but time is different from reading each episode alone.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from trainer.examples import Example

if TYPE_CHECKING:
    import torch

_COMMON = 0.3
"""At least this share of an episode must be common to all of a batch."""


@dataclass(frozen=True, slots=True)
class Shared:
    """What some episodes begin with, how each of them goes on, and which tokens of that are learned."""

    beginning: list[int]
    rests: list[list[int]]
    learned: list[list[bool]]


def shared(examples: Iterable[Example], most: int) -> Iterator[Shared]:
    """Neighbours that begin alike, at most so many together."""
    group: list[Example] = []
    common = 0
    for one in examples:
        alike = min(common, _alike(group[0], one)) if group else _beginning(one)
        if group and (len(group) == most or alike < _COMMON * len(one.ids)):
            yield _together(group, common)
            group, alike = [], _beginning(one)
        group.append(one)
        common = alike
    if group:
        yield _together(group, common)


def _beginning(one: Example) -> int:
    """What stands before the first token that is learned."""
    return max(1, one.learned.index(True)) if True in one.learned else len(one.ids) - 1


def _alike(one: Example, other: Example) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one.ids, other.ids, strict=False)))


def _together(group: Sequence[Example], common: int) -> Shared:
    return Shared(group[0].ids[:common], [one.ids[common:] for one in group], [one.learned[common:] for one in group])


def columns(one: Shared) -> dict[str, Any]:
    """As a row of a dataset. TRL wants labels, and drops rows that have none; what counts is in `learned`."""
    return {"input_ids": one.beginning, "labels": one.beginning, "rests": one.rests, "learned": one.learned}


@dataclass(frozen=True, slots=True)
class SharedTensors:
    """Makes the tensors of one such row. `read`: what a token weighs that is not learned."""

    pad: int
    read: float

    def __call__(self, rows: Sequence[Mapping[str, Any]]) -> "dict[str, torch.Tensor]":
        import torch

        (row,) = rows
        width = max(map(len, row["rests"]))
        rests = torch.full((len(row["rests"]), width), self.pad)
        weights = torch.zeros(rests.shape)
        there = torch.zeros((len(rests), len(row["input_ids"]) + width), dtype=torch.long)
        for place, (ids, learned) in enumerate(zip(row["rests"], row["learned"], strict=True)):
            rests[place, : len(ids)] = torch.tensor(ids)
            weights[place, : len(ids)] = torch.where(torch.tensor(learned), 1.0, self.read)
            there[place, : len(row["input_ids"]) + len(ids)] = 1
        beginning = torch.tensor([row["input_ids"]])
        read = torch.full(beginning.shape, self.read)
        return {"beginning": beginning, "read": read, "rests": rests, "weights": weights, "there": there}


def shared_loss(model: Any, batch: "Mapping[str, torch.Tensor]") -> "torch.Tensor":
    """The mean cross-entropy of all tokens but the first, each with its weight."""
    import torch
    from torch.nn.functional import cross_entropy

    beginning, rests, weights = batch["beginning"], batch["rests"], batch["weights"]
    first = model(input_ids=beginning, use_cache=True)
    cache = first.past_key_values
    cache.batch_repeat_interleave(len(rests))
    second = model(input_ids=rests, attention_mask=batch["there"], past_key_values=cache, use_cache=True)
    before = torch.cat([first.logits[:, -1:].expand(len(rests), -1, -1), second.logits[:, :-1]], dim=1)
    of_rests = cross_entropy(before.flatten(0, 1).float(), rests.flatten(), reduction="none") * weights.flatten()
    read = batch["read"][0, 1:]
    of_beginning = cross_entropy(first.logits[0, :-1].float(), beginning[0, 1:], reduction="none") * read
    return (of_rests.sum() + of_beginning.sum()) / (weights.sum() + read.sum())
