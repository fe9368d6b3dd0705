"""What every façade of the gateway shares: the environments, the slots, making a call.

Belongs here: turning a caller's wish into a session's call, and every failure of it into a result. Does not: how wishes
arrive and results leave (`app`, `mcp_server`).
"""

import asyncio
import contextlib
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Self

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.calls import CallResult
from envfactory_dagster.contracts.domain import INITIAL_STATE
from envfactory_dagster.contracts.errors import EnvironmentFault, InfrastructureFault, UsageError
from envfactory_dagster.contracts.finish_tool import finish_name
from envfactory_dagster.contracts.tools import Principal
from envfactory_dagster.runtime.gateway.metrics import Metrics
from envfactory_dagster.runtime.gateway.settings import GatewaySettings
from envfactory_dagster.runtime.gateway.slots import Clock, Full, NoSuchSession, Protocol, Slot, Slots, TaskAtHand
from envfactory_dagster.runtime.reports import TAKEN, UnreadableReport, finish_as_mcp, read_report
from envfactory_dagster.runtime.runtime import Runtime

_LONGEST_NAP = 5.0


class NoSuchEnvironment(UsageError):
    """No environment of this gateway has that key."""


class NoSuchTask(UsageError):
    """The environment has no task of that name."""


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

    async def open(self, key: str, state: str | None = None, *, task: str | None = None, opened_by: Protocol) -> Slot:
        """A session at a state, or at the one its task starts in. With a task it offers the tool for the report."""
        bundle = self.bundle(key)
        at_hand = None if task is None else _at_hand(bundle, task)
        if at_hand is not None and state not in (None, at_hand.task.state):
            raise UsageError(f"The task {at_hand.task.id} starts in the state {at_hand.task.state!r}, not {state!r}.")
        begins = at_hand.task.state if at_hand is not None else state or INITIAL_STATE
        try:
            return await self.slots.open(bundle, begins, opened_by, at_hand)
        except Full:
            self.metrics.refused += 1
            raise

    def tools(self, slot: Slot, principal: Principal) -> list[dict[str, Any]]:
        """What a session offers, as MCP lists it: where it was opened for a task, with `finish` for the assistant."""
        bundle, at_hand = self.bundle(slot.environment), slot.at_hand
        withheld = at_hand.task.withheld if at_hand is not None else []
        listed = [tool.mcp() for tool in bundle.tools_of(principal) if tool.name not in withheld]
        if at_hand is not None and principal == "assistant":
            listed.append(finish_as_mcp(bundle, at_hand.form))
        return listed

    async def call(self, slot: Slot, tool: str, arguments: Mapping[str, Json], principal: Principal) -> CallResult:
        """Call a tool. Whatever goes wrong once the session is known is a result that says whose fault it was."""
        started = time.perf_counter()
        with self.slots.using(slot):
            try:
                result = self._for_the_task(slot, tool, arguments, principal)
                result = result or await slot.session.call(tool, arguments, principal=principal)
            except EnvironmentFault as fault:
                result = CallResult("environment", error=str(fault))
            except InfrastructureFault as fault:
                result = CallResult("infrastructure", error=str(fault))
            except UsageError as closed:
                raise NoSuchSession(str(closed)) from closed
        self.metrics.count_call(slot.environment, result.outcome, time.perf_counter() - started)
        return result

    def _for_the_task(
        self, slot: Slot, tool: str, arguments: Mapping[str, Json], principal: Principal
    ) -> CallResult | None:
        """What comes of a call where the session's task decides that; None where the environment does."""
        at_hand = slot.at_hand
        if at_hand is None:
            return None
        if tool in at_hand.task.withheld:
            return CallResult("agent", error=f"there is no tool called {tool!r}; list the tools to see their names")
        if principal != "assistant":
            return None
        if at_hand.report is not None:
            return CallResult("agent", error="the report is handed in, and the work is over")
        if tool != at_hand.finish:
            return None
        read = read_report(arguments, at_hand.form, [rule.id for rule in self.bundle(slot.environment).theme.rules])
        if isinstance(read, UnreadableReport):
            return CallResult("agent", error=f"{read.problem}; the report was not taken")
        at_hand.report = read
        return CallResult("ok", value=TAKEN)

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


def _at_hand(bundle: Bundle, wanted: str) -> TaskAtHand:
    task = next((task for task in bundle.tasks if task.id == wanted), None)
    if task is None:
        known = ", ".join(task.id for task in bundle.tasks[:20]) or "none"
        raise NoSuchTask(f"{bundle.key} has no task {wanted[:64]!r}; it has: {known}.")
    return TaskAtHand(task, bundle.answer_form(wanted), finish_name({tool.name for tool in bundle.tools}))
