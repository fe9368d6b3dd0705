"""The stage `round_evaluation`: what the policies of a round do with held-out tasks, and how far they differ.

Belongs here: having every arm, and the policy that the round began with, play the tasks of environments that no policy
is trained on, and comparing them task by task. Does not: which tasks are held out (`base_tasks`), and policies
(`policies`).

Episodes are kept for the whole experiment, so that a policy is played once, whichever rounds compare it with others.
"""

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from envfactory_dagster.arena.base_tasks import BaseTasks
from envfactory_dagster.arena.policies import POLICY_OF, Playing, Policies, policy_before
from envfactory_dagster.arena.practice import STAGE as PRACTICE
from envfactory_dagster.arena.rounds import ArenaRound
from envfactory_dagster.contracts.arena import Rate
from envfactory_dagster.contracts.base import Json, content_hash
from envfactory_dagster.contracts.dataset import RlRow
from envfactory_dagster.contracts.errors import InfrastructureFault
from envfactory_dagster.contracts.evolution import ArmDifference, ArmEvaluation, RoundEvaluation, RoundPolicy
from envfactory_dagster.contracts.stages import StageInput, StageOutcome
from envfactory_dagster.datasets.assigned import load_tasks
from envfactory_dagster.datasets.splits import HELD_OUT
from envfactory_dagster.language.messages import Caller, Role
from envfactory_dagster.language.settings import is_simulated_learner
from envfactory_dagster.rollouts.assignments import Assignment
from envfactory_dagster.rollouts.engine import Engine
from envfactory_dagster.rollouts.reference import Player, player
from envfactory_dagster.rollouts.results import About, TaskResult, compared, interval, task_results
from envfactory_dagster.rollouts.scoring import Rollout
from envfactory_dagster.rollouts.settings import RolloutSettings, Setting
from envfactory_dagster.rollouts.store import Key, TrajectoryStore
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.records import RecordStore
from envfactory_dagster.truth.rewards import RewardSettings

STAGE = "round_evaluation"
_CODE = "1"
_EVERYTHING = "all"
SIMULATED = (
    "simulated_learner: its mistakes are planted, and made fewer by counting the tasks that it was given. Nothing was "
    "learned, and no difference here is a gain. The figures show that tasks reach the arm they are meant for."
)
TRAINED = (
    "One training of each arm. The intervals are over environments and tasks: they do not tell how far another "
    "training of the same arm would be from this one. An experiment with another seed in its recipe tells that."
)

ArmName = Literal["before", "targeted", "untargeted", "base"]


@dataclass(frozen=True, slots=True)
class Exam:
    """The held-out tasks, with the rows they are of."""

    rows: list[RlRow]
    assigned: list[Assignment]

    @property
    def about(self) -> dict[tuple[str, str], About]:
        return {
            (one.environment, one.task): About(one.kind, one.difficulty.level, one.source, one.split)
            for one in (row.trace for row in self.rows)
        }


@dataclass(frozen=True, slots=True)
class RoundEvaluationStage:
    home: Home
    runtime: Runtime
    policies: Policies
    candidates: int
    """How often each task is played by each policy."""
    name: ClassVar[str] = STAGE
    upstream: ClassVar[tuple[str, ...]] = (PRACTICE, *POLICY_OF.values())
    code_version: ClassVar[str] = _CODE

    def settings_hash(self) -> str:
        return content_hash([*self.policies.told, self.candidates])

    async def make(self, stage_input: StageInput) -> StageOutcome:
        this = ArenaRound.of_key(stage_input.partition)
        base = await asyncio.to_thread(BaseTasks.read, self.home, self.policies.view.protocol)
        rows = base.held_out()
        exam = Exam(rows, await asyncio.to_thread(load_tasks, rows, self.home, RewardSettings()))
        policies: dict[ArmName, RoundPolicy | None] = {
            "before": policy_before(RecordStore(self.home), this, "targeted"),
            **{arm: RoundPolicy.model_validate(stage_input.artifact(name)) for arm, name in POLICY_OF.items()},
        }
        evaluated: dict[ArmName, ArmEvaluation] = {}
        found: dict[ArmName, list[TaskResult]] = {}
        for arm, policy in policies.items():
            async with self.policies.playing(policy) as playing:
                found[arm] = await self._played(this, exam, playing)
            evaluated[arm] = _evaluation(arm, playing.name, found[arm])
        simulated = is_simulated_learner(evaluated["targeted"].policy)
        made = RoundEvaluation(
            simulated=simulated,
            note=SIMULATED if simulated else TRAINED,
            dataset=base.version,
            candidates=self.candidates,
            arms=list(evaluated.values()),
            differences=_differences(evaluated["targeted"].policy, found),
        )
        return StageOutcome(made.model_dump(mode="json"), metadata=shown(made))

    async def _played(self, this: ArenaRound, exam: Exam, playing: Playing) -> list[TaskResult]:
        store = TrajectoryStore(this.held_out(self.home))
        by_setting: defaultdict[Setting, list[Assignment]] = defaultdict(list)
        for one in exam.assigned:
            by_setting[one.setting].append(one)
        rollouts: list[Rollout] = []
        view = self.policies.view
        for setting, assigned in by_setting.items():
            settings = RolloutSettings(
                protocol=view.protocol, window=view.window, setting=setting, candidates=self.candidates
            )
            agent = _player(playing, Role.SOLVER, settings)
            user = _player(playing, Role.USER, settings) if setting == "conversation" else None
            async for _ in Engine(self.runtime, agent, settings, store, user).roll(assigned):
                pass
            rollouts += await asyncio.to_thread(self._kept, store, agent.name, settings, assigned)
        results = task_results(rollouts, exam.about)
        if not any(one.played for one in results):
            raise InfrastructureFault("Not one held-out episode could be played to its end; is the endpoint up?")
        return results

    def _kept(
        self, store: TrajectoryStore, model: str, settings: RolloutSettings, assigned: Sequence[Assignment]
    ) -> list[Rollout]:
        wanted = {
            Key(one.bundle.version, one.task.id, settings.setting, settings.protocol, model, seed)
            for one in assigned
            for seed in range(self.candidates)
        }
        bundles = {one.bundle.version: one.bundle for one in assigned}.values()
        return [one for bundle in bundles for one in store.read(bundle) if Key.of(one) in wanted]


def _player(playing: Playing, role: Role, settings: RolloutSettings) -> Player:
    gateway = playing.people if role is Role.USER else playing.gateway
    return player(gateway, Caller(STAGE, "", role), playing.models.model(role), settings.temperature, token_ids=False)


def _evaluation(arm: ArmName, policy: str, results: Sequence[TaskResult]) -> ArmEvaluation:
    groups: dict[str, Sequence[TaskResult]] = {_EVERYTHING: results}
    groups |= {split: [one for one in results if one.split == split] for split in HELD_OUT}
    rates = [rate for name, those in groups.items() if (rate := _rate(name, those)) is not None]
    return ArmEvaluation(
        arm=arm, policy=policy, rates=rates, environment_errors=sum(one.environment_errors for one in results)
    )


def _rate(name: str, results: Sequence[TaskResult]) -> Rate | None:
    played = [one for one in results if one.played]
    found = interval([one.pass_rate for one in played], [one.environment for one in played])
    if found is None:
        return None
    episodes = sum(one.played for one in played)
    return Rate(group=name, tasks=len(played), episodes=episodes, value=found.mean, low=found.low, high=found.high)


def _differences(policy: str, found: dict[ArmName, list[TaskResult]]) -> list[ArmDifference]:
    differences = []
    others: tuple[Literal["before", "untargeted", "base"], ...] = ("before", "untargeted", "base")
    for other in others:
        pairs = compared(found[other], found["targeted"])
        if pairs is not None:
            differences.append(
                ArmDifference(
                    compared_with=other, policy=policy, tasks=pairs.tasks, difference=pairs.gain.mean,
                    low=pairs.gain.low, high=pairs.gain.high, better=pairs.better, worse=pairs.worse,
                )
            )  # fmt: skip
    return differences


def shown(made: RoundEvaluation) -> dict[str, Json]:
    return {
        "note": made.note,
        "simulated": made.simulated,
        "dataset": f"rl_dataset {made.dataset}",
        "arms": [
            {"arm": one.arm, "policy": one.policy, "environment_errors": one.environment_errors, **_said(rate)}
            for one in made.arms
            for rate in one.rates
        ],
        "targeted_compared": [
            {name: round(value, 4) if isinstance(value, float) else value for name, value in one}
            for one in made.differences
        ],
    }


def _said(rate: Rate) -> dict[str, Json]:
    return {
        "tasks_of": rate.group,
        "tasks": rate.tasks,
        "episodes": rate.episodes,
        "passed": round(rate.value, 4),
        "low": round(rate.low, 4),
        "high": round(rate.high, 4),
    }
