"""What evaluations say: pass rates with their intervals, and two policies compared task by task.

Belongs here: figures of finished rollouts, without any model. Does not: playing (`evaluate`).
"""

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import comb
from statistics import fmean
from typing import Any

from envfactory_dagster.rollouts.scoring import Rollout

_RESAMPLES = 2_000
_TAIL = 0.025


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean, and between what it lies in 95 of 100 resamples of the tasks."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class TaskResult:
    """One task, played so many times."""

    environment: str
    task: str
    kind: str
    played: int
    passed: int
    reward: float
    steps: float
    tokens: float
    outcomes: Mapping[str, int]

    @property
    def name(self) -> str:
        return f"{self.environment}/{self.task}"

    @property
    def pass_rate(self) -> float:
        return self.passed / self.played

    def pass_at(self, k: int) -> float:
        """How likely one of k tries passes, estimated without bias from all that were made."""
        missed = self.played - self.passed
        return 1.0 - comb(missed, k) / comb(self.played, k)


def task_results(rollouts: Sequence[Rollout], kinds: Mapping[tuple[str, str], str]) -> list[TaskResult]:
    """By task, in the order of their names. `kinds`: (environment, task) → kind."""
    groups: defaultdict[tuple[str, str], list[Rollout]] = defaultdict(list)
    for rollout in rollouts:
        groups[rollout.trajectory.environment, rollout.trajectory.task].append(rollout)
    return [_result(key, kinds[key], groups[key]) for key in sorted(groups)]


def _result(key: tuple[str, str], kind: str, rollouts: Sequence[Rollout]) -> TaskResult:
    trajectories = [rollout.trajectory for rollout in rollouts]
    return TaskResult(
        environment=key[0],
        task=key[1],
        kind=kind,
        played=len(rollouts),
        passed=sum(one.outcome == "completed" for one in trajectories),
        reward=fmean(one.reward.total if one.reward else 0.0 for one in trajectories),
        steps=fmean(len(one.steps) for one in trajectories),
        tokens=fmean(sum(_written(step) for step in one.steps) for one in trajectories),
        outcomes=dict(Counter(one.outcome or "not judged" for one in trajectories)),
    )


def _written(step: Any) -> int:
    return sum(step.tokens.mask or ()) if step.tokens is not None else 0


def interval(values: Sequence[float], seed: int = 0) -> Interval:
    """The mean of the tasks' values, by bootstrap over tasks."""
    chance = random.Random(seed)
    means = sorted(fmean(chance.choices(values, k=len(values))) for _ in range(_RESAMPLES))
    return Interval(fmean(values), means[int(_TAIL * _RESAMPLES)], means[int((1 - _TAIL) * _RESAMPLES) - 1])


def summary(results: Sequence[TaskResult], k: int) -> dict[str, Any]:
    """The table of one evaluation."""
    outcomes = sum((Counter(one.outcomes) for one in results), Counter[str]())
    played = sum(outcomes.values())
    return {
        "tasks": len(results),
        "environments": len({one.environment for one in results}),
        "pass@1": asdict(interval([one.pass_rate for one in results])),
        f"pass@{k}": asdict(interval([one.pass_at(k) for one in results])),
        "reward": asdict(interval([one.reward for one in results])),
        "steps": fmean(one.steps for one in results),
        "tokens": fmean(one.tokens for one in results),
        "outcomes": {name: number / played for name, number in sorted(outcomes.items())},
        "by_kind": {kind: _rates(results, kind) for kind in sorted({one.kind for one in results})},
    }


def _rates(results: Sequence[TaskResult], kind: str) -> dict[str, float]:
    of_kind = [one.pass_rate for one in results if one.kind == kind]
    return {"tasks": len(of_kind), "pass@1": fmean(of_kind)}


def gain(
    before: Sequence[TaskResult], after: Sequence[TaskResult], value: Callable[[TaskResult], float]
) -> Interval | None:
    """How much the second is better than the first on the tasks both played; None when there is none."""
    first = {one.name: value(one) for one in before}
    differences = [value(one) - first[one.name] for one in after if one.name in first]
    return interval(differences) if differences else None
