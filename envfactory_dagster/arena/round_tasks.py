"""The stage `arena_tasks`: the environments of a round, each with tasks that nobody has seen.

Belongs here: the categories of environments, which tasks an environment gets, and keeping them below the home of the
round. Does not: making a taxonomy (`taxonomy`), drawing from families and its gates (`tasks.families`), which
environments are drawn (`drawing`), and playing (`round_results`).

No model is asked for them. Some are drawn from task families. Some are graph and program tasks of the release, each in
one round of an experiment only: environments of the arena are in no dataset, so nothing was trained on these either.
Where no more of them are left, families give more.
"""

import asyncio
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import ClassVar

from envfactory_dagster.arena.drawing import DrawSettings, drawn, seed_of
from envfactory_dagster.arena.earlier import ARENA_TASKS, refuse_if_followed, target_texts, tasks_of
from envfactory_dagster.arena.freshness import TakenTexts
from envfactory_dagster.arena.rounds import ArenaRound
from envfactory_dagster.arena.taxonomy.stage import latest_taxonomy
from envfactory_dagster.contracts.arena import (
    ArenaDraw,
    ArenaTasks,
    DrawnEnvironment,
    RoundEnvironment,
    RoundTask,
)
from envfactory_dagster.contracts.base import Json, content_hash
from envfactory_dagster.contracts.bundle import Bundle, State
from envfactory_dagster.contracts.domain import Theme
from envfactory_dagster.contracts.errors import EnvironmentFault, UsageError
from envfactory_dagster.contracts.stages import StageInput, StageOutcome
from envfactory_dagster.contracts.synthesis import MadeTask, Release, TaskSource
from envfactory_dagster.contracts.truth import Dropped
from envfactory_dagster.datasets.duplicates import LikenessThresholds, asked
from envfactory_dagster.datasets.gathering import SplitReleases, placed_as_before
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Caller, Role
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.bundles import BundleStore
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.memo import run_partitions, run_stage
from envfactory_dagster.store.records import RecordStore
from envfactory_dagster.tasks.families.sampling import fresh_tasks
from envfactory_dagster.tasks.release import ReleaseStage


@dataclass(frozen=True, slots=True)
class Categories:
    of: dict[str, str]
    taxonomy: str | None = None
    """The version of the taxonomy that they are of; None: the themes name them."""


STAGE = ARENA_TASKS
_DRAW = "arena_draw"
_CODE = "1"
_AT_ONCE = 2
"""Environments whose tasks are drawn at once."""
_SURPLUS = 2
"""Families are asked for this many times the tasks that are wanted, since some of them may not be new."""


@dataclass(frozen=True, slots=True)
class RoundSettings:
    draw: DrawSettings = field(default_factory=DrawSettings)
    family_tasks: int = 4
    graph_tasks: int = 2
    program_tasks: int = 2
    likeness: float = LikenessThresholds().among_tasks
    """From this cosine on a task is not new."""

    @property
    def released(self) -> dict[TaskSource, int]:
        """How many tasks of the release are wanted, by what made them."""
        return {"graph": self.graph_tasks, "program": self.program_tasks}

    def hash(self) -> str:
        return content_hash(asdict(self))


@dataclass(frozen=True, slots=True)
class ArenaTasksStage:
    home: Home
    gateway: Gateway
    runtime: Runtime
    settings: RoundSettings
    embedder: str
    name: ClassVar[str] = STAGE
    upstream: ClassVar[tuple[str, ...]] = ()
    code_version: ClassVar[str] = _CODE

    def settings_hash(self) -> str:
        return content_hash([self.settings.hash(), self.embedder])

    async def make(self, stage_input: StageInput) -> StageOutcome:
        this, records = ArenaRound.of_key(stage_input.partition), RecordStore(self.home)
        earlier = [await asyncio.to_thread(tasks_of, records, one) for one in this.before]
        refuse_if_followed(records, this)
        everything = await placed_as_before(self.home)
        draw = await self._drawn(records, this, everything, earlier[-1].draw if earlier else None)
        taken = TakenTexts(self.gateway, Caller(STAGE, this.key, Role.EMBEDDER), self.settings.likeness)
        await taken.trained(dict(trained_texts(everything)))
        for before in this.before:
            await taken.trained(target_texts(records, before))
        taken.asked(task.text for made in earlier for one in made.environments for task in one.tasks)
        maker = _EnvironmentTasks(
            self.home, this, self.runtime, taken, self.settings, draw, _used(earlier), self.settings_hash()
        )
        kept = RecordStore(this.home(self.home))
        found = [
            record async for record in run_partitions(kept, maker, [one.key for one in draw.environments], _AT_ONCE)
        ]
        return _outcome(
            draw,
            {one.partition: Release.model_validate(one.artifact) for one in found if one.artifact is not None},
            {one.partition: one.reason for one in found if one.artifact is None},
        )

    async def _drawn(
        self, records: RecordStore, this: ArenaRound, everything: SplitReleases, before: ArenaDraw | None
    ) -> ArenaDraw:
        """Kept before anything is made of it: a round that was cut off goes on with the same environments."""
        stage = _Draw(records, everything, self.settings.draw, before)
        record = await run_stage(records, stage, this.key)
        return ArenaDraw.model_validate(record.artifact)


@dataclass(frozen=True, slots=True)
class _Draw:
    records: RecordStore
    everything: SplitReleases
    settings: DrawSettings
    before: ArenaDraw | None
    name: ClassVar[str] = _DRAW
    upstream: ClassVar[tuple[str, ...]] = ()
    code_version: ClassVar[str] = _CODE

    def settings_hash(self) -> str:
        return content_hash(asdict(self.settings))

    async def make(self, stage_input: StageInput) -> StageOutcome:
        released, plan = self.everything.released, self.everything.plan
        keys = [key for key in released if plan.split_of[key] == "arena" and key not in plan.barred]
        if not keys:
            raise UsageError(
                f"None of the {len(released)} released environments is in the split `arena`, from which rounds are "
                "drawn. Environments that are released from now on are placed there first where its share is above 0; "
                "those that are placed keep their split."
            )
        found = categories(self.records, {key: released[key][0].theme for key in keys})
        before = [one.key for one in self.before.environments] if self.before is not None else []
        by_category = drawn(stage_input.partition, found.of, before, self.settings)
        members = {category: list(found.of.values()).count(category) for category in by_category}
        draw = ArenaDraw(
            seed=seed_of(stage_input.partition),
            taxonomy=found.taxonomy,
            environments=[
                DrawnEnvironment(key=key, category=category, version=released[key][0].version, again=key in before)
                for category, chosen in by_category.items()
                for key in chosen
            ],
            short={name: count for name, count in members.items() if count < self.settings.per_category},
        )
        return StageOutcome(draw.model_dump(mode="json"))


@dataclass(frozen=True, slots=True)
class _EnvironmentTasks:
    """The tasks of one environment, as a release below the home of the round."""

    home: Home
    round: ArenaRound
    runtime: Runtime
    taken: TakenTexts
    settings: RoundSettings
    draw: ArenaDraw
    used: frozenset[tuple[str, str]]
    """Environment and task: those that an earlier round has played."""
    hash: str
    name: ClassVar[str] = ReleaseStage.name
    upstream: ClassVar[tuple[str, ...]] = ()
    code_version: ClassVar[str] = _CODE

    def settings_hash(self) -> str:
        return content_hash([self.hash, self.draw.model_dump(mode="json")])

    async def make(self, stage_input: StageInput) -> StageOutcome:
        key = stage_input.partition
        [version] = [one.version for one in self.draw.environments if one.key == key]
        try:
            bundle = await asyncio.to_thread(BundleStore(self.home).load, key, version)
            return await self._of(bundle)
        except EnvironmentFault as fault:
            return StageOutcome(None, reason=str(fault))

    async def _of(self, bundle: Bundle) -> StageOutcome:
        released = await asyncio.to_thread(self._unused, bundle)
        wanted = self.settings.released
        candidates = {source: [one for one in released if one.source == source] for source in wanted}
        missing = sum(max(0, count - len(candidates[source])) for source, count in wanted.items())
        from_families = self.settings.family_tasks + missing
        try:
            states, candidates["family"], dropped = await self._from_families(bundle, from_families)
        finally:
            self.runtime.retire(bundle)
        everything = [one for several in candidates.values() for one in several]
        known = await self.taken.not_new({one.task.id: asked(one) for one in everything})
        dropped += [Dropped(task=task, reason=why, stage=STAGE) for task, why in known.items()]
        tasks = [
            one
            for source, count in {**wanted, "family": from_families}.items()
            for one in [new for new in candidates[source] if new.task.id not in known][:count]
        ]
        if not tasks:
            reason = "there are no task families" if not bundle.families else dropped[0].reason if dropped else "none"
            return StageOutcome(None, reason=f"No new task could be found: {reason}")
        sealed = with_these_tasks(bundle, tasks, states)
        await asyncio.to_thread(BundleStore(self.round.home(self.home)).keep, sealed)
        release = Release(version=sealed.version, tasks=tasks, dropped=dropped)
        return StageOutcome(release.model_dump(mode="json"))

    def _unused(self, bundle: Bundle) -> list[MadeTask]:
        """Tasks of the release that no earlier round has played, in an order of this round's own."""
        record = RecordStore(self.home).latest(ReleaseStage.name, bundle.key)
        if record is None or record.artifact is None or record.artifact["version"] != bundle.version:
            return []
        tasks = Release.model_validate(record.artifact).tasks
        left = [one for one in tasks if (bundle.key, one.task.id) not in self.used]
        return sorted(left, key=lambda one: content_hash([self.round.key, bundle.key, one.task.id]))

    async def _from_families(
        self, bundle: Bundle, count: int
    ) -> tuple[Mapping[str, State], list[MadeTask], list[Dropped]]:
        """All states of the environment with those of what was drawn, the tasks, and draws that stood no gate."""
        if not bundle.families or not count:
            return bundle.states, [], []
        fresh = await fresh_tasks(self.runtime, bundle, _SURPLUS * count, self.draw.seed)
        return fresh.bundle.states, fresh.tasks, fresh.dropped


def with_these_tasks(bundle: Bundle, tasks: Sequence[MadeTask], states: Mapping[str, State]) -> Bundle:
    """The bundle with these tasks and no others, and of the states no other task's own."""
    wanted = {*bundle.shared_states, *(one.task.state for one in tasks)}
    return replace(
        bundle,
        states={name: state for name, state in states.items() if name in wanted},
        tasks=[one.task for one in tasks],
        solutions={one.task.id: one.solution.source for one in tasks},
        verifiers={one.task.id: one.verifier.verifier.source for one in tasks},
        answer_forms={one.task.id: one.solution.form for one in tasks},
        conversations={},
        words={one.task.id: one.words.standing for one in tasks if one.words is not None},
    )


def trained_texts(everything: SplitReleases) -> Iterator[tuple[str, str]]:
    """The name and the words of every task that is trained on or held out."""
    for key, (_, tasks) in everything.released.items():
        if everything.plan.split_of[key] != "arena":
            yield from ((f"{key}/{name}", asked(made)) for name, made in tasks.items())


def _used(earlier: Sequence[ArenaTasks]) -> frozenset[tuple[str, str]]:
    return frozenset((one.key, task.id) for made in earlier for one in made.environments for task in one.tasks)


def _outcome(draw: ArenaDraw, releases: Mapping[str, Release], without: Mapping[str, str]) -> StageOutcome:
    if not releases:
        return StageOutcome(None, reason=f"No environment has a new task: {next(iter(without.values()))}")
    category_of = {one.key: one.category for one in draw.environments}
    made = ArenaTasks(
        draw=draw,
        environments=[
            RoundEnvironment(
                key=key,
                category=category_of[key],
                version=release.version,
                tasks=[
                    RoundTask(
                        id=one.task.id,
                        source=one.source,
                        kind=one.task.kind,
                        level=one.difficulty.level,
                        text=asked(one),
                    )
                    for one in release.tasks
                ],
                dropped=release.dropped,
            )
            for key, release in sorted(releases.items())
        ],
        without_tasks=dict(without),
    )
    return StageOutcome(made.model_dump(mode="json"), metadata=_shown(made))


def _shown(made: ArenaTasks) -> dict[str, Json]:
    tasks = [task for one in made.environments for task in one.tasks]
    return {
        "environments": len(made.environments),
        "categories": len({one.category for one in made.environments}),
        "tasks": len(tasks),
        "seed": made.draw.seed,
        "taxonomy": made.draw.taxonomy or "none: by the categories of the themes",
        "by_environment": [
            {
                "environment": one.key,
                "category": one.category,
                "tasks": len(one.tasks),
                **Counter(task.source for task in one.tasks),
                "dropped": len(one.dropped),
            }
            for one in made.environments
        ],
        "short_categories": [{"category": name, "environments": count} for name, count in made.draw.short.items()],
        "without_tasks": [{"environment": key, "reason": reason} for key, reason in made.without_tasks.items()],
    }


def categories(records: RecordStore, themes: Mapping[str, Theme]) -> Categories:
    """Those of the latest taxonomy, where there is one. An environment that it has not placed yet keeps the category
    that its theme names."""
    named = {key: theme.category for key, theme in themes.items()}
    kept = latest_taxonomy(records)
    if kept is None:
        return Categories(named)
    placed = {one.environment for one in kept.taxonomy.placed}
    found = {key: kept.taxonomy.category_of(key).name for key in themes if key in placed}
    return Categories(named | found, kept.version)
