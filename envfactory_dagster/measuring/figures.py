"""The figures of a measurement: mean score, pass^k, max@k, each with its interval.

Belongs here: from tries to figures. Does not: making tries (`held_out`, `bfcl`), and what the authors of a benchmark
make of the figures of its parts (`aggregates`).
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from math import comb
from statistics import fmean

from envfactory_dagster.contracts.benchmarks import MeasuredTask, Scores, Spread, Try
from envfactory_dagster.rollouts.results import interval


def measured_tasks(tries: Iterable[Try], k: int) -> list[MeasuredTask]:
    """Every task with its first k tries, in the order of their names."""
    of_task: defaultdict[str, list[Try]] = defaultdict(list)
    for one in tries:
        of_task[one.task].append(one)
    return [_measured(sorted(of_task[task], key=lambda one: one.seed)[:k]) for task in sorted(of_task)]


def _measured(tries: Sequence[Try]) -> MeasuredTask:
    return MeasuredTask(
        task=tries[0].task,
        category=tries[0].category,
        group=tries[0].group,
        scores=[one.score for one in tries],
        passed=sum(one.passed for one in tries),
        outcomes=dict(Counter(one.outcome for one in tries)),
    )


def scores_of(tasks: Sequence[MeasuredTask]) -> Scores:
    """Of tasks with equally many tries."""
    groups = [one.group for one in tasks]

    def spread(value: Callable[[MeasuredTask], float]) -> Spread:
        found = interval([*map(value, tasks)], groups)
        if found is None:
            raise ValueError("there is no task to tell a figure of")
        return Spread(mean=found.mean, low=found.low, high=found.high)

    ks = range(1, len(tasks[0].scores) + 1) if tasks else ()
    return Scores(
        tasks=len(tasks),
        score=spread(lambda one: fmean(one.scores)),
        pass_all={k: spread(partial(_all_pass, k)) for k in ks},
        best={k: spread(partial(_best, k)) for k in ks},
    )


def _all_pass(k: int, one: MeasuredTask) -> float:
    return pass_all(one.passed, len(one.scores), k)


def _best(k: int, one: MeasuredTask) -> float:
    return best_of(one.scores, k)


def pass_all(passed: int, tries: int, k: int) -> float:
    """pass^k: how likely k of the tries, drawn without putting back, all passed."""
    return comb(passed, k) / comb(tries, k)


def best_of(scores: Sequence[float], k: int) -> float:
    """max@k: the expected best score of k of the tries, drawn without putting back."""
    ways = comb(len(scores), k)
    return sum(score * comb(place, k - 1) for place, score in enumerate(sorted(scores))) / ways
