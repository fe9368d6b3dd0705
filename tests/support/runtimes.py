"""Runtimes to which something happens.

Belongs here: subclasses of the real one for tests of whoever opens sessions. Does not: tools that misbehave (`tiny`).
"""

import asyncio
import os
import signal
from typing import Any

from envfactory_dagster.contracts.errors import EnvironmentFault
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.runtime.session import Session


class Slow(Runtime):
    """Takes a tenth of a second to open a session."""

    async def open(self, *given: Any, **more: Any) -> Session:
        await asyncio.sleep(0.1)
        return await super().open(*given, **more)


class Bereaved(Runtime):
    """The process that starts its workers dies once, while sessions are being opened: before it has started a worker
    for them, or together with the one that it has just started."""

    def __init__(self, *, with_a_worker: bool) -> None:
        super().__init__()
        self._with_a_worker = with_a_worker
        self._happened = False

    async def open(self, *given: Any, **more: Any) -> Session:
        if self._happened:
            return await super().open(*given, **more)
        self._happened = True
        zygote, before = self.pids[0], set(self.pids)
        if not self._with_a_worker:
            os.kill(zygote, signal.SIGSTOP)  # it starts none that it is asked for
        opening = asyncio.ensure_future(super().open(*given, **more))
        for _ in range(10):  # more than enough for it to have asked
            await asyncio.sleep(0)
        if self._with_a_worker:
            while not (new := set(self.pids) - before):  # noqa: ASYNC110
                await asyncio.sleep(0)  # the zygote is another process
            os.kill(new.pop(), signal.SIGKILL)
        os.kill(zygote, signal.SIGKILL)
        return await opening


class Counting(Runtime):
    """Counts the sessions that are opened."""

    opened = 0

    async def open(self, *given: Any, **more: Any) -> Session:
        self.opened += 1
        return await super().open(*given, **more)


class Recovering(Runtime):
    """Opens nothing so many times, and then as ever."""

    def __init__(self, failures: int) -> None:
        super().__init__()
        self._failures = failures

    async def open(self, *given: Any, **more: Any) -> Session:
        if self._failures:
            self._failures -= 1
            raise EnvironmentFault("It does not start.")
        return await super().open(*given, **more)
