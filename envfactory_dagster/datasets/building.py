"""Datasets as folders: from what was released and played to rows in every form, with a card.

Belongs here: the order of the work, which of the candidates of a task is the best, and the layout below `datasets/`.
Does not: any single decision about a row.

    datasets/splits/ledger.json    how environments are shared out, for good
    datasets/NAME/LATEST           which version is meant when none is named
    datasets/NAME/VERSION/         README.md (the card), dataset.json (figures), left_out.jsonl,
                                   rows/, and a folder for each trainer; nothing in it ever changes

A version stands for what went in: settings, environments, splits, trajectories. Environments are written one after the
other, so that a dataset never has to be in memory as a whole.
"""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import orjson

from envfactory_dagster.contracts.base import Json, content_hash
from envfactory_dagster.contracts.dataset import ROWS, LeftOut, RlRow, SftRow, Split
from envfactory_dagster.contracts.synthesis import Release
from envfactory_dagster.datasets.cards import card
from envfactory_dagster.datasets.checking import DatasetChecks
from envfactory_dagster.datasets.gathering import Gathered
from envfactory_dagster.datasets.rows import (
    RlSettings,
    SftSettings,
    Source,
    rl_rows,
    sft_rows,
    with_turn_changes,
)
from envfactory_dagster.datasets.shortening import shorten
from envfactory_dagster.datasets.splits import TRAINING
from envfactory_dagster.datasets.summary import Summary
from envfactory_dagster.datasets.trainer_formats import Files, jsonl, llama_factory, trl, verl
from envfactory_dagster.datasets.trainer_formats.canonical import canonical
from envfactory_dagster.datasets.versions import LATEST
from envfactory_dagster.rollouts.scoring import Rollout
from envfactory_dagster.rollouts.settings import RolloutSettings, Setting
from envfactory_dagster.rollouts.store import Key, TrajectoryStore
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.files import open_files
from envfactory_dagster.store.home import Home
from envfactory_dagster.tasks.released import released

CandidateKey = tuple[str, str, str, Setting, str]
"""Environment, its version, task, setting, protocol: rollouts that have these in common are candidates of one task."""


_VERSION_LENGTH = 16
_RL_SPLITS: tuple[Split, ...] = ("rl", "held_out", "held_out_modules")


@dataclass(frozen=True, slots=True)
class Portion:
    """What one environment brings to a dataset."""

    source: Source
    rollouts: Sequence[Rollout] = ()
    shortened: frozenset[Key] = frozenset()
    """Which of the rollouts are not as they were stored."""
    unscored: Sequence[Rollout] = ()
    """Episodes that a judge gave no verdict on."""

    @property
    def identity(self) -> list[Json]:
        source = self.source
        rollouts = [*self.rollouts, *self.unscored]
        played = [content_hash([one.setting, one.cause, one.trajectory.content_hash()]) for one in rollouts]
        return [source.bundle.version, source.split, *source.withheld, *sorted(source.tasks), *played]


@dataclass(frozen=True, slots=True)
class Built:
    """A dataset that is written."""

    name: str
    version: str
    folder: str
    summary: Summary
    checks: DatasetChecks
    leaks: list[str]
    left_out: list[LeftOut]
    card: str


async def build_sft(home: Home, gathered: Gathered, settings: SftSettings, runtime: Runtime | None) -> Built:
    """From the best verified episode of each task. With a runtime, what is needless in it is left out first."""
    store, portions = TrajectoryStore(home), []
    for source in gathered.of("sft"):
        kept = await asyncio.to_thread(store.read, source.bundle)
        best = best_of_each(one for one in kept if one.trajectory.task in source.tasks)
        portion = Portion(source, best) if runtime is None else await _shortened(runtime, source, best)
        portions.append(replace(portion, unscored=[one for one in kept if "no_verdict" in one.remarks]))
    return await asyncio.to_thread(_write_sft, home, gathered, portions, settings)


async def build_rl(home: Home, gathered: Gathered, settings: RlSettings, runtime: Runtime) -> Built:
    """From every released task but those of the environments that SFT learns from."""
    sources = gathered.of(*_RL_SPLITS)
    if settings.turns:
        sources = [await with_turn_changes(runtime, source) for source in sources]
    portions = [Portion(source) for source in sources]
    return await asyncio.to_thread(_write_rl, home, gathered, portions, settings)


async def _shortened(runtime: Runtime, source: Source, rollouts: Sequence[Rollout]) -> Portion:
    if not rollouts:
        return Portion(source)
    release = Release(version=source.bundle.version, tasks=list(source.tasks.values()))
    assigned = {one.task.id: one for one in released(source.bundle, release, RolloutSettings().reward)}
    found, shortened = [], []
    try:
        for one in rollouts:
            task, settings = one.trajectory.task, RolloutSettings(protocol=one.trajectory.protocol)
            as_played = assigned[task].without(one.trajectory.withheld)
            shorter = await shorten(runtime, as_played, source.tasks[task], settings, one)
            found.append(shorter.rollout if shorter is not None else one)
            shortened += [Key.of(one)] if shorter is not None else []
    finally:
        runtime.retire(source.bundle)
    return Portion(source, found, frozenset(shortened))


def _write_sft(home: Home, gathered: Gathered, portions: Sequence[Portion], settings: SftSettings) -> Built:
    writing = Writing(home, "sft", gathered, portions, repr(settings))
    texts_left_out = 0
    for portion in portions:
        name = portion.source.bundle.key
        rows, left_out = sft_rows(portion.source, portion.rollouts, settings, portion.shortened)
        files = canonical(name, rows) | trl.sft(name, rows) | llama_factory.sft(name, rows)
        _, unscored = sft_rows(portion.source, portion.unscored, settings)
        writing.add(portion.source, rows, files, [*left_out, *unscored, *_never_done(portion)])
        texts_left_out += llama_factory.texts_left_out(rows)
    writing.write(llama_factory.info(writing.written))
    note = (
        f"Failed calls that are not shown: {writing.summary.removed_calls}. Texts beside a call, for which LLaMA-"
        f"Factory's form has no place: {texts_left_out}."
    )
    return writing.finish(note)


def _never_done(portion: Portion) -> list[LeftOut]:
    """The tasks of which there is no episode to learn from."""
    done = {one.trajectory.task for one in portion.rollouts}
    names = [f"{portion.source.bundle.key}/{task}" for task in portion.source.tasks if task not in done]
    return [LeftOut(what=name, reason="nobody has played it with verified success") for name in names]


def _write_rl(home: Home, gathered: Gathered, portions: Sequence[Portion], settings: RlSettings) -> Built:
    writing = Writing(home, "rl", gathered, portions, repr(settings))
    for portion in portions:
        name = portion.source.bundle.key
        rows, left_out = rl_rows(portion.source, settings)
        writing.add(portion.source, rows, canonical(name, rows) | trl.rl(name, rows) | verl.rl(name, rows), left_out)
    return writing.finish()


@dataclass(slots=True)
class Writing:
    """One version of a dataset on its way to the store."""

    home: Home
    name: str
    gathered: Gathered
    portions: Sequence[Portion]
    settings: str
    """All that decides what the rows are like."""
    version: str = field(init=False)
    summary: Summary = field(default_factory=Summary)
    checks: DatasetChecks = field(default_factory=DatasetChecks)
    left_out: list[LeftOut] = field(default_factory=list)
    written: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        identities: list[Json] = [list(portion.identity) for portion in self.portions]
        self.version = content_hash([ROWS, self.name, self.settings, identities])[:_VERSION_LENGTH]

    def add(
        self, source: Source, rows: Sequence[SftRow] | Sequence[RlRow], files: Files, left_out: Iterable[LeftOut]
    ) -> None:
        self.write(files)
        self.checks.add(rows, files, self.gathered.bodies[source.bundle.key])
        self.left_out += left_out
        for row in rows:
            self.summary.add(row)

    def write(self, files: Files) -> None:
        store = open_files(self.home.datasets)
        for name, data in files.items():
            store.replace(f"{self.name}/{self.version}/{name}", data)
        self.written += files

    def finish(self, note: str = "") -> Built:
        left_out = [*self._left_out_before(), *self.left_out]
        withheld = {one.source.bundle.key: one.source.withheld for one in self.portions if one.source.withheld}
        text = card(self.name, self.version, self.summary, left_out, withheld, note)
        self.write(
            {
                "left_out.jsonl": jsonl([one.model_dump() for one in left_out]),
                "README.md": text.encode(),
                "dataset.json": orjson.dumps(self._figures(), option=orjson.OPT_INDENT_2),
            }
        )
        open_files(self.home.datasets).replace(f"{self.name}/{LATEST}", self.version.encode())
        trained = [source.bundle.key for source in self.gathered.of(*TRAINING)]
        return Built(
            name=self.name,
            version=self.version,
            folder=str(self.home.datasets / self.name / self.version),
            summary=self.summary,
            checks=self.checks,
            leaks=self.checks.leaks(self.gathered.bodies, trained),
            left_out=left_out,
            card=text,
        )

    def _figures(self) -> dict[str, Json]:
        return {
            "name": self.name,
            "version": self.version,
            "rows": self.checks.rows,
            "settings": self.settings,
            "environments": {one.source.bundle.key: one.source.bundle.version for one in self.portions},
        }

    def _left_out_before(self) -> list[LeftOut]:
        """What would be in this dataset, and what is in none."""
        here = {portion.source.bundle.key for portion in self.portions}
        elsewhere = {source.bundle.key for source in self.gathered.sources} - here
        return [one for one in self.gathered.left_out if one.what.partition("/")[0] not in elsewhere]


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
