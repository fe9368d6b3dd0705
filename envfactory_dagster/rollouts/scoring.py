"""What a played episode came to: its trajectory with verdict, reward and outcome class.

Belongs here: holding played episodes of one task against its measure. Does not: verdicts and formulas (`truth`).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from envfactory_dagster.contracts.calls import Change
from envfactory_dagster.contracts.trajectory import OutcomeClass, Trajectory
from envfactory_dagster.contracts.truth import Verdict
from envfactory_dagster.rollouts.assignments import Assignment
from envfactory_dagster.rollouts.endings import NOT_THE_AGENTS, Cause, Remark
from envfactory_dagster.rollouts.settings import RolloutSettings, Setting
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.truth.execution import Run
from envfactory_dagster.truth.judging import Judge
from envfactory_dagster.truth.protocols import traced
from envfactory_dagster.truth.rewards import refuse_without_judge, reward
from envfactory_dagster.truth.verdicts import judge_many


@dataclass(frozen=True, slots=True)
class Finished:
    """An episode that is over, with what it left behind. `final` None: its session was lost, nothing can be judged."""

    trajectory: Trajectory
    cause: Cause
    detail: str
    remarks: list[Remark]
    changes: list[Change]
    final: bytes | None


@dataclass(frozen=True, slots=True)
class Rollout:
    """An episode as it is kept."""

    trajectory: Trajectory
    setting: Setting
    cause: Cause
    detail: str
    remarks: list[Remark]


def check_judge(settings: RolloutSettings, judge: Judge | None) -> None:
    """That there is a judge where the reward needs one."""
    if judge is None:
        refuse_without_judge(settings.reward, "give a `judge` (`truth.judging.Judge`), or choose a reward by code alone")


async def score(
    runtime: Runtime,
    assignment: Assignment,
    settings: RolloutSettings,
    episodes: Sequence[Finished],
    judge: Judge | None = None,
) -> list[Rollout]:
    """Every episode of one task, verified in one process, in the order given."""
    check_judge(settings, judge)
    runs = {place: _run(assignment, one, one.final) for place, one in enumerate(episodes) if one.final is not None}
    verdicts = dict(zip(runs, await judge_many(runtime, assignment.verifier, list(runs.values())), strict=True))
    scored = []
    for place, one in enumerate(episodes):
        trajectory = one.trajectory
        if place in runs:
            trajectory = _rewarded(assignment, settings, one, runs[place], verdicts[place])
        else:
            trajectory = trajectory.model_copy(update={"outcome": "environment_error"})
        scored.append(Rollout(trajectory, settings.setting, one.cause, one.detail, one.remarks))
    return scored


def _run(assignment: Assignment, one: Finished, final: bytes) -> Run:
    trajectory = one.trajectory
    return Run(
        calls=traced(trajectory),
        changes=one.changes,
        answer=trajectory.answer,
        error=None,
        state_hash=trajectory.state_hash,
        initial=assignment.bundle.states[trajectory.state].image,
        final=final,
        state=trajectory.state,
        clock=trajectory.clock,
    )


def _rewarded(
    assignment: Assignment, settings: RolloutSettings, one: Finished, run: Run, verdict: Verdict
) -> Trajectory:
    known = assignment.yardstick.known(one.trajectory, run, verdict=verdict)
    earned = reward(settings.reward, known)
    outcome = _outcome(one.cause, verdict)
    return one.trajectory.model_copy(update={"verdict": verdict, "reward": earned, "outcome": outcome})


def _outcome(cause: Cause, verdict: Verdict) -> OutcomeClass:
    """By the verifier alone. Who broke a rule of form or came to no end of its own has completed nothing."""
    if cause in NOT_THE_AGENTS:
        return "environment_error"
    if cause == "format":
        return "agent_error"
    if cause == "answered" and verdict.score == 1.0:
        return "completed"
    return "partially_completed" if verdict.score > 0.0 else "agent_error"
