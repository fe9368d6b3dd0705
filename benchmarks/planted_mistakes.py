"""Mistakes that are planted, and what a diagnosis makes of them.

Belongs here: rounds over worlds of the library in which a policy of known mistakes plays, and how often the diagnosis
names these. Does not: the diagnosis (`arena.diagnosis`).

The small worlds of the library are built once, and each is released under four keys: a kind is a world. The reference
policy plays one round of them with each kind of mistake. Then it plays as well as it does elsewhere, and makes one kind
of mistake in the environments of one kind only: every kind in turn, with every mistake.
"""

from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import mean

from benchmarks.worlds import built
from envfactory_dagster.arena.diagnosis import computed
from envfactory_dagster.arena.diagnosis.episodes import FailedEpisode, failed_episodes
from envfactory_dagster.arena.policies import OnePolicy
from envfactory_dagster.arena.round_results import GROUPS, ArenaResultsStage, rate, rates
from envfactory_dagster.arena.round_tasks import ArenaTasksStage, RoundSettings
from envfactory_dagster.arena.rounds import ArenaRound
from envfactory_dagster.contracts.arena import ArenaResults, ArenaTasks
from envfactory_dagster.contracts.diagnosis import FailureClass
from envfactory_dagster.contracts.records import StageRecord
from envfactory_dagster.contracts.synthesis import Release
from envfactory_dagster.datasets.gathering import GatherSettings, placed
from envfactory_dagster.datasets.splits import Shares
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Role
from envfactory_dagster.language.settings import BUILT_IN_MODEL, LanguageSettings
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.bundles import BundleStore
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.memo import run_stage
from envfactory_dagster.store.records import RecordStore

NAMED: dict[str, set[FailureClass]] = {
    "wrong_entity": {"wrong_entity", "wrong_value", "answer_wrong"},
    "stops_early": {"stopped_early"},
    "hallucinated_tool": {"hallucinated_tool"},
    "malformed_arguments": {"bad_arguments"},
    "over_asking": {"over_asking"},
}
"""Mistake of the reference policy → the classes that name it: `wrong_entity` does it to another thing, or with another
value, or reports another answer where nothing is written."""

COPIES = 4
ROUND = "planted-r00"
COMPETENCE, ELSEWHERE = 0.6, 0.9
_SHARE = 0.25

Figures = dict[str, float]


async def planted_mistakes(folder: Path) -> Figures:
    await built(folder, "small")
    return await found_in(folder)


async def found_in(folder: Path) -> Figures:
    """Of a home with released environments."""
    home = copied(folder)
    await placed(home, GatherSettings(shares=Shares(0, 0, 1, 0, 0)))
    async with _round(home) as played:
        by_mistake = {
            mistake: await played.by(f"reference:competence={COMPETENCE},mistakes={mistake}") for mistake in NAMED
        }
        elsewhere = await played.by(f"reference:competence={ELSEWHERE}")
    return _named(by_mistake) | _weak(by_mistake, elsewhere)


def copied(folder: Path) -> Home:
    """A home with every release under several keys."""
    home, source = Home.resolve(folder / "copies"), Home.resolve(folder)
    for record in RecordStore(source).records("release"):
        if record.artifact is None:
            continue
        release = Release.model_validate(record.artifact)
        bundle = BundleStore(source).load(record.partition, release.version)
        for number in range(COPIES):
            theme = bundle.theme.model_copy(update={"key": f"{bundle.key[:60].rstrip('-')}-{number}"})
            copy = replace(bundle, theme=theme)
            BundleStore(home).keep(copy)
            artifact = release.model_copy(update={"version": copy.version}).model_dump(mode="json")
            RecordStore(home).keep(
                StageRecord(
                    stage="release",
                    partition=copy.key,
                    status="ok",
                    inputs=copy.version,
                    version=copy.version,
                    artifact=artifact,
                )
            )
    return home


@dataclass(frozen=True, slots=True)
class Policy:
    """What a policy did in the round."""

    results: ArenaResults
    episodes: list[FailedEpisode]


@dataclass(frozen=True, slots=True)
class PlayedRound:
    home: Home
    gateway: Gateway
    runtime: Runtime
    tasks: ArenaTasks

    async def by(self, policy: str) -> Policy:
        models = LanguageSettings(models={Role.SOLVER: policy})
        stage = ArenaResultsStage(self.home, self.runtime, OnePolicy(self.gateway, models))
        record = await run_stage(RecordStore(self.home), stage, ROUND)
        results = ArenaResults.model_validate(record.artifact)
        below = ArenaRound.of_key(ROUND).home(self.home)
        return Policy(results, await failed_episodes(self.runtime, below, self.tasks, results))


@asynccontextmanager
async def _round(home: Home) -> AsyncIterator[PlayedRound]:
    async with Gateway(LanguageSettings(), home.root) as gateway, Runtime() as runtime:
        stage = ArenaTasksStage(home, gateway, runtime, RoundSettings(), BUILT_IN_MODEL)
        record = await run_stage(RecordStore(home), stage, ROUND)
        yield PlayedRound(home, gateway, runtime, ArenaTasks.model_validate(record.artifact))


def _named(by_mistake: dict[str, Policy]) -> Figures:
    """How often the commonest class of a mistake's failures names it: of the round, and of each environment."""
    of_round, of_environments, of_episodes, exactly = list[bool](), list[bool](), list[bool](), list[bool]()
    figures = Figures()
    for mistake, one in by_mistake.items():
        by_environment: dict[str, Counter[FailureClass]] = {}
        for episode in one.episodes:
            by_environment.setdefault(episode.bundle.key, Counter())[episode.failure.failure] += 1
        [top, *_] = computed.patterns([episode.failure for episode in one.episodes])
        of_round.append(top.root_cause in NAMED[mistake])
        of_environments += [by.most_common(1)[0][0] in NAMED[mistake] for by in by_environment.values()]
        named = [episode.failure.failure in NAMED[mistake] for episode in one.episodes]
        of_episodes += named
        figures[f"named_{mistake}"] = round(mean(named), 4)
        if mistake == "wrong_entity":
            written = [episode for episode in one.episodes if episode.failure.kind == "action"]
            exactly += [episode.failure.failure == mistake for episode in written]
    return {
        "mistakes_named_by_round": mean(of_round),
        "mistakes_named_by_environment": round(mean(of_environments), 4),
        "mistakes_named_by_episode": round(mean(of_episodes), 4),
        "failed_episodes": len(of_episodes),
        **figures,
        "wrong_entity_exactly_where_written": round(mean(exactly), 4),
    }


def _weak(by_mistake: dict[str, Policy], elsewhere: Policy) -> Figures:
    """Of the environments that are called weak where one kind has been made so, those of that kind."""
    categories = sorted({one.category for one in elsewhere.results.tasks})
    precision, recall, clear = list[float](), list[float](), list[bool]()
    for worse in by_mistake.values():
        for category in categories:
            results = _mixed(worse.results, elsewhere.results, category)
            found = computed.weak_environments(results, computed.most_weak(results, _SHARE))
            planted = {one.environment for one in results.tasks if one.category == category}
            called = {one.group for one in found.rates}
            clear.append(found.clear)
            if called:
                precision.append(len(called & planted) / len(called))
            recall.append(len(called & planted) / len(planted))
    return {
        "weak_precision": round(mean(precision), 4),
        "weak_precision_worst": round(min(precision), 4),
        "weak_recall": round(mean(recall), 4),
        "weak_clear": round(mean(clear), 4),
        "weak_trials": len(recall),
        "environments": len({one.environment for one in elsewhere.results.tasks}),
        "pass_rate_elsewhere": round(elsewhere.results.overall.value, 4),
    }


def _mixed(worse: ArenaResults, better: ArenaResults, category: str) -> ArenaResults:
    """What came of the worse policy in the environments of this category, and of the better one in all others."""
    tasks = [one for one in worse.tasks if one.category == category]
    tasks += [one for one in better.tasks if one.category != category]
    return better.model_copy(
        update={
            "tasks": tasks,
            "overall": rate("all", tasks),
            "rates": {name: rates(tasks, group) for name, group in GROUPS.items()},
        }
    )
