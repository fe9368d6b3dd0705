"""What a played episode came to: its trajectory with verdict, reward and outcome class.

Belongs here: scoring played episodes of one task. Does not: verdicts and formulas (`truth`).
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.calls import Change
from envfactory_dagster.contracts.trajectory import OutcomeClass, Reward, Trajectory
from envfactory_dagster.contracts.truth import Verdict
from envfactory_dagster.rollouts.assignments import Assignment
from envfactory_dagster.rollouts.endings import NOT_THE_AGENTS, Cause, Remark
from envfactory_dagster.rollouts.settings import RolloutSettings, Setting
from envfactory_dagster.runtime.checks import MESSAGE_CHECK
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.truth.execution import Run
from envfactory_dagster.truth.judging import EpisodeToJudge, Judge
from envfactory_dagster.truth.message_words import Words, judge_words, with_words
from envfactory_dagster.truth.protocols import traced, unread
from envfactory_dagster.truth.rewards import (
    EpisodeToReward,
    NoReward,
    needs_class,
    needs_rubric,
    refuse_without_judge,
    reward,
)
from envfactory_dagster.truth.rubrics import rubric_for
from envfactory_dagster.truth.text_reading import read_text
from envfactory_dagster.truth.verdicts import UNREAD, Remembers, judge_surely


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
        refuse_without_judge(
            settings.reward, "give a `judge` (`truth.judging.Judge`), or choose a reward by code alone"
        )


async def score(
    runtime: Runtime,
    assignment: Assignment,
    settings: RolloutSettings,
    episodes: Sequence[Finished],
    judge: Judge | None = None,
) -> list[Rollout]:
    """Every episode of one task, verified in one process. Where the verifier turns out to remember earlier cases, none
    of them is: it says nothing about the agent."""
    check_judge(settings, judge)
    if assignment.turn is not None:
        return [_of_turn(assignment, settings, one) for one in episodes]
    if judge is not None:
        episodes = [await _with_report(assignment, one, judge) for one in episodes]
    runs = {
        place: run_of(assignment.bundle, one, one.final) for place, one in enumerate(episodes) if one.final is not None
    }
    try:
        judged = dict(zip(runs, await judge_surely(runtime, assignment.checks, list(runs.values())), strict=True))
    except Remembers as fault:
        return [_unjudged(settings, one, str(fault)) for one in episodes]
    verdicts = {place: UNREAD if unread(episodes[place].trajectory) else one for place, one in judged.items()}

    async def scored(place: int, one: Finished) -> Rollout:
        if place in runs:
            return await _rewarded(assignment, settings, one, runs[place], verdicts[place], judge)
        return _unjudged(settings, one, one.detail)

    return await asyncio.gather(*(scored(place, one) for place, one in enumerate(episodes)))


def _unjudged(settings: RolloutSettings, one: Finished, detail: str) -> Rollout:
    trajectory = one.trajectory.model_copy(update={"outcome": "environment_error"})
    return Rollout(trajectory, settings.setting, one.cause, detail, one.remarks)


def _of_turn(assignment: Assignment, settings: RolloutSettings, one: Finished) -> Rollout:
    """By path and state alone: a turn has neither verifier nor report."""
    if one.final is None or one.cause in NOT_THE_AGENTS:
        return _unjudged(settings, one, one.detail)
    known = assignment.basis.known(one.trajectory, run_of(assignment.bundle, one, one.final))
    earned = reward(settings.reward, replace(known, reports=False))
    outcome: OutcomeClass = "completed" if earned.total == 1.0 else "agent_error"
    if 0.0 < earned.total < 1.0:
        outcome = "partially_completed"
    trajectory = one.trajectory.model_copy(update={"reward": earned, "outcome": outcome})
    return Rollout(trajectory, settings.setting, one.cause, one.detail, one.remarks)


async def _with_report(assignment: Assignment, one: Finished, judge: Judge) -> Finished:
    """With the report that a judge has read in what the person was told, where the agent was never asked for one."""
    if one.final is None or not unread(one.trajectory):
        return one
    rules = assignment.bundle.theme.rules
    report = await read_text(judge, assignment.checks, rules, one.trajectory.answer)
    return replace(one, trajectory=one.trajectory.model_copy(update={"report": report}))


def run_of(bundle: Bundle, one: Finished, final: bytes) -> Run:
    """What a verifier reads of an episode. `final`: the database that it left."""
    trajectory = one.trajectory
    return Run(
        calls=traced(trajectory),
        changes=one.changes,
        report=trajectory.report,
        error=None,
        state_hash=trajectory.state_hash,
        initial=bundle.states[trajectory.state].image,
        final=final,
        state=trajectory.state,
        clock=trajectory.clock,
    )


async def _rewarded(
    assignment: Assignment, settings: RolloutSettings, one: Finished, run: Run, verdict: Verdict, judge: Judge | None
) -> Rollout:
    """With its reward, or without one where a judge gave no verdict: then the detail says why."""
    known = assignment.basis.known(one.trajectory, run, verdict=verdict)
    earned, detail, remarks = None, one.detail, one.remarks
    try:
        if settings.reward.message_words and judge is not None:
            known = await _with_words(assignment, settings, known, run, judge)
        earned, known = await _earned(assignment, settings, known, run, judge)
    except NoReward as none:
        detail, remarks = f"no verdict: {none}", [*remarks, "no_verdict"]
    verdict = known.verdict or verdict
    if known.judgement is not None:
        verdict = verdict.model_copy(update={"message": "judged"})
    update = {"verdict": verdict, "reward": earned, "outcome": _outcome(one.cause, verdict)}
    return Rollout(one.trajectory.model_copy(update=update), settings.setting, one.cause, detail, remarks)


async def _with_words(
    assignment: Assignment, settings: RolloutSettings, known: EpisodeToReward, run: Run, judge: Judge
) -> EpisodeToReward:
    """With what a judge says of the message of an episode that earns something, where nothing else will be asked that
    the judge would say it with."""
    verdict = known.verdict
    asked_anyway = needs_class(settings.reward) or needs_rubric(settings.reward)
    if asked_anyway or verdict is None or verdict.message != "values_only" or reward(settings.reward, known).total <= 0:
        return known
    words = await judge_words(
        judge, EpisodeToJudge(assignment.bundle, assignment.task, known.trajectory, run.row_changes)
    )
    if words.problem:
        raise NoReward(words.problem)
    return replace(known, verdict=with_words(verdict, words))


async def _earned(
    assignment: Assignment, settings: RolloutSettings, known: EpisodeToReward, run: Run, judge: Judge | None
) -> tuple[Reward, EpisodeToReward]:
    """What is earned, and what is known by then. A judge is asked only where code alone does not settle it: not for an
    episode that broke a rule of form, nor for a broken guard. The gateway remembers answers, so that the same episode
    is judged once."""
    try:
        return reward(settings.reward, known), known
    except NoReward:
        if judge is None or unread(known.trajectory):
            raise
    alone = settings.reward.strategy == "judge_only"
    if needs_class(settings.reward):
        episode = EpisodeToJudge(
            assignment.bundle, assignment.task, known.trajectory, None if alone else run.row_changes
        )
        verifier = None if alone else assignment.checks.source
        known = replace(known, judgement=await judge.classify(episode, verifier, known.verdict))
    if needs_rubric(settings.reward):
        episode = EpisodeToJudge(assignment.bundle, assignment.task, known.trajectory, run.row_changes)
        criteria = rubric_for(known.gold, assignment.checks.source, assignment.rubric)
        rubric = await judge.apply_rubric(episode, criteria, assignment.checks.form, known.verdict)
        known = replace(known, rubric=rubric)
        message = next((one for one in rubric.criteria if one.criterion == MESSAGE_CHECK), None)
        if message is not None and known.verdict is not None:
            words = Words(message.met, (message.reason,) if message.met is False else ())
            known = replace(known, verdict=with_words(known.verdict, words))
    return reward(settings.reward, known), known


def _outcome(cause: Cause, verdict: Verdict) -> OutcomeClass | None:
    """By the verifier alone. Who broke a rule of form or came to no end of its own has completed nothing; of what
    nobody has read there is nothing to say."""
    if verdict.message == "unread":
        return None
    if cause in NOT_THE_AGENTS:
        return "environment_error"
    if cause == "format":
        return "agent_error"
    if cause == "answered" and verdict.score == 1.0:
        return "completed"
    return "partially_completed" if verdict.score > 0.0 else "agent_error"
