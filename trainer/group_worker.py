"""Groups that are played while others are learned from: the side of asynchronous GRPO that plays.

Belongs here: which groups are under way, and handing their samples over. Does not: learning (`async_grpo`), the loop
of an episode (`envfactory_dagster.rollouts`), or asking the server (`server_model`).

It runs in a thread of the training process with an event loop of its own; episodes run in the sandbox's processes, and
messages are written by the server. Satisfies TRL's `RolloutWorkerProtocol`.
"""

import asyncio
import queue
import secrets
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy
from trl.experimental.async_grpo.async_rollout_worker import RolloutSample

from envfactory_dagster.rollouts.assignments import Assignment
from envfactory_dagster.rollouts.engine import Engine
from envfactory_dagster.rollouts.scoring import Rollout
from envfactory_dagster.rollouts.store import TrajectoryStore
from envfactory_dagster.store.home import Home

from .failures import EnvironmentsDown
from .figures import figures, nothing_to_learn
from .groups import Sample, samples, score
from .playing import Played, Surroundings, begun, check_played, rollout_settings
from .processes import processes
from .recipe import Recipe
from .rendering import Renderer
from .sampling import sampling_of
from .server_model import ServerModel, client_of

_LOOKED_AFTER_S = 0.05
"""How long to wait before checking whether another group may begin."""


class GroupWorker:
    """Plays one group after another, so many at once, until it is told to stop."""

    def __init__(
        self,
        recipe: Recipe,
        renderer: Renderer,
        tasks: Iterator[Assignment],
        everything: list[Assignment],
        folder: Path,
        home: Home,
        *,
        enough: int,
        first: int = 0,
    ) -> None:
        """`tasks`: in the order in which they are played, without end. `everything`: all of them, once each.
        `enough`: so many samples may wait; more of them would be too old when they are learned from. `first`: the
        number of the first group."""
        self.rollout_buffer: queue.Queue[RolloutSample] = queue.Queue()
        self.metrics_queue: queue.Queue[dict[str, float]] = queue.Queue()
        self.adapter: str | None = None
        """The prefix of adapter names on the server; None where all weights are sent."""
        self._recipe, self._renderer, self._tasks, self._everything = recipe, renderer, tasks, everything
        self._folder, self._home, self._enough, self._number = folder, home, enough, first
        self._scores: deque[list[float | None]] = deque(maxlen=max(1, recipe.grpo.tasks * processes() - 1))
        """Scores of the groups before, which make a batch together with the next one."""
        self._version = self._flat = 0
        self._base = ""
        self._failure: BaseException | None = None
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="groups", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join()

    def update_model_version(self, model_version: int) -> None:
        self._version = model_version

    def check_health(self, stale_after_s: float) -> None:
        """Called by TRL while it waits for samples. However long an episode takes, it is no failure."""
        if self._failure is not None:
            raise self._failure
        if not self._thread.is_alive():
            raise EnvironmentsDown("No more groups are played, and nobody knows why.")

    def _run(self) -> None:
        try:
            asyncio.run(self._work())
        except BaseException as failure:  # noqa: BLE001 - it is raised where samples are waited for
            self._failure = failure

    async def _work(self) -> None:
        async with AsyncExitStack() as stack:
            surroundings = await begun(stack, self._recipe, self._everything, self._home)
            server = self._recipe.grpo.server
            assert server is not None, "groups are played here only with a server"
            client = await stack.enter_async_context(client_of(server))
            self._base = (await client.models.list()).data[0].id
            grpo = self._recipe.grpo
            model = ServerModel(
                client,
                self._renderer,
                sampling_of(grpo),
                self._loaded,
                self._recipe.name,
            )
            await self._play_on(surroundings, model)

    def _loaded(self) -> str:
        return self._base if self.adapter is None else f"{self.adapter}-v{self._version}"

    async def _play_on(self, surroundings: Surroundings, model: ServerModel) -> None:
        most = max(1, self._recipe.grpo.in_flight // self._recipe.grpo.group)
        at_work = set[asyncio.Task[None]]()
        try:
            while not self._stopping.is_set():
                while len(at_work) < most and self.rollout_buffer.qsize() < self._enough:
                    at_work.add(asyncio.create_task(self._group(surroundings, model, next(self._tasks), self._number)))
                    self._number += 1
                await asyncio.sleep(_LOOKED_AFTER_S)
                for one in [group for group in at_work if group.done()]:
                    at_work.remove(one)
                    one.result()
        finally:
            for one in at_work:
                one.cancel()
            await asyncio.gather(*at_work, return_exceptions=True)

    async def _group(self, surroundings: Surroundings, model: ServerModel, task: Assignment, number: int) -> None:
        runtime, sessions, judge, person = surroundings
        grpo, version, started = self._recipe.grpo, self._version, time.perf_counter()
        settings = replace(rollout_settings(grpo, version), setting=task.setting)
        store = TrajectoryStore(Home.resolve(self._folder / "rollouts" / f"{number:06d}-{secrets.token_hex(3)}"))
        engine = Engine(runtime, model, settings, store, person, judge, sessions=sessions)
        seed = self._recipe.seed * 1_000_003 + number * grpo.group
        group = [rollout async for rollout in engine.roll([task], seed)]
        check_played(group)
        self._hand_over(group, number, version, time.perf_counter() - started)

    def _hand_over(self, group: list[Rollout], number: int, version: int, seconds: float) -> None:
        """Samples are as old as the weights with which their group began."""
        grpo = self._recipe.grpo
        made = samples([group], grpo.scale, joined=True, earlier=self._scores)
        self._scores.append([score(rollout) for rollout in group])
        told = figures(Played([group], seconds, 0.0, 0.0), rollout_settings(grpo).reward.weights)
        self.metrics_queue.put({name: value for name, value in told.items() if not name.startswith("seconds/")})
        for one in made:
            self.rollout_buffer.put(_of(one, number, version))
        self._flat = 0 if made else self._flat + 1
        if self._flat >= grpo.patience * grpo.tasks:
            raise nothing_to_learn(f"In {self._flat} groups")


def _of(sample: Sample, number: int, version: int) -> Any:
    before = len(sample.prompt)
    return RolloutSample(
        prompt=[],
        completion=[],
        input_ids=numpy.asarray(sample.ids, dtype=numpy.int64),
        completion_mask=numpy.asarray([0] * before + [int(one) for one in sample.written], dtype=numpy.int64),
        old_log_probs=numpy.asarray([0.0] * before + sample.logprobs, dtype=numpy.float32),
        advantage=sample.advantage,
        model_version=version,
        group_id=number,
        metrics={},
        enqueued_at=time.time(),
    )
