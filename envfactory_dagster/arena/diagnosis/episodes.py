"""The failed episodes of a round, each with its class and what is shown of it.

Belongs here: finding them, making their calls once more to see what they changed, and cutting them short. Does not:
which class an episode has (`classes`).
"""

import asyncio
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from envfactory_dagster.arena.diagnosis.classes import classified
from envfactory_dagster.contracts.arena import ArenaResults, ArenaTasks, RoundEnvironment
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.diagnosis import EvidencePointer, Failure, FailureShown, FailureStepShown
from envfactory_dagster.contracts.synthesis import MadeTask, Release
from envfactory_dagster.contracts.trajectory import Step
from envfactory_dagster.rollouts.scoring import Rollout
from envfactory_dagster.rollouts.store import TrajectoryStore
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.bundles import BundleStore
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.records import RecordStore
from envfactory_dagster.tasks.release import ReleaseStage
from envfactory_dagster.truth.execution import run_calls
from envfactory_dagster.truth.protocols import traced

RESULT_CHARS = 2_000
"""Longer results are cut to this length."""
_TEXT_CHARS = 400


@dataclass(frozen=True, slots=True)
class FailedEpisode:
    failure: Failure
    bundle: Bundle
    made: MadeTask
    rollout: Rollout


async def failed_episodes(
    runtime: Runtime, home: Home, tasks: ArenaTasks, results: ArenaResults
) -> list[FailedEpisode]:
    """Of all environments of a round, in order. `home`: that of the round. Episodes that their surroundings spoiled, or
    that nobody has read, are none."""
    found = []
    for one in tasks.environments:
        if one.key not in results.unplayable:
            found += await _of_environment(runtime, home, one, results)
    return found


async def _of_environment(
    runtime: Runtime, home: Home, one: RoundEnvironment, results: ArenaResults
) -> list[FailedEpisode]:
    bundle = await asyncio.to_thread(BundleStore(home).load, one.key, one.version)
    rollouts = await asyncio.to_thread(TrajectoryStore(home).read, bundle)
    made = _released(home, one.key)
    failed = [rollout for rollout in rollouts if _counts(rollout, results) and rollout.trajectory.task in made]
    try:
        found = [
            await _failed(runtime, bundle, one.category, made[rollout.trajectory.task], rollout)
            for rollout in sorted(failed, key=lambda one: (one.trajectory.task, one.trajectory.seed))
        ]
    finally:
        runtime.retire(bundle)
    return found


def _released(home: Home, key: str) -> dict[str, MadeTask]:
    record = RecordStore(home).latest(ReleaseStage.name, key)
    if record is None or record.artifact is None:
        return {}
    return {one.task.id: one for one in Release.model_validate(record.artifact).tasks}


def _counts(rollout: Rollout, results: ArenaResults) -> bool:
    one = rollout.trajectory
    failed = one.outcome in ("agent_error", "partially_completed")
    return failed and one.model == results.policy and one.seed < results.candidates


async def _failed(runtime: Runtime, bundle: Bundle, category: str, made: MadeTask, rollout: Rollout) -> FailedEpisode:
    trajectory = rollout.trajectory
    run = await run_calls(runtime, bundle, made.task, traced(trajectory), trajectory.report)
    found = classified(bundle, made, rollout, run.row_changes)
    pointer = EvidencePointer(environment=bundle.key, task=made.task.id, seed=trajectory.seed, step=found.step)
    failure = Failure(
        at=pointer,
        category=category,
        failure=found.failure,
        kind=made.task.kind,
        level=made.difficulty.level,
        detail=_cut(found.detail, _TEXT_CHARS),
        tools=list(dict.fromkeys(found.tools)),
    )
    return FailedEpisode(failure, bundle, made, rollout)


def shown(one: FailedEpisode) -> FailureShown:
    """What a model is shown of an episode: no thoughts, nothing of the reference solution."""
    trajectory = one.rollout.trajectory
    verdict = trajectory.verdict
    return FailureShown(
        at=one.failure.at,
        failure=one.failure.failure,
        detail=one.failure.detail,
        task=one.made.task.text,
        steps=[_step(number, step) for number, step in enumerate(trajectory.steps)],
        report="" if trajectory.report is None else trajectory.report.model_dump_json(),
        reasons=verdict.reasons if verdict is not None else [],
    )


def stratified(episodes: Iterable[FailedEpisode], most: int) -> list[FailedEpisode]:
    """At most so many of each environment, of each class in turn."""
    by_environment: dict[str, dict[str, list[FailedEpisode]]] = {}
    for one in episodes:
        by_class = by_environment.setdefault(one.bundle.key, {})
        by_class.setdefault(one.failure.failure, []).append(one)
    return [one for by_class in by_environment.values() for one in _in_turn(list(by_class.values()))[:most]]


def _in_turn(groups: Sequence[Sequence[FailedEpisode]]) -> list[FailedEpisode]:
    longest = max(map(len, groups), default=0)
    return [group[place] for place in range(longest) for group in groups if place < len(group)]


def _step(number: int, step: Step) -> FailureStepShown:
    seen = {one.call: one for one in step.observations}
    calls = []
    for call in step.calls:
        given = call.arguments if isinstance(call.arguments, str) else json.dumps(call.arguments, ensure_ascii=False)
        answer = seen.get(call.id)
        told = "" if answer is None else answer.error or json.dumps(answer.value, ensure_ascii=False)
        calls.append(f"{call.name}({_cut(given, RESULT_CHARS)}) → {_cut(told, RESULT_CHARS)}")
    return FailureStepShown(number=number, said=_cut(step.text, _TEXT_CHARS), calls=calls)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]}… ({len(text) - most} characters more)"
