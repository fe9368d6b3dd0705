"""The stage `arena_results`: the tasks of a round, played by a policy, and what it passed.

Belongs here: playing them, and rates with their intervals. Does not: the loop (`rollouts`), which tasks there are
(`round_tasks`), and why tasks were failed (`diagnosis`).
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from envfactory_dagster.arena.earlier import ARENA_TASKS, refuse_if_followed
from envfactory_dagster.arena.policies import Playing, Policies, policy_before
from envfactory_dagster.arena.rounds import ArenaRound
from envfactory_dagster.contracts.arena import ArenaResults, ArenaTaskResult, ArenaTasks, Rate
from envfactory_dagster.contracts.base import Json, content_hash
from envfactory_dagster.contracts.errors import InfrastructureFault
from envfactory_dagster.contracts.stages import StageInput, StageOutcome
from envfactory_dagster.language.messages import Role
from envfactory_dagster.rollouts.results import interval
from envfactory_dagster.rollouts.scoring import Rollout
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.records import RecordStore
from envfactory_dagster.tasks.calibration import results
from envfactory_dagster.tasks.playing import PlayedEnvironment, Players, PlayPlan

STAGE = "arena_results"
_CODE = "1"
GROUPS: dict[str, Callable[[ArenaTaskResult], str]] = {
    "environment": lambda one: one.environment,
    "category": lambda one: one.category,
    "kind": lambda one: one.kind,
    "level": lambda one: str(one.level),
    "source": lambda one: one.source,
}
_EVERYTHING = "all"


@dataclass(frozen=True, slots=True)
class ArenaResultsStage:
    """In the first round the policy plays that the experiment begins with, then the one that was trained after the
    round before, unless one plays all of them."""

    home: Home
    runtime: Runtime
    policies: Policies
    candidates: int = 2
    name: ClassVar[str] = STAGE
    upstream: ClassVar[tuple[str, ...]] = (ARENA_TASKS,)
    code_version: ClassVar[str] = _CODE

    def settings_hash(self) -> str:
        return content_hash([*self.policies.told, self.candidates])

    async def make(self, stage_input: StageInput) -> StageOutcome:
        this, records = ArenaRound.of_key(stage_input.partition), RecordStore(self.home)
        refuse_if_followed(records, this)
        made = ArenaTasks.model_validate(stage_input.artifact(ARENA_TASKS))
        begun = policy_before(records, this, "targeted") if self.policies.are_trained else None
        async with self.policies.playing(begun) as playing:
            return await self._played(this.home(self.home), made, playing)

    async def _played(self, home: Home, made: ArenaTasks, playing: Playing) -> StageOutcome:
        players = Players(home, playing.gateway, self.runtime, playing.models, playing.people)
        view = self.policies.view
        plan = PlayPlan(
            candidates=self.candidates,
            environments=tuple(one.key for one in made.environments),
            protocol=view.protocol,
            window=view.window,
        )
        found: list[PlayedEnvironment] = []
        unplayable: dict[str, str] = {}
        async for one in players.play(plan):
            if isinstance(one, PlayedEnvironment):
                found.append(one)
            else:
                unplayable[one.key] = one.reason
        tasks = _tasks(found, {one.key: one.category for one in made.environments})
        if not any(task.played for task in tasks):
            raise InfrastructureFault("Not one episode of the round could be played to its end; is the endpoint up?")
        rollouts = [rollout for one in found for rollout in one.rollouts]
        given = ArenaResults(
            policy=playing.models.model(Role.SOLVER),
            candidates=self.candidates,
            episodes=fingerprint(rollouts),
            tasks=tasks,
            overall=rate(_EVERYTHING, tasks),
            rates={name: rates(tasks, group) for name, group in GROUPS.items()},
            unplayable=unplayable,
        )
        return StageOutcome(given.model_dump(mode="json"), metadata=_shown(given))


def fingerprint(rollouts: Iterable[Rollout]) -> str:
    """Of everything in them but how long it took."""
    return content_hash(sorted(map(_identity, rollouts)))


def _identity(rollout: Rollout) -> str:
    episode = rollout.trajectory.model_dump(mode="json", exclude={"steps": {"__all__": {"timing"}}})
    return content_hash([rollout.setting, rollout.cause, episode])


def _tasks(found: Iterable[PlayedEnvironment], category_of: dict[str, str]) -> list[ArenaTaskResult]:
    return sorted(
        (
            ArenaTaskResult(
                environment=one.environment,
                category=category_of[one.environment],
                task=one.task,
                source=made[one.task].source,
                kind=made[one.task].task.kind,
                level=one.level,
                played=one.played,
                passed=one.passed,
                environment_errors=one.environment_errors,
            )
            for played in found
            for made in [{task.task.id: task for task in played.release.tasks}]
            for one in results(played)
        ),
        key=lambda one: (one.environment, one.task),
    )


def rates(tasks: Sequence[ArenaTaskResult], group: Callable[[ArenaTaskResult], str]) -> list[Rate]:
    groups: defaultdict[str, list[ArenaTaskResult]] = defaultdict(list)
    for one in tasks:
        if one.played:
            groups[group(one)].append(one)
    return [rate(name, groups[name]) for name in sorted(groups)]


def rate(name: str, tasks: Sequence[ArenaTaskResult]) -> Rate:
    """Of the tasks that were played, of which there is one at least."""
    played = [one for one in tasks if one.played]
    found = interval([one.passed / one.played for one in played], [one.environment for one in played])
    assert found is not None
    return Rate(
        group=name,
        tasks=len(played),
        episodes=sum(one.played for one in played),
        value=found.mean,
        low=found.low,
        high=found.high,
    )


def _shown(given: ArenaResults) -> dict[str, Json]:
    shown: dict[str, Json] = {
        "policy": given.policy,
        "pass_rate": round(given.overall.value, 4),
        "pass_rate_low": round(given.overall.low, 4),
        "pass_rate_high": round(given.overall.high, 4),
        "tasks": given.overall.tasks,
        "episodes": given.overall.episodes,
        "environment_errors": sum(one.environment_errors for one in given.tasks),
    }
    for name, found in given.rates.items():
        shown[f"by_{name}"] = [one.model_dump(mode="json") for one in found]
    if given.unplayable:
        shown["unplayable"] = [{"environment": key, "reason": why} for key, why in given.unplayable.items()]
    return shown
