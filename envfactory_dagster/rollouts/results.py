"""What evaluations say: pass rates with their intervals, and two policies compared task by task.

Belongs here: figures of finished rollouts, without any model. Does not: playing (`engine`), and how figures are shown.

An episode whose surroundings failed says nothing about who played it: it is counted by itself, and in no rate.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import comb
from statistics import fmean
from typing import TYPE_CHECKING, Any

from envfactory_dagster.contracts.trajectory import Step
from envfactory_dagster.rollouts.scoring import Rollout

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

GROUPS = ("kind", "level", "source")
"""By what a table is broken down."""

_RESAMPLES = 1_000
_TAIL = 0.025


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean, and between what it lies in 95 of 100 resamples."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class About:
    """What is known of a task before anybody plays it."""

    kind: str
    level: int
    source: str
    split: str = ""


@dataclass(frozen=True, slots=True)
class TaskResult:
    """One task, played so many times by whom it was given to. `played` leaves out what its surroundings spoiled."""

    environment: str
    version: str
    task: str
    split: str
    kind: str
    level: int
    source: str
    played: int
    passed: int
    environment_errors: int
    reward: float | None
    """The mean; None where no episode has one."""
    steps: float
    tokens: float | None
    """Written by the policy in an episode; None where nobody counted them."""
    outcomes: Mapping[str, int]
    unscored: int = 0
    """A judge gave no verdict, or nobody has read what stands in a report's place: there is no reward."""

    @property
    def name(self) -> tuple[str, str, str]:
        return self.environment, self.version, self.task

    @property
    def pass_rate(self) -> float:
        return self.passed / self.played

    def pass_at(self, k: int) -> float:
        """How likely one of k tries passes, estimated without bias from all that were made: at least k."""
        missed = self.played - self.passed
        return 1.0 - comb(missed, k) / comb(self.played, k)


def task_results(rollouts: Iterable[Rollout], about: Mapping[tuple[str, str], About]) -> list[TaskResult]:
    """By task, in the order of their names. `about`: (environment, task) → what it is."""
    groups: defaultdict[tuple[str, str, str], list[Rollout]] = defaultdict(list)
    for rollout in rollouts:
        one = rollout.trajectory
        groups[one.environment, one.bundle_version, one.task].append(rollout)
    return [_result(key, about[key[0], key[2]], groups[key]) for key in sorted(groups)]


def _result(key: tuple[str, str, str], about: About, rollouts: Sequence[Rollout]) -> TaskResult:
    everything = [rollout.trajectory for rollout in rollouts]
    counted = [one for one in everything if one.outcome not in ("environment_error", None)]
    written = [[_written(step) for step in one.steps] for one in counted]
    known = [sum(filter(None, steps)) for steps in written if None not in steps]
    return TaskResult(
        environment=key[0],
        version=key[1],
        task=key[2],
        split=about.split,
        kind=about.kind,
        level=about.level,
        source=about.source,
        played=len(counted),
        passed=sum(one.outcome == "completed" for one in counted),
        environment_errors=sum(one.outcome == "environment_error" for one in everything),
        reward=_mean([one.reward.total for one in counted if one.reward is not None]),
        steps=_mean([len(one.steps) for one in counted]) or 0.0,
        tokens=_mean(known),
        outcomes=dict(Counter(str(one.outcome) for one in counted)),
        unscored=sum(one.reward is None for one in everything if one.outcome != "environment_error"),
    )


def _written(step: Step) -> int | None:
    tokens = step.tokens
    return sum(tokens.mask) if tokens is not None and tokens.mask is not None else None


def _mean(values: Sequence[float]) -> float | None:
    return fmean(values) if values else None


def interval(values: Sequence[float], environments: Sequence[str], seed: int = 0) -> Interval | None:
    """The mean of the tasks' values. Tasks of one environment have much in common, so that whole environments are
    drawn first, and then tasks in each; `environments` names the one of each value. None where there are no values."""
    if not values:
        return None
    import numpy as np

    weights = _resampled(environments, np.random.default_rng(seed))
    means = (weights @ np.asarray(values, dtype=float)) / weights.sum(axis=1)
    low, high = np.quantile(means, [_TAIL, 1 - _TAIL])
    return Interval(fmean(values), float(low), float(high))


def _resampled(environments: Sequence[str], chance: "np.random.Generator") -> "NDArray[np.float64]":
    """How often each task stands in each resample."""
    import numpy as np

    places: defaultdict[str, list[int]] = defaultdict(list)
    for place, name in enumerate(environments):
        places[name].append(place)
    drawn = chance.multinomial(len(places), [1 / len(places)] * len(places), size=_RESAMPLES)
    weights = np.zeros((_RESAMPLES, len(environments)))
    for number, of_one in enumerate(places.values()):
        weights[:, of_one] = chance.multinomial(drawn[:, number] * len(of_one), [1 / len(of_one)] * len(of_one))
    return weights


def summary(results: Sequence[TaskResult], k: int) -> dict[str, Any]:
    """The table of one evaluation. Rates are over the tasks that were played at all; `pass@k` over those with k tries
    that count. Where there is no such task a figure is None."""
    played = [one for one in results if one.played]
    often = [one for one in played if one.played >= k]
    outcomes = sum((Counter(one.outcomes) for one in played), Counter[str]())
    episodes = sum(one.played for one in played)
    return {
        "tasks": len(played),
        "environments": len({one.environment for one in played}),
        "episodes": episodes,
        "pass@1": _figure(played, lambda one: one.pass_rate),
        f"pass@{k}": _figure(often, lambda one: one.pass_at(k)),
        "reward": _figure([one for one in played if one.reward is not None], lambda one: one.reward or 0.0),
        "unscored": sum(one.unscored for one in results),
        "steps": _mean([one.steps for one in played]),
        "tokens": _mean([one.tokens for one in played if one.tokens is not None]),
        "outcomes": {name: number / episodes for name, number in sorted(outcomes.items())},
        "environment_errors": sum(one.environment_errors for one in results),
        "unplayed_tasks": len(results) - len(played),
        "tasks_with_fewer_tries": len(played) - len(often),
        **{f"by_{group}": _by(played, group) for group in GROUPS},
    }


def _figure(results: Sequence[TaskResult], value: Callable[[TaskResult], float]) -> dict[str, float] | None:
    found = interval([value(one) for one in results], [one.environment for one in results])
    return None if found is None else asdict(found)


def _by(results: Sequence[TaskResult], group: str) -> dict[str, Any]:
    groups: defaultdict[str, list[TaskResult]] = defaultdict(list)
    for one in results:
        groups[str(getattr(one, group))].append(one)
    return {
        name: {"tasks": len(groups[name]), "pass@1": _figure(groups[name], lambda one: one.pass_rate)}
        for name in sorted(groups)
    }


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two policies on the tasks that both played."""

    tasks: int
    before: float
    after: float
    gain: Interval
    better: int
    """Tasks that the second passes more often."""
    worse: int


def compared(
    before: Iterable[TaskResult],
    after: Iterable[TaskResult],
    value: Callable[[TaskResult], float] = lambda one: one.pass_rate,
) -> Comparison | None:
    """How much the second is better than the first, task by task; None when no task was played by both. A task of
    another version of its environment is another task."""
    first = {one.name: value(one) for one in before if one.played}
    pairs = [(one.environment, first[one.name], value(one)) for one in after if one.played and one.name in first]
    differences = [second - earlier for _, earlier, second in pairs]
    gain = interval(differences, [environment for environment, _, _ in pairs])
    if gain is None:
        return None
    return Comparison(
        tasks=len(pairs),
        before=fmean(earlier for _, earlier, _ in pairs),
        after=fmean(second for _, _, second in pairs),
        gain=gain,
        better=sum(difference > 0 for difference in differences),
        worse=sum(difference < 0 for difference in differences),
    )
