"""Many episodes at once: k candidates of each task, so many in flight, each stored with its score.

Belongs here: which episodes run when, opening their sessions, and that none is ever lost. Does not: playing one
(`episode`), judging (`scoring`), the files (`store`).
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from envfactory_dagster.contracts.errors import EnvironmentFault, InfrastructureFault, SandboxUnavailable
from envfactory_dagster.contracts.trajectory import Trajectory
from envfactory_dagster.rollouts.assignments import Assignment
from envfactory_dagster.rollouts.endings import End
from envfactory_dagster.rollouts.episode import Episode, Played
from envfactory_dagster.rollouts.prompts import Brief
from envfactory_dagster.rollouts.reference import Player, ReferencePolicy
from envfactory_dagster.rollouts.scoring import Finished, Rollout, check_judge, score
from envfactory_dagster.rollouts.scripted_person import ScriptedPerson
from envfactory_dagster.rollouts.settings import RolloutSettings
from envfactory_dagster.rollouts.simulator import Simulator
from envfactory_dagster.rollouts.store import Key, TrajectoryStore
from envfactory_dagster.rollouts.user import Person, SimulatedUser
from envfactory_dagster.runtime.pool import SessionPool
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.runtime.session import Callee, Session
from envfactory_dagster.truth.judging import Judge


@dataclass(frozen=True, slots=True)
class Group:
    """The candidates of one task that came to an end, and what kept others from it."""

    rollouts: list[Rollout]
    failure: BaseException | None


@dataclass(slots=True)
class WaitingTime:
    """For how long at least one episode was waiting for its session."""

    seconds: float = 0.0
    _opening: int = 0
    _since: float = 0.0

    @contextmanager
    def one_more(self) -> Iterator[None]:
        if not self._opening:
            self._since = time.perf_counter()
        self._opening += 1
        try:
            yield
        finally:
            self._opening -= 1
            if not self._opening:
                self.seconds += time.perf_counter() - self._since


@dataclass(frozen=True, slots=True)
class Engine:
    """Plays tasks with one agent. `user` is needed for conversations."""

    runtime: Runtime
    agent: Player
    settings: RolloutSettings
    store: TrajectoryStore
    user: Player | None = None
    judge: Judge | None = None
    """Who is asked where the reward needs a judge."""
    waiting: WaitingTime = field(default_factory=WaitingTime)
    sessions: SessionPool | None = None
    """Where some may have been opened ahead; without it each is opened when its episode begins."""
    simulator: Simulator | None = None
    """Who answers in place of the tools. These are executed all the same, and the verdict is about what they did."""

    def __post_init__(self) -> None:
        check_judge(self.settings, self.judge)

    async def roll(self, assignments: Sequence[Assignment], seed: int = 0) -> AsyncGenerator[Rollout, None]:
        """Every episode that is not in the store yet, as soon as its task's candidates are all judged.

        Episodes are stored before they are yielded. A broken world (a spent budget, a full disk) is raised when what
        is at work is finished and stored.
        """
        waiting = iter(self._to_do(assignments, seed))
        at_work: dict[asyncio.Task[Group], int] = {}
        failure: BaseException | None = None
        try:
            while True:
                while failure is None and self._room(at_work) and (group := next(waiting, None)) is not None:
                    at_work[asyncio.create_task(self._group(*group))] = len(group[1])
                if not at_work:
                    break
                done, _ = await asyncio.wait(at_work, return_when=asyncio.FIRST_COMPLETED)
                rollouts: list[Rollout] = []
                for task in done:
                    del at_work[task]
                    ended = _of(task)
                    failure = failure or ended.failure
                    rollouts += ended.rollouts
                try:
                    self.store.add(rollouts)
                except InfrastructureFault as fault:  # the store has them still, and writes them when it can
                    failure = failure or fault
                for rollout in rollouts:
                    yield rollout
        finally:
            for task in at_work:
                task.cancel()
            await asyncio.gather(*at_work, return_exceptions=True)
            self.store.flush()
        if failure is not None:
            raise failure

    def _room(self, at_work: dict[asyncio.Task[Group], int]) -> bool:
        """A task with more candidates than may be in flight goes alone."""
        return not at_work or sum(at_work.values()) + self.settings.candidates <= self.settings.in_flight

    def _to_do(self, assignments: Sequence[Assignment], seed: int) -> list[tuple[Assignment, list[int]]]:
        """Tasks, each with the seeds that it is to be played with."""
        seeds = range(seed, seed + self.settings.candidates)
        bundles = {one.bundle.version: one.bundle for one in assignments}
        done = set().union(*(self.store.settled(bundle) for bundle in bundles.values()))
        groups = []
        for one in assignments:
            left = [one_seed for one_seed in seeds if self._key(one, one_seed) not in done]
            if left:
                groups.append((one, left))
        return groups

    def _key(self, assignment: Assignment, seed: int) -> Key:
        settings = self.settings
        version, task = assignment.bundle.version, assignment.task.id
        return Key(version, task, settings.setting, settings.protocol, self.agent.name, seed)

    async def _group(self, assignment: Assignment, seeds: Sequence[int]) -> Group:
        ended = await asyncio.gather(*(self._episode(assignment, seed) for seed in seeds), return_exceptions=True)
        episodes = [one for one in ended if isinstance(one, Finished)]
        failure = next((one for one in ended if isinstance(one, BaseException)), None)
        return Group(await score(self.runtime, assignment, self.settings, episodes, self.judge), failure)

    async def _episode(self, assignment: Assignment, seed: int) -> Finished:
        """One episode in a session of its own. An environment that cannot even be opened ends it, and no other."""
        try:
            with self.waiting.one_more():
                session = await self._opened(assignment)
        except EnvironmentFault as fault:
            return self._lost(assignment, seed, Played(assignment.task.text, [], End("environment", str(fault))))
        async with session:
            played = await self._play(assignment, session, seed)
            try:
                left = await session.end()
            except (InfrastructureFault, EnvironmentFault) as fault:
                return self._lost(
                    assignment, seed, Played(played.opening, played.steps, End("environment", str(fault)))
                )
        trajectory = self._trajectory(assignment, seed, played, left.state_hash)
        return Finished(trajectory, played.end.cause, played.end.detail, played.remarks, left.changes, left.final)

    async def _opened(self, assignment: Assignment, tries: int = 2) -> Session:
        """A session, or the fault of this one environment. A fault of the machine concerns every episode; one that
        passed meanwhile is nobody's, so an environment is to blame only for what it does twice."""
        try:
            # The second is opened now: another one that was opened ahead may have met the same fault.
            opening = self.sessions.take if self.sessions is not None and tries > 1 else self.runtime.open
            return await opening(assignment.bundle, state=assignment.task.state)
        except SandboxUnavailable:
            raise
        except (InfrastructureFault, EnvironmentFault) as fault:
            await self.runtime.check()
            if tries == 1:
                raise EnvironmentFault(str(fault)) from fault
        return await self._opened(assignment, tries - 1)

    async def _play(self, assignment: Assignment, session: Session, seed: int) -> Played:
        bundle, task, settings = assignment.bundle, assignment.task, self.settings
        rules = assignment.basis.form(settings.protocol)
        agent = self.agent
        if isinstance(agent, ReferencePolicy):
            agent = agent.for_task(assignment, settings.setting, seed)
        tools: Callee = session
        if self.simulator is not None:
            tools = self.simulator.beside(session, bundle, task.state, task.id, seed)
        person = self._person(assignment, tools, seed) if settings.setting == "conversation" else None
        most_steps = settings.steps_for(len(assignment.solution.calls))
        answers = assignment.checks.form
        episode = Episode(
            bundle, task, answers, tools, agent, rules, settings, most_steps, seed, person, assignment.turn
        )
        return await episode.play()

    def _person(self, assignment: Assignment, tools: Callee, seed: int) -> Person:
        assert self.user is not None, "a conversation needs somebody who plays the person"
        if isinstance(self.user, ReferencePolicy):
            return ScriptedPerson(assignment, tools)
        task = assignment.task
        brief = Brief.of(task, assignment.bundle.states[task.state].clock, assignment.conversation)
        return SimulatedUser(self.user, brief, task, tools, self.settings, seed)

    def _lost(self, assignment: Assignment, seed: int, played: Played) -> Finished:
        trajectory = self._trajectory(assignment, seed, played, "")
        return Finished(trajectory, played.end.cause, played.end.detail, played.remarks, [], None)

    def _trajectory(self, assignment: Assignment, seed: int, played: Played, state_hash: str) -> Trajectory:
        bundle, task, protocol = assignment.bundle, assignment.task, self.settings.protocol
        return played.trajectory(
            bundle, task, protocol=protocol, model=self.agent.name, seed=seed, state_hash=state_hash
        )


def _of(task: asyncio.Task[Group]) -> Group:
    """What came of a group that is done, also where nothing of it could be judged."""
    failure = task.exception()
    return task.result() if failure is None else Group([], failure)
