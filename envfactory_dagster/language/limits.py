"""Not asking more of an endpoint than it allows: concurrency, requests and tokens per minute.

The limits hold for one process; several processes on one account share it by setting lower limits.
Belongs here: waiting for room. Does not: money (`budget`), or what to do when the endpoint refuses (`exchange`).
"""

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from envfactory_dagster.language.settings import LimitSettings

MINUTE_S = 60.0
LONGEST_NAP_S = 1.0
"""A waiter looks again at least this often, because a finished call may have used less than it had reserved."""


@dataclass(slots=True)
class Admission:
    """A place in the last minute. Correct `tokens` when the real number is known."""

    at: float
    tokens: int


class RateLimits:
    """Admits calls in the order they came. Any 60 seconds in a row stay within the limits."""

    def __init__(
        self,
        settings: LimitSettings,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._requests = settings.requests_per_minute or float("inf")
        self._tokens = settings.tokens_per_minute or float("inf")
        self._slots = asyncio.Semaphore(settings.concurrency)
        self._turn = asyncio.Lock()
        self._last_minute: deque[Admission] = deque()
        self._clock = clock
        self._sleep = sleep

    @asynccontextmanager
    async def slot(self, tokens: int) -> AsyncIterator[Admission]:
        """Hold one of the concurrent places for a call that may use so many tokens."""
        async with self._slots:
            admission = Admission(self._clock(), tokens)
            if self._requests < float("inf") or self._tokens < float("inf"):
                await self._wait_for_room(admission)
            yield admission

    async def _wait_for_room(self, admission: Admission) -> None:
        async with self._turn:
            while (wait := self._wait(admission.tokens)) > 0:
                await self._sleep(min(wait, LONGEST_NAP_S))
            admission.at = self._clock()
            self._last_minute.append(admission)

    def _wait(self, tokens: int) -> float:
        """Seconds until a call of so many tokens fits. One that is larger than the whole limit waits to go alone."""
        now = self._clock()
        while self._last_minute and self._last_minute[0].at + MINUTE_S <= now:
            self._last_minute.popleft()
        requests = len(self._last_minute)
        used = sum(admission.tokens for admission in self._last_minute)
        wait = 0.0
        for admission in self._last_minute:
            if requests < self._requests and used + tokens <= self._tokens:
                break
            requests, used = requests - 1, used - admission.tokens
            wait = admission.at + MINUTE_S - now
        return wait
