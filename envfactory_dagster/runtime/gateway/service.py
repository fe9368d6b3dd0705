"""What every façade of the gateway shares: the environments, the slots, making a call.

Belongs here: turning a caller's wish into a session's call, and every failure of it into a result. Does not: how wishes
arrive and results leave (`app`, `mcp_server`).
"""

import asyncio
import contextlib
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Self

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.calls import CallResult
from envfactory_dagster.contracts.domain import INITIAL_STATE
from envfactory_dagster.contracts.errors import EnvironmentFault, InfrastructureFault, UsageError
from envfactory_dagster.contracts.tools import Principal
from envfactory_dagster.runtime.gateway.metrics import Metrics
from envfactory_dagster.runtime.gateway.settings import GatewaySettings
from envfactory_dagster.runtime.gateway.slots import Clock, Full, NoSuchSession, Protocol, Slot, Slots
from envfactory_dagster.runtime.runtime import Runtime

_LONGEST_NAP = 5.0


class NoSuchEnvironment(UsageError):
    """No environment of this gateway has that key."""


class Service:
    """Use as an async context manager around serving; leaving it closes every session, not the runtime."""

    def __init__(
        self,
        runtime: Runtime,
        bundles: Iterable[Bundle],
        settings: GatewaySettings | None = None,
        clock: Clock = time.monotonic,
    ) -> None:
        self.runtime = runtime
        self.settings = settings or GatewaySettings()
        self.bundles: dict[str, Bundle] = {}
        for bundle in bundles:
            if bundle.key in self.bundles:
                raise UsageError(f"Two environments have the key {bundle.key!r}; serve one of them elsewhere.")
            self.bundles[bundle.key] = bundle
        self.metrics = Metrics()
        self.slots = Slots(runtime, self.settings.max_sessions, self.settings.idle_seconds, clock)
        self._reaper: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        """An environment that does not load is found now, not by the first caller."""
        for bundle in self.bundles.values():
            async with await self.runtime.open(bundle):
                pass
        self._reaper = asyncio.create_task(self._reap_forever())
        return self

    async def __aexit__(self, *exc: object) -> None:
        if self._reaper is not None:
            self._reaper.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._reaper
        await self.slots.close_all()

    def bundle(self, key: str) -> Bundle:
        try:
            return self.bundles[key]
        except KeyError:
            known = ", ".join(sorted(self.bundles))
            raise NoSuchEnvironment(f"There is no environment {key[:64]!r} here; there are: {known}.") from None

    async def open(self, key: str, state: str = INITIAL_STATE, *, opened_by: Protocol) -> Slot:
        try:
            return await self.slots.open(self.bundle(key), state, opened_by)
        except Full:
            self.metrics.refused += 1
            raise

    async def call(self, slot: Slot, tool: str, arguments: Mapping[str, Json], principal: Principal) -> CallResult:
        """Call a tool. Whatever goes wrong once the session is known is a result that says whose fault it was."""
        started = time.perf_counter()
        with self.slots.using(slot):
            try:
                result = await slot.session.call(tool, arguments, principal=principal)
            except EnvironmentFault as fault:
                result = CallResult("environment", error=str(fault))
            except InfrastructureFault as fault:
                result = CallResult("infrastructure", error=str(fault))
            except UsageError as closed:
                raise NoSuchSession(str(closed)) from closed
        self.metrics.count_call(slot.environment, result.outcome, time.perf_counter() - started)
        return result

    def render_metrics(self) -> str:
        open_sessions = Counter(dict.fromkeys(self.bundles, 0))
        open_sessions.update(slot.environment for slot in self.slots)
        return self.metrics.render(
            open_sessions=open_sessions,
            capacity=self.slots.capacity,
            processes=len(self.runtime.pids),
            deaths=self.runtime.worker_deaths,
        )

    async def _reap_forever(self) -> None:
        shortest = min(self.settings.idle_seconds, self.settings.lost_seconds)
        while True:
            await asyncio.sleep(min(shortest / 4, _LONGEST_NAP))
            self.metrics.reaped += await self.slots.reap()
