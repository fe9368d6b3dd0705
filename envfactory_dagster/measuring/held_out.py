"""Our own benchmark: the tasks of environments that no policy of this home is trained on.

Belongs here: which tasks these are, and having them played. Does not: the loop of an episode (`rollouts`), and what is
held out (`datasets.splits`).

A try that its environment or the simulated person spoiled is made again with another seed. What the endpoint spoiled
waits for the next run.
"""

from collections import Counter, defaultdict
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path
from typing import Self, get_args

import orjson

from envfactory_dagster.contracts.benchmarks import BenchmarkName, Try
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.contracts.trajectory import Protocol
from envfactory_dagster.datasets.assigned import lines_of, load_tasks, read_tasks
from envfactory_dagster.datasets.splits import HELD_OUT
from envfactory_dagster.datasets.versions import latest
from envfactory_dagster.language.messages import Role
from envfactory_dagster.measuring.measurement import BenchmarkTask, Measuring
from envfactory_dagster.rollouts.assignments import Assignment
from envfactory_dagster.rollouts.endings import WORTH_ANOTHER_TRY
from envfactory_dagster.rollouts.engine import Engine
from envfactory_dagster.rollouts.reference import Player, player
from envfactory_dagster.rollouts.scoring import Rollout
from envfactory_dagster.rollouts.settings import RolloutSettings, Setting
from envfactory_dagster.rollouts.store import TrajectoryStore
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.copies import fetched
from envfactory_dagster.store.home import Home
from envfactory_dagster.truth.rewards import RewardSettings

_REWARD = RewardSettings(weights={"checks": 1.0})
"""A try scores what the verifier says."""
_ROUNDS = 3
"""How often a task is tried again with another seed."""
_PATIENCE = 8
"""After so many tries in a row that the endpoint spoiled no other is begun."""


@dataclass(frozen=True, slots=True)
class HeldOut:
    """As the latest `rl_dataset` of a home has them."""

    runtime: Runtime
    version: str
    protocol: Protocol
    """`native` where the dataset has tasks under it; else `compact`; else `meta_tools`."""
    by_id: Mapping[str, BenchmarkTask]
    assigned: Mapping[str, Assignment]
    name: BenchmarkName = "held-out"
    missing: Sequence[str] = ()

    @classmethod
    def read(cls, home: Home, runtime: Runtime, splits: Sequence[str] = ()) -> Self:
        if unknown := set(splits) - set(HELD_OUT):
            raise UsageError(f"There is no category {min(unknown)!r} of held-out; there are {' and '.join(HELD_OUT)}.")
        version = latest(home, "rl")
        if version is None:
            raise UsageError(f"There is no rl_dataset in {home.root}, so that nothing is held out; materialize it.")
        path = fetched(home, f"datasets/rl/{version}/rows")
        protocol = _protocol_of(path)
        rows = read_tasks(path, splits or HELD_OUT, protocol)
        assigned = load_tasks(rows, home, _REWARD)
        ids = [f"{one.bundle.key}/{one.task.id}" for one in assigned]
        by_id = {
            name: BenchmarkTask(name, row.trace.split, row.trace.environment, _said(one))
            for name, row, one in zip(ids, rows, assigned, strict=True)
        }
        version = f"{version}, {protocol}"
        return cls(runtime, version, protocol, by_id, dict(zip(ids, assigned, strict=True)))

    @property
    def tasks(self) -> Sequence[BenchmarkTask]:
        return list(self.by_id.values())

    @property
    def has_conversations(self) -> bool:
        return any(one.setting == "conversation" for one in self.assigned.values())

    def aggregates(self, scores: Mapping[str, float]) -> dict[str, float]:
        return {}

    async def play(self, measuring: Measuring, known: Sequence[Try]) -> AsyncGenerator[Try, None]:
        store, k = TrajectoryStore(Home.resolve(measuring.folder.path)), measuring.setup.tries
        made = {(one.task, one.seed) for one in known}
        for one in self._kept(store):  # a process may have been killed between keeping an episode and counting it
            if (one.task, one.seed) not in made:
                made.add((one.task, one.seed))
                yield one
        for number in range(_ROUNDS):
            for engine, assigned in self._groups(measuring, store, made, number):
                spoiled = 0
                async with aclosing(engine.roll(assigned, number * k)) as rollouts:
                    async for rollout in rollouts:
                        if (found := self._try(rollout)) is not None:
                            made.add((found.task, found.seed))
                            spoiled = 0
                            yield found
                            continue
                        measuring.trouble.append(rollout.detail)
                        spoiled += rollout.cause in WORTH_ANOTHER_TRY
                        if spoiled >= _PATIENCE:
                            return

    def _kept(self, store: TrajectoryStore) -> list[Try]:
        bundles = {one.bundle.version: one.bundle for one in self.assigned.values()}
        found = (self._try(rollout) for bundle in bundles.values() for rollout in store.read(bundle))
        return [one for one in found if one is not None]

    def _groups(
        self, measuring: Measuring, store: TrajectoryStore, made: set[tuple[str, int]], number: int
    ) -> list[tuple[Engine, list[Assignment]]]:
        """Tasks that lack equally many tries, with whoever plays them. In the first round all seeds are due, and those
        that are settled are left out by the engine."""
        k = measuring.setup.tries
        count = Counter(task for task, _ in made)
        groups: defaultdict[tuple[Setting, int], list[Assignment]] = defaultdict(list)
        for name, one in self.assigned.items():
            if (lacking := k - count[name]) > 0:
                groups[one.setting, lacking if number else k].append(one)
        return [
            (self._engine(measuring, store, setting, tries), assigned) for (setting, tries), assigned in groups.items()
        ]

    def _engine(self, measuring: Measuring, store: TrajectoryStore, setting: Setting, tries: int) -> Engine:
        settings = RolloutSettings(protocol=self.protocol, setting=setting, candidates=tries, reward=_REWARD)
        return Engine(self.runtime, measuring.model(), settings, store, _user(measuring, setting))

    def _try(self, rollout: Rollout) -> Try | None:
        """None: its surroundings spoiled it."""
        one = rollout.trajectory
        if one.outcome in ("environment_error", None) or one.reward is None:
            return None
        task = self.by_id[f"{one.environment}/{one.task}"]
        return Try(
            task=task.id,
            category=task.category,
            group=task.group,
            seed=one.seed,
            score=one.reward.total,
            passed=one.outcome == "completed",
            outcome=str(one.outcome),
            detail=rollout.detail,
            messages=len(one.steps),
        )


def _protocol_of(path: Path) -> Protocol:
    there = {orjson.loads(line)["protocol"] for line in lines_of(path)}
    protocols: tuple[Protocol, ...] = get_args(Protocol)
    return next((one for one in protocols if one in there), "native")


def _said(one: Assignment) -> str:
    turns = one.conversation.turns if one.conversation is not None else []
    return "\n".join(dict.fromkeys([one.task.text, *(turn.request for turn in turns)]))


def _user(measuring: Measuring, setting: Setting) -> Player | None:
    name = measuring.setup.user_model
    if setting == "single" or name is None:
        return None
    return player(measuring.people, measuring.caller(Role.USER), name, RolloutSettings().temperature, token_ids=False)
