"""A diagnosis without a model: counts by class, environments with clearly lower rates, and the tools concerned.

Belongs here: tables, patterns, the ranking, and guidelines that follow from them. Does not: the classes of episodes
(`classes`), and what a model makes of all this (`asking`).
"""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean, median_low

from envfactory_dagster.arena.diagnosis.episodes import FailedEpisode
from envfactory_dagster.contracts.arena import ArenaResults, ArenaTaskResult, Rate
from envfactory_dagster.contracts.diagnosis import (
    MEANINGS,
    ClassCount,
    DiagnosisWritten,
    Failure,
    FailureClass,
    FailurePattern,
    Guideline,
    WeakEnvironment,
)

MOST_EVIDENCE = 3
LEAST_FAILED = 2
"""An environment in which fewer tasks were failed is not called weak."""
_LEAST_PRACTISED = 2


@dataclass(frozen=True, slots=True)
class Weak:
    """Environments that are weaker than the others, the weakest first."""

    rates: list[Rate]
    clear: bool
    """Whether the whole interval of each lies below the mean of the others; else these have the lowest rates."""


def weak_environments(results: ArenaResults, most: int) -> Weak:
    """At most so many. Where some are clearly weaker, only these."""
    failed = _failed_tasks(results.tasks)
    candidates = [rate for rate in results.rates["environment"] if failed[rate.group] >= LEAST_FAILED]
    candidates.sort(key=lambda rate: (rate.value, rate.high, rate.group))
    clear = [rate for rate in candidates if rate.high < _mean_of_others(rate.group, results.tasks)]
    below = [rate for rate in candidates if rate.value <= results.overall.value]
    return Weak((clear or below)[:most], bool(clear))


def may_be_weak(results: ArenaResults) -> set[str]:
    """Environments in which enough was failed, and more than on average in their category or in the lowest quarter."""
    failed = _failed_tasks(results.tasks)
    category_of = {one.environment: one.category for one in results.tasks}
    of_category = {rate.group: rate.value for rate in results.rates["category"]}
    values = sorted(rate.value for rate in results.rates["environment"])
    quartile = values[(len(values) - 1) // 4]
    return {
        rate.group
        for rate in results.rates["environment"]
        if failed[rate.group] >= LEAST_FAILED
        and (rate.value < of_category[category_of[rate.group]] or rate.value <= quartile)
    }


def most_weak(results: ArenaResults, share: float) -> int:
    return math.ceil(share * len(results.rates["environment"]))


def _failed_tasks(tasks: Sequence[ArenaTaskResult]) -> Counter[str]:
    return Counter(one.environment for one in tasks if one.passed < one.played)


def _mean_of_others(environment: str, tasks: Sequence[ArenaTaskResult]) -> float:
    others = [one.passed / one.played for one in tasks if one.played and one.environment != environment]
    return fmean(others) if others else 0.0


def written(found: Weak, episodes: Sequence[FailedEpisode], tasks: int) -> DiagnosisWritten:
    """What a model would write. `tasks`: that are to be practised in a weak environment."""
    failures = [one.failure for one in episodes]
    weak = ranked(found, failures)
    return DiagnosisWritten(patterns=patterns(failures), weak=weak, guidelines=guidelines(weak, episodes, tasks))


def counted(failures: Sequence[Failure], group: Callable[[Failure], str]) -> list[ClassCount]:
    """Failures of each group by class, the group with most of them first."""
    groups: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for one in failures:
        groups[group(one)][one.failure] += 1
    found = [ClassCount(group=name, failed=by.total(), by_class=dict(by.most_common())) for name, by in groups.items()]
    return sorted(found, key=lambda one: (-one.failed, one.group))


def patterns(failures: Sequence[Failure]) -> list[FailurePattern]:
    """One for each class that occurs, the commonest first."""
    by_class: defaultdict[FailureClass, list[Failure]] = defaultdict(list)
    for one in failures:
        by_class[one.failure].append(one)
    return [
        FailurePattern(
            id=name,
            root_cause=name,
            description=f"The policy {MEANINGS[name]}.",
            share=len(found) / len(failures),
            evidence=[one.at for one in _spread(found)[:MOST_EVIDENCE]],
        )
        for name, found in sorted(by_class.items(), key=lambda pair: (-len(pair[1]), pair[0]))
    ]


def _spread(failures: Sequence[Failure]) -> list[Failure]:
    """Of every environment in turn."""
    seen: Counter[str] = Counter()
    placed = []
    for one in failures:
        placed.append((seen[one.at.environment], one))
        seen[one.at.environment] += 1
    return [one for _, one in sorted(placed, key=lambda pair: pair[0])]


def ranked(found: Weak, failures: Sequence[Failure]) -> list[WeakEnvironment]:
    return [
        WeakEnvironment(
            environment=rate.group,
            rank=rank,
            severity=round(1 - rate.value, 4),
            pass_rate=rate.value,
            tasks=rate.tasks,
            patterns=[name for name, _ in _classes_of(rate.group, failures)],
            why=_why(rate, _classes_of(rate.group, failures)),
        )
        for rank, rate in enumerate(found.rates, 1)
    ]


def _classes_of(environment: str, failures: Sequence[Failure]) -> list[tuple[FailureClass, int]]:
    return Counter(one.failure for one in failures if one.at.environment == environment).most_common()


def _why(rate: Rate, classes: Sequence[tuple[FailureClass, int]]) -> str:
    told = ", ".join(f"{name} {count}" for name, count in classes)
    return f"{rate.value:.0%} passed ({rate.low:.0%} to {rate.high:.0%}) of {rate.tasks} tasks; failed: {told}."


def guidelines(weak: Sequence[WeakEnvironment], episodes: Sequence[FailedEpisode], tasks: int) -> list[Guideline]:
    """One for the commonest class of each weak environment, of whose failures the tools are to be practised."""
    return [_guideline([one for one in episodes if one.bundle.key == weak_one.environment], tasks) for weak_one in weak]


def _guideline(episodes: Sequence[FailedEpisode], tasks: int) -> Guideline:
    [(commonest, _)] = Counter(one.failure.failure for one in episodes).most_common(1)
    meant = [one for one in episodes if one.failure.failure == commonest]
    known = {tool.name for tool in meant[0].bundle.tools}
    concerned = Counter(tool for one in meant for tool in one.failure.tools if tool in known)
    called = Counter(call.tool for one in meant for call in one.made.solution.calls)
    practised = [name for name, _ in concerned.most_common()]
    practised += [name for name, _ in called.most_common() if name not in practised]
    return Guideline(
        environment=meant[0].bundle.key,
        missing_capability=f"The policy {MEANINGS[commonest]}: {meant[0].failure.detail or meant[0].made.task.text}",
        practise=practised[: max(_LEAST_PRACTISED, len(concerned))] or sorted(known)[:_LEAST_PRACTISED],
        kind=Counter(one.failure.kind for one in meant).most_common(1)[0][0],
        least_calls=max(1, median_low(len(one.made.solution.calls) for one in meant)),
        level=Counter(one.failure.level for one in meant).most_common(1)[0][0],
        tasks=tasks,
    )
