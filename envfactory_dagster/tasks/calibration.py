"""How hard released tasks are for one model: which to train it on, in which order, and which verdicts to look at.

Belongs here: what follows from episodes that were played, and asking a judge about a few of them. Does not: playing
(`playing`), the figures (`rollouts.results`), and how they are shown (`commands.calibrate`).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.synthesis import MadeTask
from envfactory_dagster.contracts.trajectory import Trajectory
from envfactory_dagster.rollouts.results import About, TaskResult, task_results
from envfactory_dagster.rollouts.scoring import Rollout
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.tasks.playing import PlayedEnvironment
from envfactory_dagster.truth.execution import run_calls
from envfactory_dagster.truth.format_rules import must_call
from envfactory_dagster.truth.judging import EpisodeToJudge, Judge
from envfactory_dagster.truth.protocols import traced

Doubt = Literal["disagreement", "nobody_passes", "shortcut"]
"""A judge sees it otherwise than the verifier; no try passes; one passes without what the reference solution does."""

_FEW = 0.5
"""Who needs less than this share of the reference solution's calls has found a shortcut, or a hole."""


@dataclass(frozen=True, slots=True)
class Suspect:
    """A verdict worth a look. `seed` names the episode; None: all of them."""

    environment: str
    version: str
    task: str
    doubt: Doubt
    detail: str
    seed: int | None = None


def results(played: PlayedEnvironment) -> list[TaskResult]:
    """Every task of an environment that was played."""
    about = {
        (rollout.trajectory.environment, made.task.id): About(made.task.kind, made.difficulty.level, made.source)
        for made in played.release.tasks
        for rollout in played.rollouts[:1]
    }
    return task_results(played.rollouts, about)


def curriculum(found: Sequence[TaskResult]) -> list[TaskResult]:
    """The tasks from which there is something to learn: neither passed by every try nor by none. The easiest first."""
    between = [one for one in found if 0 < one.passed < one.played]
    return sorted(between, key=lambda one: (-one.pass_rate, one.level, one.name))


def suspects(bundle: Bundle, played: PlayedEnvironment, found: Sequence[TaskResult]) -> Iterator[Suspect]:
    """What can be told without a judge."""
    made = {one.task.id: one for one in played.release.tasks}
    writing = {tool.name for tool in bundle.tools if not tool.annotations.readOnlyHint}
    for one in found:
        if one.played > 1 and not one.passed:
            yield Suspect(*one.name, "nobody_passes", _commonest(played.rollouts, one.task))
    for rollout in played.rollouts:
        trajectory = rollout.trajectory
        if trajectory.outcome == "completed" and (detail := _shortcut(trajectory, made[trajectory.task], writing)):
            yield Suspect(*_name(trajectory), "shortcut", detail, trajectory.seed)


async def disagreements(runtime: Runtime, judge: Judge, bundle: Bundle, played: PlayedEnvironment) -> list[Suspect]:
    """Where a judge who knows the checks comes to another conclusion than they. It is asked about the first episode of
    a task that passed, and the first that did not."""
    made = {one.task.id: one for one in played.release.tasks}
    found = []
    for trajectory in _first_of_each(played.rollouts):
        task, verifier = made[trajectory.task].task, made[trajectory.task].verifier.verifier.source
        run = await run_calls(runtime, bundle, task, traced(trajectory), trajectory.report)
        episode = EpisodeToJudge(bundle, task, trajectory, run.row_changes)
        judged = await judge.classify(episode, verifier, trajectory.verdict)
        if judged.outcome is not None and (judged.outcome == "completed") != (trajectory.outcome == "completed"):
            detail = f"the verifier says {trajectory.outcome}, the judge {judged.outcome}: {judged.reasoning}"
            found.append(Suspect(*_name(trajectory), "disagreement", detail, trajectory.seed))
    return found


def _first_of_each(rollouts: Sequence[Rollout]) -> list[Trajectory]:
    first: dict[tuple[str, bool], Trajectory] = {}
    for rollout in rollouts:
        one = rollout.trajectory
        if one.outcome not in ("environment_error", None):
            first.setdefault((one.task, one.outcome == "completed"), one)
    return list(first.values())


def _shortcut(trajectory: Trajectory, made: MadeTask, writing: set[str]) -> str:
    """How an episode passed without doing what the reference solution does; empty when it did not."""
    if not must_call(made.task, made.solution):
        return ""
    gold = [call.tool for call in made.solution.calls if call.outcome == "ok"]
    called = [call.tool for call in traced(trajectory) if call.outcome == "ok"]
    left_out = sorted({tool for tool in gold if tool in writing} - set(called))
    if left_out:
        return f"passed without calling {', '.join(left_out)}"
    if len(called) < _FEW * len(gold):
        return f"passed with {len(called)} calls where the reference solution makes {len(gold)}"
    return ""


def _commonest(rollouts: Sequence[Rollout], task: str) -> str:
    """Why a task is failed, by the reason that is given most often."""
    reasons = [
        reason
        for rollout in rollouts
        if rollout.trajectory.task == task and rollout.trajectory.reward is not None
        for reason in rollout.trajectory.reward.reasons[:1]
    ]
    return max(reasons, key=reasons.count) if reasons else "no reason is given"


def _name(trajectory: Trajectory) -> tuple[str, str, str]:
    return trajectory.environment, trajectory.bundle_version, trajectory.task


def row(one: TaskResult, k: int) -> Mapping[str, Any]:
    """A task as a line of a file."""
    return {
        "environment": one.environment,
        "version": one.version,
        "task": one.task,
        "kind": one.kind,
        "level": one.level,
        "source": one.source,
        "played": one.played,
        "passed": one.passed,
        "environment_errors": one.environment_errors,
        "pass@1": one.pass_rate if one.played else None,
        f"pass@{k}": one.pass_at(k) if one.played >= k else None,
    }
