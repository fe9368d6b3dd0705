"""Figures over the groups that were played, and the error for groups that give nothing to learn from.

Belongs here: figures over episodes, whichever way they were played. Does not: playing (`playing`, `group_worker`).
"""

from collections.abc import Callable, Iterable, Sequence
from statistics import fmean, pstdev

from envfactory_dagster.rollouts.scoring import Rollout

from .failures import NothingToLearn
from .groups import score
from .playing import Played


def figures(played: Played, components: Iterable[str]) -> dict[str, float]:
    """What a batch of groups shows. `components`: of the reward that is paid, whether or not any episode has them."""
    rollouts = [rollout for group in played.groups for rollout in group]
    scores = [[value for one in group if (value := score(one)) is not None] for group in played.groups]
    flat = [value for group in scores for value in group]
    earned = [one.trajectory.reward.components for one in rollouts if one.trajectory.reward and score(one) is not None]
    calls = sum(len(step.calls) for rollout in rollouts for step in rollout.trajectory.steps)
    steps = sum(len(rollout.trajectory.steps) for rollout in rollouts)
    return {
        "reward": fmean(flat) if flat else 0.0,
        "reward_std": fmean([pstdev(group) for group in scores if len(group) > 1] or [0.0]),
        "groups_that_differ": fmean([float(len(set(group)) > 1) for group in scores] or [0.0]),
        # An episode that was ended early or without a report has no components: it did nothing of what they count.
        **{f"rewards/{name}": fmean([one.get(name, 0.0) for one in earned] or [0.0]) for name in components},
        "tools/call_frequency": calls / max(1, len(rollouts)),
        "steps_per_rollout": steps / max(1, len(rollouts)),
        "format_errors": _share(rollouts, lambda one: one.cause == "format"),
        "environment_errors": _share(rollouts, lambda one: one.trajectory.outcome == "environment_error"),
        "completed": _share(rollouts, lambda one: one.trajectory.outcome == "completed"),
        "seconds/playing": played.seconds,
        "seconds/environments": played.seconds - played.model_seconds,
        "seconds/sessions": played.session_seconds,
    }


def _share(rollouts: Sequence[Rollout], holds: Callable[[Rollout], bool]) -> float:
    return sum(map(holds, rollouts)) / max(1, len(rollouts))


def nothing_to_learn(when: str) -> NothingToLearn:
    return NothingToLearn(
        f"{when} every group earned the same throughout: the tasks are too hard or too easy for this policy, or it "
        "makes no calls. Train it on examples first, or choose other tasks."
    )
