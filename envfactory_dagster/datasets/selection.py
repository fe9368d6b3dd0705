"""Of the candidates of a task the best.

Belongs here: which rollouts compete with each other, and which of them wins. Does not: judging them (`rollouts`), and
making one shorter (`shortening`).
"""

from collections.abc import Iterable

from envfactory_dagster.rollouts.scoring import Rollout
from envfactory_dagster.rollouts.settings import Setting

CandidateKey = tuple[str, str, str, Setting, str]
"""Environment, its version, task, setting, protocol: rollouts that have these in common are candidates of one task."""


def best_of_each(rollouts: Iterable[Rollout], least: float = 1.0) -> list[Rollout]:
    """The best candidate of every task, in the order in which the tasks first appear. Only those compete that came to
    an end of their own with a verdict of at least `least`."""
    fields: dict[CandidateKey, list[Rollout]] = {}
    for rollout in rollouts:
        fields.setdefault(_field(rollout), []).append(rollout)
    return [found for field in fields.values() if (found := best(field, least)) is not None]


def best(candidates: Iterable[Rollout], least: float = 1.0) -> Rollout | None:
    """The one with the highest verified reward; of equal ones that with the fewest calls, then that with the lowest
    seed. None when none is good enough. An episode without a reward does not compete."""
    scored = [one for one in candidates if one.cause == "answered" and one.trajectory.reward is not None]
    fit = [one for one in scored if _score(one) >= least]
    return min(fit, key=_rank, default=None)


def calls(rollout: Rollout) -> int:
    """Without reports, which every episode ends with."""
    return sum(not call.is_report for step in rollout.trajectory.steps for call in step.calls)


def _rank(rollout: Rollout) -> tuple[float, float, int, int, str]:
    one = rollout.trajectory
    earned = one.reward.total if one.reward is not None else 0.0
    return -earned, -_score(rollout), calls(rollout), one.seed, one.model


def _score(rollout: Rollout) -> float:
    verdict = rollout.trajectory.verdict
    return verdict.score if verdict is not None else -1.0


def _field(rollout: Rollout) -> CandidateKey:
    one = rollout.trajectory
    return one.environment, one.bundle_version, one.task, rollout.setting, one.protocol
