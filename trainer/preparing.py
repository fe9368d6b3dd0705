"""What SFT learns from: the examples of all rows that fit, those that are held out, and why others are dropped.

Belongs here: which examples a run keeps, and telling so. Does not: making one of a row (`examples`), or training on
them (`sft`).
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from datasets import Dataset

from .examples import Example, examples, joined
from .failures import RecipeError
from .policies import LoadedPolicy
from .recipe import Recipe


@dataclass(frozen=True, slots=True)
class Examples:
    """What a run learns from, and what it does not."""

    dataset: Dataset
    held_out: Dataset | None
    """Examples of tasks that are kept apart, on which the loss is told."""
    dropped: dict[str, int]
    """Why → how many messages; rows that cannot be rendered count once."""
    messages: int
    """That are learned or held out, in however many examples."""
    tokens: int
    learned: int

    @property
    def told(self) -> str:
        dropped = sum(self.dropped.values())
        reasons = "".join(f" {count} dropped: {why}." for why, count in self.dropped.items())
        apart = f" {len(self.held_out)} examples are held out." if self.held_out is not None else ""
        tokens = f"{self.tokens:,} tokens are read in {len(self.dataset)} examples, {self.learned:,} of them learned."
        return f"{self.messages} of {self.messages + dropped} messages are kept.{reasons}{apart} {tokens}"


def prepare(policy: LoadedPolicy, recipe: Recipe, rows: Sequence[Mapping[str, Any]]) -> Examples:
    made, dropped = list[tuple[bool, Example]](), Counter[str]()
    for row in rows:
        try:
            found = list(examples(policy.renderer, [row]))
        except RecipeError as error:
            dropped[str(error).rstrip(".")] += 1
            continue
        fit = [one for one in found if len(one.ids) <= recipe.sft.longest]
        if len(fit) < len(found):
            dropped[f"more than {recipe.sft.longest} tokens (`sft.longest`)"] += len(found) - len(fit)
        made += [(_is_held_out(row, recipe), one) for one in fit]
    if not made and not dropped:
        raise RecipeError("In no row has the assistant written anything; there is nothing to learn.")
    learned, apart = (joined(one for held, one in made if held is which) for which in (False, True))
    prepared = Examples(
        _dataset(learned),
        _dataset(apart) if apart else None,
        dict(dropped),
        len(made),
        sum(len(one.ids) for one in learned),
        sum(sum(one.learned) for one in learned),
    )
    if not learned or len(made) < recipe.sft.least_kept * (len(made) + dropped.total()):
        raise RecipeError(f"Too little is left to learn from (`sft.least_kept`). {prepared.told}")
    return prepared


def _is_held_out(row: Mapping[str, Any], recipe: Recipe) -> bool:
    """All examples of a task, or none."""
    trace = row.get("trace") or {}
    task = f"{trace.get('environment')} {trace.get('task')}" if trace else str(row["messages"][1:2])
    return Random(f"{recipe.seed} {task}").random() < recipe.sft.held_out


def _dataset(made: Sequence[Example]) -> Dataset:
    return Dataset.from_list([{"input_ids": one.ids, "labels": one.labels()} for one in made])
