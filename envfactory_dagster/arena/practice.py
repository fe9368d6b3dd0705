"""The stage `round_practice`: the training data of a round, for each arm, ready to be trained on.

Belongs here: what an arm's data consist of, drawing what needs no diagnosis, and keeping them. Does not: target tasks
(`target_tasks`), and training (`trainer`).

The targeted arm has the target tasks, and a share of what was trained on before, so that it is not forgotten. The
untargeted arm has as many tasks that were drawn without the diagnosis, and the same replayed ones. The base arm has as
many tasks of `rl_dataset` and nothing else. The data of each arm are a home below that of the round:

    arena/ROUND/practice/ARM/VERSION/records, bundles     a release for each environment
    arena/ROUND/practice/ARM/VERSION/datasets/rl          the trainer's `--data`, with that home as `--home`
"""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from random import Random
from typing import ClassVar

from envfactory_dagster.arena.base_tasks import BaseTasks
from envfactory_dagster.arena.diagnosis.stage import STAGE as DIAGNOSIS
from envfactory_dagster.arena.earlier import ARENA_TASKS, TARGET_TASKS, refuse_if_followed, targets_of, tasks_of
from envfactory_dagster.arena.freshness import TakenTexts
from envfactory_dagster.arena.round_tasks import with_these_tasks
from envfactory_dagster.arena.rounds import ArenaRound
from envfactory_dagster.arena.target_tasks import not_to_be_practised
from envfactory_dagster.arena.training_home import keep_release, keep_rows, rows_of, version_of
from envfactory_dagster.contracts.arena import ArenaTasks, TargetTasks
from envfactory_dagster.contracts.base import Json, content_hash
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.dataset import RlRow
from envfactory_dagster.contracts.diagnosis import Diagnosis
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.contracts.evolution import Arm, ArmPractice, PractisedTask, RoundPractice
from envfactory_dagster.contracts.stages import StageInput, StageOutcome
from envfactory_dagster.contracts.synthesis import MadeTask, Release
from envfactory_dagster.contracts.trajectory import Protocol
from envfactory_dagster.datasets.duplicates import asked
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Caller, Role
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.bundles import BundleStore
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.records import RecordStore
from envfactory_dagster.tasks.families.sampling import fresh_tasks
from envfactory_dagster.tasks.release import ReleaseStage

_SURPLUS = 2
"""This many times the tasks that are wanted are drawn, since some of them may not be new."""


STAGE = "round_practice"
_CODE = "2"


@dataclass(frozen=True, slots=True)
class FreshlyDrawn:
    """A task that was drawn for an environment of the arena, and the bundle that holds the state it begins in."""

    told: PractisedTask
    made: MadeTask
    bundle: Bundle


@dataclass(frozen=True, slots=True)
class Practised:
    """A task of `rl_dataset`."""

    told: PractisedTask
    row: RlRow


@dataclass(frozen=True, slots=True)
class RoundPracticeStage:
    home: Home
    gateway: Gateway
    runtime: Runtime
    replay: float
    """The share of the targeted arm's tasks that was trained on before: in earlier rounds, or before them."""
    likeness: float
    embedder: str
    protocol: Protocol
    """Of the policy that practises."""
    name: ClassVar[str] = STAGE
    upstream: ClassVar[tuple[str, ...]] = (ARENA_TASKS, DIAGNOSIS, TARGET_TASKS)
    code_version: ClassVar[str] = _CODE

    def settings_hash(self) -> str:
        return content_hash([self.replay, self.likeness, self.embedder, self.protocol])

    async def make(self, stage_input: StageInput) -> StageOutcome:
        this = ArenaRound.of_key(stage_input.partition)
        played = ArenaTasks.model_validate(stage_input.artifact(ARENA_TASKS))
        diagnosis = Diagnosis.model_validate(stage_input.artifact(DIAGNOSIS))
        targets = TargetTasks.model_validate(stage_input.artifact(TARGET_TASKS))
        refuse_if_followed(RecordStore(self.home), this)
        if not targets.environments:
            made = RoundPractice(arms=[])
            return StageOutcome(made.model_dump(mode="json"), metadata={"over": NOTHING_TO_PRACTISE})
        base = await asyncio.to_thread(BaseTasks.read, self.home, self.protocol)
        wanted = await asyncio.to_thread(self._targets, this, targets, diagnosis)
        rng = Random(content_hash(["practice", this.key]))
        replayed = await asyncio.to_thread(
            self._replayed, this, base, rng, round(len(wanted) * self.replay / (1 - self.replay)), played
        )
        fresh = await self._untargeted(this, played, len(wanted), len(targets.environments))
        count = len(wanted) + len(replayed)
        arms: dict[Arm, Sequence[FreshlyDrawn | Practised]] = {
            "targeted": [*wanted, *replayed],
            "untargeted": [*fresh, *replayed],
            "base": [_of_base(row, base.version, "base") for row in base.drawn(rng, count)],
        }
        if not arms["untargeted"]:
            raise UsageError(
                f"No task could be drawn for control_untargeted of {this.key}, and nothing is replayed, so that the "
                "trained policy could be compared with nothing. Set `replay` above 0, or give the environments of the "
                "arena task families."
            )
        made = RoundPractice(
            arms=[
                ArmPractice(
                    arm=arm,
                    dataset=await asyncio.to_thread(self._kept, this, arm, tasks, base),
                    tasks=[one.told for one in tasks],
                )
                for arm, tasks in arms.items()
            ],
            short={arm: count - len(tasks) for arm, tasks in arms.items() if len(tasks) < count},
        )
        return StageOutcome(made.model_dump(mode="json"), metadata=_shown(this, made))

    def _targets(self, this: ArenaRound, targets: TargetTasks, diagnosis: Diagnosis) -> list[FreshlyDrawn]:
        because = {
            (one.key, task.id): diagnosis.guidelines[task.guideline].missing_capability
            for one in targets.environments
            for task in one.tasks
        }
        return [
            FreshlyDrawn(
                one.told.model_copy(update={"because": because[one.bundle.key, one.made.task.id]}), one.made, one.bundle
            )
            for one in self._drawn_after(this, targets, [environment.key for environment in targets.environments])
        ]

    def _drawn_after(self, this: ArenaRound, targets: TargetTasks, keys: Iterable[str]) -> list[FreshlyDrawn]:
        """What was to be practised after a round, as it was kept then."""
        home = this.targets(self.home, targets.dataset)
        found = []
        for key in keys:
            record = RecordStore(home).latest(ReleaseStage.name, key)
            assert record is not None and record.artifact is not None, "it was kept with the target tasks"
            release = Release.model_validate(record.artifact)
            bundle = BundleStore(home).load(key, release.version)
            for made in release.tasks:
                told = PractisedTask(environment=key, task=made.task.id, kind=made.task.kind, origin="target")
                found.append(FreshlyDrawn(told, made, bundle))
        return found

    def _replayed(
        self, this: ArenaRound, base: BaseTasks, rng: Random, count: int, played: ArenaTasks
    ) -> list[FreshlyDrawn | Practised]:
        """From `rl_dataset` and each earlier round in turn. Where an environment was released anew since, what was
        drawn in it before is left out."""
        records = RecordStore(self.home)
        now = {one.key: one.version for one in played.draw.environments}
        sources: list[list[FreshlyDrawn | Practised]] = [
            [_of_base(row, base.version, "replayed") for row in base.drawn(rng, count)]
        ]
        for earlier in reversed(this.before):
            then = {one.key: one.version for one in tasks_of(records, earlier).draw.environments}
            targets = targets_of(records, earlier)
            keys = [one.key for one in targets.environments if now.get(one.key, then[one.key]) == then[one.key]]
            drawn = self._drawn_after(earlier, targets, keys)
            now |= {key: then[key] for key in keys}
            told = {"origin": "replayed", "since": earlier.key}
            again = [FreshlyDrawn(one.told.model_copy(update=told), one.made, one.bundle) for one in drawn]
            sources.append(rng.sample(again, len(again)))
        return list(islice(_in_turn(sources), count))

    async def _untargeted(
        self, this: ArenaRound, played: ArenaTasks, count: int, environments: int
    ) -> list[FreshlyDrawn]:
        taken = TakenTexts(self.gateway, Caller(STAGE, this.key, Role.EMBEDDER), self.likeness)
        await not_to_be_practised(self.home, taken, this, played)
        versions = {one.key: one.version for one in played.draw.environments}
        found = await untargeted_tasks(self.runtime, BundleStore(self.home), this, versions, taken, count, environments)
        return [
            FreshlyDrawn(
                PractisedTask(
                    environment=bundle.key, task=made.task.id, kind=made.task.kind, origin="untargeted"
                ),
                made,
                bundle,
            )
            for bundle, made in found
        ]  # fmt: skip

    def _kept(self, this: ArenaRound, arm: Arm, tasks: Sequence[FreshlyDrawn | Practised], base: BaseTasks) -> str:
        """Keep the data of an arm in a home of their own. Returns their version."""
        rows: dict[str, Sequence[RlRow]] = {}
        released: list[tuple[Bundle, list[MadeTask]]] = []
        for key, drawn in _by_environment(one for one in tasks if isinstance(one, FreshlyDrawn)).items():
            made = [one.made for one in drawn]
            states = {name: state for one in drawn for name, state in one.bundle.states.items()}
            sealed = with_these_tasks(drawn[0].bundle, made, states)
            released.append((sealed, made))
            rows[key] = rows_of(sealed, made, self.protocol)
        of_base: defaultdict[str, list[RlRow]] = defaultdict(list)
        for one in tasks:
            if isinstance(one, Practised):
                of_base[one.told.environment].append(one.row)
        released += map(base.release, of_base)
        home = this.practice(self.home, arm, version_of(rows | of_base))
        for bundle, made in released:
            keep_release(home, bundle, made)
        return keep_rows(home, rows | of_base)


NOTHING_TO_PRACTISE = (
    "There is nothing to practise, and the experiment is over: the diagnosis calls nothing weak, or no task could be "
    "drawn for what it names."
)


def _of_base(row: RlRow, version: str, origin: str) -> Practised:
    trace = row.trace
    told = {"environment": trace.environment, "task": trace.task, "kind": trace.kind}
    return Practised(PractisedTask.model_validate({**told, "origin": origin, "since": f"rl_dataset {version}"}), row)


def _by_environment(drawn: Iterable[FreshlyDrawn]) -> Mapping[str, list[FreshlyDrawn]]:
    found: defaultdict[str, list[FreshlyDrawn]] = defaultdict(list)
    for one in drawn:
        found[one.bundle.key].append(one)
    return found


def _in_turn(sources: Sequence[Sequence[FreshlyDrawn | Practised]]) -> Iterable[FreshlyDrawn | Practised]:
    for place in range(max(map(len, sources), default=0)):
        yield from (source[place] for source in sources if place < len(source))


def _shown(this: ArenaRound, made: RoundPractice) -> dict[str, Json]:
    shown: dict[str, Json] = {
        "path": f"arena/{this.key}/practice",
        "by_arm": [
            {
                "arm": one.arm,
                "tasks": len(one.tasks),
                "environments": len({task.environment for task in one.tasks}),
                **Counter(task.origin for task in one.tasks),
            }
            for one in made.arms
        ],
        "targets": [
            {"environment": task.environment, "task": task.task, "because": task.because}
            for one in made.arms
            for task in one.tasks
            if task.origin == "target"
        ],
    }
    if made.short:
        shown["too_few"] = [{"arm": arm, "tasks": count} for arm, count in made.short.items()]
    return shown


async def untargeted_tasks(
    runtime: Runtime,
    bundles: BundleStore,
    this: ArenaRound,
    version_of: Mapping[str, str],
    taken: TakenTexts,
    count: int,
    environments: int,
) -> list[tuple[Bundle, MadeTask]]:
    """So many, of as many environments as the targeted ones are of, or of more where these do not give enough. Which
    environments is by chance."""
    identity = content_hash(["untargeted", this.key])
    order = Random(identity).sample(sorted(version_of), len(version_of))
    found: list[tuple[Bundle, MadeTask]] = []
    for key in order:
        if len(found) >= count:
            break
        bundle = await asyncio.to_thread(bundles.load, key, version_of[key])
        if not bundle.families:
            continue
        wanted = min(-(-count // environments), count - len(found))
        try:
            fresh = await fresh_tasks(runtime, bundle, _SURPLUS * wanted, int(identity[:12], 16) % 1_000_000)
        finally:
            runtime.retire(bundle)
        known = await taken.not_new({one.task.id: asked(one) for one in fresh.tasks})
        new = [one for one in fresh.tasks if one.task.id not in known][:wanted]
        taken.asked(asked(one) for one in new)
        found += [(replace(bundle, states=dict(fresh.bundle.states)), one) for one in new]
    return found
