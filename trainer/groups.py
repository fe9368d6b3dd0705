"""From played groups to training samples: every message in its own context, with the advantage of its whole episode.

Belongs here: advantages within a group, and expanding episodes into samples. Does not: playing (`playing`), tensors
(`batches`), or the loss (`grpo`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, pstdev
from typing import Literal

from envfactory_dagster.rollouts.scoring import Rollout

ROWS_AT_ONCE = 4
"""Samples that go through the model together: with more of them, memory goes into padding."""
_ALMOST_NOTHING = 1e-4


@dataclass(frozen=True, slots=True)
class Sample:
    """Messages of a policy exactly as they were sampled: the context of the first, and what followed it."""

    prompt: list[int]
    followed: list[int]
    logprobs: list[float]
    """With which each token that followed was sampled; 0 where the policy only read it."""
    written: list[bool]
    """Which of the tokens that followed are the policy's."""
    advantage: float

    @property
    def ids(self) -> list[int]:
        return [*self.prompt, *self.followed]


def score(rollout: Rollout) -> float | None:
    """What an episode counts; None when its surroundings failed, which teaches nothing."""
    trajectory = rollout.trajectory
    if trajectory.outcome == "environment_error" or trajectory.reward is None:
        return None
    return trajectory.reward.total


def advantages(
    groups: Sequence[Sequence[float | None]], scale: Literal["group", "batch", "none"]
) -> list[list[float | None]]:
    """How much better than its group each episode was."""
    counted = [[value for value in group if value is not None] for group in groups]
    everything = [value for group in counted for value in group]
    batch = pstdev(everything) if len(everything) > 1 else 0.0
    found: list[list[float | None]] = []
    for group, values in zip(groups, counted, strict=True):
        # A mean of equal scores can be another number by rounding, and they would seem to differ from it.
        alike = len(set(values)) == 1
        mean = values[0] if alike else fmean(values) if values else 0.0
        own = pstdev(values) if len(values) > 1 else 0.0
        divisor = {"group": own, "batch": batch, "none": 1.0}[scale] + (_ALMOST_NOTHING if scale != "none" else 0.0)
        found.append([None if value is None else (value - mean) / divisor for value in group])
    return found


def samples(
    groups: Sequence[Sequence[Rollout]],
    scale: Literal["group", "batch", "none"],
    *,
    joined: bool,
    earlier: Sequence[Sequence[float | None]] = (),
) -> list[Sample]:
    """Every message of every episode that counts, in groups that differ. The advantages are worked out first: an
    episode of many messages weighs in its group like one of few.

    `joined`: messages that were written after exactly what a sample holds already are put into it. Nothing changes for
    any token but that its context is read once. `earlier`: scores of groups that are only compared with.
    """
    scores = [[score(rollout) for rollout in group] for group in groups]
    gained = advantages([*earlier, *scores], scale)[len(earlier) :]
    return [
        sample
        for group, values in zip(groups, gained, strict=True)
        for rollout, value in zip(group, values, strict=True)
        if value is not None and value != 0.0
        for sample in (_joined(_messages(rollout, value)) if joined else _messages(rollout, value))
    ]


def _messages(rollout: Rollout, advantage: float) -> list[Sample]:
    found = []
    for step in rollout.trajectory.steps:
        tokens = step.tokens
        if tokens is None or tokens.mask is None or tokens.logprobs is None:
            continue
        prompt = tokens.mask.index(True) if True in tokens.mask else len(tokens.ids)
        if prompt < len(tokens.ids):
            ids, logprobs = tokens.ids[prompt:], tokens.logprobs[prompt:]
            found.append(Sample(tokens.ids[:prompt], ids, logprobs, [True] * len(ids), advantage))
    return found


def _joined(messages: Sequence[Sample]) -> list[Sample]:
    found = list[Sample]()
    for one in messages:
        known = found[-1].ids if found else []
        if known and one.prompt[: len(known)] == known:
            before, read = found.pop(), one.prompt[len(known) :]
            one = Sample(
                before.prompt,
                [*before.followed, *read, *one.followed],
                [*before.logprobs, *[0.0] * len(read), *one.logprobs],
                [*before.written, *[False] * len(read), *one.written],
                one.advantage,
            )
        found.append(one)
    return found
