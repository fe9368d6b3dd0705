"""Sessions for rollouts: ready before they are wanted, so that a trainer never waits for an environment.

Belongs here: opening ahead, handing out, taking back, and how long callers waited. Does not: playing the episodes.
"""

import asyncio
import time
from collections import defaultdict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.domain import INITIAL_STATE
from envfactory_dagster.contracts.errors import EnvFactoryError
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.runtime.session import Session

Kind = tuple[str, str]
"""Version of the bundle, name of the state: sessions of one kind are interchangeable."""


class SessionPool:
    """Use as an async context manager around the rollouts; leaving it closes every session it opened.

        async with SessionPool(runtime) as pool:
            pool.prefetch(bundle, 64)                 # returns at once; sessions open in the background
            ...                                       # update the weights
            async with pool.session(bundle) as session:
                await session.call("list_items")

    A session is used for one episode and then closed: opening another costs microseconds, and nothing an episode left
    behind can meet the next one.
    """

    def __init__(self, runtime: Runtime) -> None:
        self.waited_seconds = 0.0
        """How long callers of `session` and `take` have waited: the sum of all, also where they waited together."""
        self._runtime = runtime
        self._ready: defaultdict[Kind, deque[asyncio.Task[Session]]] = defaultdict(deque)

    async def __aenter__(self) -> "SessionPool":
        return self

    async def __aexit__(self, *exc: object) -> None:
        openings = [task for kind in self._ready.values() for task in kind]
        self._ready.clear()
        for opening in openings:
            try:
                await (await opening).close()
            except EnvFactoryError:
                continue  # it never opened; whoever had asked for it would have been told

    def begun(self, bundle: Bundle, *, state: str = INITIAL_STATE) -> int:
        """How many are ready, or being opened."""
        return len(self._ready[bundle.version, state])

    def prefetch(self, bundle: Bundle, count: int, *, state: str = INITIAL_STATE) -> None:
        """Have `count` more sessions opened in the background."""
        ready = self._ready[bundle.version, state]
        for _ in range(count):
            opening = asyncio.ensure_future(self._runtime.open(bundle, state=state))
            opening.add_done_callback(lambda task: None if task.cancelled() else task.exception())
            ready.append(opening)

    @asynccontextmanager
    async def session(self, bundle: Bundle, *, state: str = INITIAL_STATE) -> AsyncIterator[Session]:
        """A fresh session for one episode: one that is ready, or else one opened now."""
        session = await self.take(bundle, state=state)
        try:
            yield session
        finally:
            await session.close()

    async def take(self, bundle: Bundle, *, state: str = INITIAL_STATE) -> Session:
        """The same for who closes it himself."""
        ready = self._ready[bundle.version, state]
        if not ready:
            self.prefetch(bundle, 1, state=state)
        opening = ready.popleft()
        if opening.done():
            return opening.result()
        started = time.perf_counter()
        try:
            return await opening
        finally:
            self.waited_seconds += time.perf_counter() - started
