"""The consistency filter: a task is only kept when somebody who knows nothing of its solution comes to the same end.

An agent plays each task a few times, each time anew. Belongs here: what became of these runs, and which tasks they
speak against. Does not: playing (`rollouts`), judging (`truth`), and making tasks (the packages beside this module).

Where no run agrees with the reference solution, but runs agree with each other, the reference solution is as suspect as
the agent; the reason says so.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

from envfactory_dagster.contracts.base import content_hash
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.errors import InfrastructureFault
from envfactory_dagster.contracts.synthesis import MadeTask
from envfactory_dagster.contracts.trajectory import Trajectory
from envfactory_dagster.contracts.truth import Dropped
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Caller, Role
from envfactory_dagster.rollouts.assignments import assignments
from envfactory_dagster.rollouts.endings import WORTH_ANOTHER_TRY
from envfactory_dagster.rollouts.engine import Engine
from envfactory_dagster.rollouts.model import GatewayModel, Model
from envfactory_dagster.rollouts.scoring import Rollout
from envfactory_dagster.rollouts.settings import RolloutSettings
from envfactory_dagster.rollouts.store import TrajectoryStore
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.truth.reports import same_report
from envfactory_dagster.truth.rewards import RewardSettings


@dataclass(frozen=True, slots=True)
class ConsistencySettings:
    runs: int = 5
    agree: int = 2
    """So many runs must come to the end of the reference solution."""


@dataclass(frozen=True, slots=True)
class Consistency:
    """What became of the runs of one task."""

    task: str
    runs: int
    passed: int
    """Those that came to the end that the verifier accepts."""
    agreeing: int
    """The most runs that came to one and the same other end."""
    kept: bool
    reason: str

    @property
    def pass_rate(self) -> float:
        return self.passed / self.runs


@dataclass(frozen=True, slots=True)
class ConsistencyFilter:
    """The filter with whoever plays: the model of the role `solver`. `store` keeps its runs, apart from those that are
    made to train on."""

    gateway: Gateway
    runtime: Runtime
    store: TrajectoryStore
    model: str
    settings: ConsistencySettings = ConsistencySettings()

    def settings_hash(self) -> str:
        return content_hash([self.model, asdict(self.settings)])

    async def play(self, stage: str, bundle: Bundle, made: Sequence[MadeTask]) -> list[Consistency]:
        agent = GatewayModel(self.gateway, Caller(stage, bundle.key, Role.SOLVER), self.model)
        return await consistent(self.runtime, agent, self.store, bundle, made, self.settings)


async def consistent(
    runtime: Runtime,
    agent: Model,
    store: TrajectoryStore,
    bundle: Bundle,
    made: Sequence[MadeTask],
    settings: ConsistencySettings,
) -> list[Consistency]:
    """Every task played so many times, in the order given. Runs that are in the store are not made again.

    The tasks are played in a bundle that holds them: its version tells these tasks, with these verifiers, from tasks
    of the same names made another time.
    """
    if not made:
        return []
    verifiers = {one.task.id: one.verifier.verifier.source for one in made}
    forms = {one.task.id: one.solution.form for one in made}
    held = replace(bundle, tasks=[one.task for one in made], verifiers=verifiers, answer_forms=forms)
    work = assignments(held, {one.task.id: one.solution for one in made}, verifiers, RewardSettings())
    try:
        async for _ in Engine(runtime, agent, RolloutSettings(candidates=settings.runs), store).roll(work):
            pass
    finally:
        runtime.retire(held)
    rollouts = [one for one in store.read(held) if one.trajectory.model == agent.name]
    return [_judged(one, [r for r in rollouts if r.trajectory.task == one.task.id], settings) for one in made]


def without_inconsistent(
    made: Sequence[MadeTask], played: Sequence[Consistency], stage: str
) -> tuple[list[MadeTask], list[Dropped]]:
    """The tasks that are kept, with their pass rate, and those that are not."""
    found = {one.task: one for one in played}
    kept = [
        one.model_copy(
            update={"difficulty": one.difficulty.model_copy(update={"pass_rate": found[one.task.id].pass_rate})}
        )
        for one in made
        if found[one.task.id].kept
    ]
    return kept, [Dropped(task=one.task, reason=one.reason, stage=stage) for one in played if not one.kept]


def _judged(one: MadeTask, rollouts: Sequence[Rollout], settings: ConsistencySettings) -> Consistency:
    rollouts = [rollout for rollout in rollouts if rollout.trajectory.seed < settings.runs]
    unplayed = next((rollout for rollout in rollouts if rollout.cause in WORTH_ANOTHER_TRY), None)
    if unplayed is not None:
        raise InfrastructureFault(f"the task {one.task.id} could not be played to its end: {unplayed.detail}")
    passed = sum(map(_passed, rollouts))
    others = [r.trajectory for r in rollouts if r.cause == "answered" and not _passed(r)]
    agreeing = max((sum(_same_end(one, first, other) for other in others) for first in others), default=0)
    kept = passed >= settings.agree
    reason = "" if kept else _reason(passed, agreeing, settings)
    return Consistency(one.task.id, settings.runs, passed, agreeing, kept, reason)


def _passed(rollout: Rollout) -> bool:
    verdict = rollout.trajectory.verdict
    return rollout.cause == "answered" and verdict is not None and verdict.score == 1.0


def _same_end(one: MadeTask, first: Trajectory, other: Trajectory) -> bool:
    """Whether two runs left the same database and reported the same, whatever they said beside it."""
    return first.state_hash == other.state_hash and same_report(one.solution.form, first.report, other.report)


def _reason(passed: int, agreeing: int, settings: ConsistencySettings) -> str:
    few = f"{passed} of {settings.runs} runs came to the end of the reference solution, {settings.agree} are the least"
    if agreeing >= settings.agree:
        return f"{few}; {agreeing} agree on another end: the solution may be wrong, or the text unclear"
    return f"{few}; the others do not agree with each other"
