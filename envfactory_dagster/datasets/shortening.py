"""A trajectory without what was not needed, played again to see that it still comes to the same.

Belongs here: leaving parts out, and the proof by re-execution. Does not: which parts may have been needless
(`needless`), and choosing among candidates (`building`).

A shortened trajectory is one of its own: steps and ids are counted anew, the observations are those of the new run. The
tokens of a step are kept up to the first change only: after it the policy never saw the history that is recorded, and
training must not see a context that was not sampled.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from envfactory_dagster.contracts.synthesis import MadeTask
from envfactory_dagster.contracts.trajectory import Step, ToolRequest
from envfactory_dagster.datasets.needless import NeedlessPart, needless
from envfactory_dagster.rollouts import calls
from envfactory_dagster.rollouts.assignments import Assignment
from envfactory_dagster.rollouts.reporting import Desk
from envfactory_dagster.rollouts.scoring import Finished, Rollout, score
from envfactory_dagster.rollouts.settings import RolloutSettings
from envfactory_dagster.runtime.runtime import Runtime


@dataclass(frozen=True, slots=True)
class Shortened:
    """A shorter episode that is worth as much, and what the long one had besides."""

    rollout: Rollout
    left_out: list[NeedlessPart]


async def shorten(
    runtime: Runtime, assignment: Assignment, made: MadeTask, settings: RolloutSettings, rollout: Rollout
) -> Shortened | None:
    """The episode without its needless parts; None when it has none, or is not completed anyway. Where leaving all of
    them out costs something, they are left out one by one, as long as nothing does."""
    if rollout.trajectory.outcome != "completed":
        return None
    parts = needless(assignment.bundle, made, rollout.trajectory)
    if not parts:
        return None
    whole = await _without(runtime, assignment, settings, rollout, parts)
    if _is_as_good(whole, rollout):
        return Shortened(whole, parts)
    best: Shortened | None = None
    for part in parts:
        left_out = [*(best.left_out if best is not None else []), part]
        tried = await _without(runtime, assignment, settings, rollout, left_out)
        if _is_as_good(tried, rollout):
            best = Shortened(tried, left_out)
    return best


def _is_as_good(shorter: Rollout, rollout: Rollout) -> bool:
    new, old = shorter.trajectory, rollout.trajectory
    assert old.verdict is not None and old.reward is not None
    if new.outcome != "completed" or new.verdict is None or new.reward is None:
        return False
    return new.verdict.score == 1.0 and new.reward.total >= old.reward.total


async def _without(
    runtime: Runtime, assignment: Assignment, settings: RolloutSettings, rollout: Rollout, parts: Sequence[NeedlessPart]
) -> Rollout:
    """Play the episode again without these parts, and judge it."""
    old = rollout.trajectory
    steps = []
    desk = Desk(assignment.bundle, assignment.checks.form, is_open=rollout.setting == "single")
    async with await runtime.open(assignment.bundle, state=old.state) as session:
        for step in _left(old.steps, parts):
            seen = await calls.make(session, assignment.task, step.calls, old.protocol, desk) if step.calls else []
            steps.append(step.model_copy(update={"observations": seen}))
            desk.is_open = desk.is_open or bool(step.notice)
        end = await session.end()
    new = old.model_copy(
        update={
            "steps": steps,
            "report": desk.report,
            "state_hash": end.state_hash,
            "outcome": None,
            "verdict": None,
            "reward": None,
        }
    )
    finished = Finished(new, rollout.cause, rollout.detail, rollout.remarks, end.changes, end.final)
    [scored] = await score(runtime, assignment, replace(settings, setting=rollout.setting), [finished])
    return scored


def _left(steps: Sequence[Step], parts: Sequence[NeedlessPart]) -> list[Step]:
    """The steps without these parts, counted anew. A step that loses all its calls goes with them."""
    whole_steps = {part.step for part in parts if not part.call}
    single_calls = {(part.step, part.call) for part in parts}
    first_change = min(part.step for part in parts)
    left: list[Step] = []
    for place, step in enumerate(steps):
        kept = [call for call in step.calls if (place, call.id) not in single_calls]
        if place in whole_steps or (step.calls and not kept):
            continue
        tokens = step.tokens if place < first_change else None
        named = [_named(call, len(left), number) for number, call in enumerate(kept)]
        left.append(step.model_copy(update={"number": len(left), "calls": named, "tokens": tokens}))
    return left


def _named(call: ToolRequest, step: int, number: int) -> ToolRequest:
    whose = "user" if call.principal == "user" else "call"
    return call.model_copy(update={"id": f"{whose}_{step}_{number}"})
