"""How good the inspected environments of a home are, as several judges rate them, and how various.

Belongs here: asking each judge, and the figures. Does not: inspections (`truth.inspection`), of which nothing is done
again: the judges see what was found out in them.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random
from statistics import fmean, stdev

import numpy as np

from envfactory_dagster.authoring.loop import ask_once
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.contracts.inspection import Inspection
from envfactory_dagster.contracts.quality import Bugs, JudgeRatings, JudgesCompared, PoolDiversity, Quality, Rated
from envfactory_dagster.contracts.records import Spent
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Caller, Role
from envfactory_dagster.language.settings import LanguageSettings
from envfactory_dagster.measuring.studies.subsets import text_of
from envfactory_dagster.store.bundles import BundleStore
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.records import RecordStore
from envfactory_dagster.truth.inspection import ratings
from envfactory_dagster.truth.inspection.inspector import STAGE

ASSET = "quality"
_AT_ONCE = 8
_DRAWS = 20

Scores = dict[str, dict[str, int]]
"""Environment → rating → score."""


@dataclass(frozen=True, slots=True)
class InspectedBundle:
    bundle: Bundle
    """As it was inspected."""
    report: Inspection


async def quality(
    home: Home, judges: Sequence[LanguageSettings], environments: Sequence[str], say: Callable[[str], object]
) -> Quality:
    """`judges`: settings that differ in the model of the role judge."""
    for settings in judges:
        settings.require(Role.JUDGE)
    everything = inspected(home, environments)
    scores: dict[str, Scores] = {}
    spent = []
    for settings in judges:
        async with Gateway(settings, home.root) as gateway:
            name = settings.model(Role.JUDGE)
            scores[name] = await _rated(gateway, everything)
            spent += [gateway.spent(ASSET, one.bundle.key) for one in everything]
            say(f"{name}: {len(scores[name])} of {len(everything)} environments rated")
    async with Gateway(judges[0], home.root) as gateway:
        texts = [text_of(one.bundle) for one in everything]
        vectors = await gateway.embed(caller=Caller(ASSET, "", Role.EMBEDDER), texts=texts)
    return Quality(
        environments=len(everything),
        judges=[_of_judge(name, found) for name, found in scores.items()],
        compared=[compared(*pair) for pair in combinations(scores.items(), 2)],
        bugs=_bugs(everything),
        diversity=diversity(vectors, [one.bundle.theme.category for one in everything]),
        spent=Spent.together(spent),
    )


def inspected(home: Home, environments: Sequence[str]) -> list[InspectedBundle]:
    """Of these environments, or of all whose inspection was accepted."""
    reports = {
        record.partition: Inspection.model_validate(record.artifact)
        for record in RecordStore(home).records(STAGE)
        if record.artifact is not None
    }
    if unknown := [key for key in environments if key not in reports]:
        raise UsageError(f"Not inspected: {', '.join(unknown)}. Inspected are: {', '.join(reports) or 'none'}.")
    if not reports:
        raise UsageError(f"No environment of {home.root} was inspected; `envfactory build` does it.")
    store = BundleStore(home)
    return [
        InspectedBundle(store.load(key, reports[key].bundle), reports[key]) for key in environments or sorted(reports)
    ]


async def _rated(gateway: Gateway, everything: Sequence[InspectedBundle]) -> Scores:
    room = asyncio.Semaphore(_AT_ONCE)

    async def one(asked: InspectedBundle) -> dict[str, int] | None:
        report = asked.report
        failures = [finding.message for finding in report.findings if finding.severity == "fail"]
        question = ratings.question(asked.bundle, report.facts, failures, report.ratings.blocked_tasks)
        async with room:
            given, _ = await ask_once(gateway, Caller(ASSET, asked.bundle.key, Role.JUDGE), question, None, 1)
        return None if given is None else {name: getattr(given.value, name).score for name in ratings.NAMES}

    found = await asyncio.gather(*map(one, everything))
    return {asked.bundle.key: scores for asked, scores in zip(everything, found, strict=True) if scores is not None}


def _of_judge(judge: str, scores: Scores) -> JudgeRatings:
    by_name = {name: [one[name] for one in scores.values()] for name in ratings.NAMES} if scores else {}
    rated = {
        name: Rated(mean=fmean(values), deviation=stdev(values) if len(values) > 1 else 0.0)
        for name, values in by_name.items()
    }
    return JudgeRatings(judge=judge, environments=len(scores), ratings=rated)


def compared(one: tuple[str, Scores], other: tuple[str, Scores]) -> JudgesCompared:
    both = sorted(one[1].keys() & other[1].keys())
    apart = {
        name: fmean(abs(one[1][key][name] - other[1][key][name]) for key in both) for name in ratings.NAMES if both
    }
    return JudgesCompared(judges=(one[0], other[0]), environments=len(both), difference=apart)


def _bugs(everything: Sequence[InspectedBundle]) -> Bugs:
    found = [one.report.ratings for one in everything]
    return Bugs(
        environments_with_bugs=fmean(one.bugs > 0 for one in found),
        bugs=fmean(one.bugs for one in found),
        blocked_tasks=fmean(
            len(rated.blocked_tasks) / max(1, len(one.bundle.tasks))
            for one, rated in zip(everything, found, strict=True)
        ),
    )


def diversity(vectors: Sequence[Sequence[float]], categories: Sequence[str]) -> list[PoolDiversity]:
    """By the size of the pool: 2, 4, 8 and so on, and all of them. Each draw of a larger pool has its smaller ones."""
    count = len(vectors)
    if count < 2:
        return []
    points = np.asarray(vectors, dtype=float)
    points /= np.maximum(np.linalg.norm(points, axis=1, keepdims=True), 1e-12)
    apart = 1.0 - points @ points.T
    np.fill_diagonal(apart, np.nan)
    orders = [Random(f"pool {draw}").sample(range(count), count) for draw in range(_DRAWS)]
    sizes = [*(2**power for power in range(1, count.bit_length()) if 2**power < count), count]
    return [_of_size(apart, [order[:size] for order in orders], categories, size) for size in sizes]


def _of_size(
    apart: "np.typing.NDArray[np.float64]", pools: Sequence[Sequence[int]], categories: Sequence[str], size: int
) -> PoolDiversity:
    chosen = [apart[np.ix_(pool, pool)] for pool in pools]
    return PoolDiversity(
        size=size,
        apart=fmean(float(np.nanmean(one)) for one in chosen),
        nearest=fmean(float(np.nanmin(one, axis=1).mean()) for one in chosen),
        categories=fmean(len({categories[place] for place in pool}) for pool in pools),
    )
