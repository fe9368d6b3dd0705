"""Who holds which session: opening within a limit, finding, and taking back what nobody uses any more.

Belongs here: the slots and their time. Does not: what callers do with a session (`service`), or transports.
"""

import contextlib
import secrets
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Literal

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.errors import InfrastructureFault, UsageError
from envfactory_dagster.contracts.reports import AnswerForm, Report
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.runtime.session import Session

Protocol = Literal["rest", "mcp", "stdio"]
Clock = Callable[[], float]


class Full(InfrastructureFault):
    """Every slot is taken."""


class NoSuchSession(UsageError):
    """The session was never there, or is closed."""


@dataclass(slots=True)
class TaskAtHand:
    """The task a session was opened for, and the report on it once it is handed in."""

    task: Task
    form: AnswerForm
    finish: str
    """The name of the tool that takes the report."""
    report: Report | None = None


@dataclass(eq=False, slots=True)
class Slot:
    """A session in somebody's hands. Whoever knows the id may use it, so ids cannot be guessed."""

    id: str
    session: Session
    opened_by: Protocol
    last_used: float
    patience: float
    """Seconds without a request after which it is closed."""
    at_hand: TaskAtHand | None = None
    busy: int = 0
    opened_at: datetime = field(default_factory=lambda: datetime.now(UTC))
    on_close: list[Callable[[], Awaitable[None]]] = field(default_factory=list)

    @property
    def environment(self) -> str:
        return self.session.environment


class Slots:
    def __init__(self, runtime: Runtime, capacity: int, idle_seconds: float, clock: Clock = time.monotonic) -> None:
        self.capacity = capacity
        self._runtime = runtime
        self._idle_seconds = idle_seconds
        self._clock = clock
        self._slots: dict[str, Slot] = {}
        self._opening = 0

    def __len__(self) -> int:
        return len(self._slots)

    def __iter__(self) -> Iterator[Slot]:
        return iter(list(self._slots.values()))

    async def open(self, bundle: Bundle, state: str, opened_by: Protocol, at_hand: TaskAtHand | None = None) -> Slot:
        if len(self._slots) + self._opening >= self.capacity:
            raise Full(f"All {self.capacity} sessions are in use; close one, or try later.")
        self._opening += 1
        try:
            session = await self._runtime.open(bundle, state=state)
        finally:
            self._opening -= 1
        slot = Slot(secrets.token_hex(16), session, opened_by, self._clock(), self._idle_seconds, at_hand)
        self._slots[slot.id] = slot
        return slot

    def get(self, session_id: str) -> Slot:
        try:
            return self._slots[session_id]
        except KeyError:
            raise NoSuchSession(
                f"There is no session {session_id[:64]!r}; it was closed, or was idle for too long. Open a new one."
            ) from None

    def idle_for(self, slot: Slot) -> float:
        return 0.0 if slot.busy else self._clock() - slot.last_used

    @contextlib.contextmanager
    def using(self, slot: Slot) -> Iterator[None]:
        """While this lasts the slot is not idle; afterwards its time starts anew."""
        slot.busy += 1
        try:
            yield
        finally:
            slot.busy -= 1
            slot.last_used = self._clock()
            slot.patience = self._idle_seconds

    def hurry(self, slot: Slot, seconds: float) -> None:
        """Close the slot sooner, unless it is used again before that."""
        slot.last_used = self._clock()
        slot.patience = min(slot.patience, seconds)

    async def close(self, slot: Slot) -> None:
        if self._slots.pop(slot.id, None) is None:
            return
        await slot.session.close()
        for notify in list(slot.on_close):
            await notify()

    async def close_all(self) -> None:
        for slot in self:
            await self.close(slot)

    async def reap(self) -> int:
        """Close what has been idle for too long; how many those were."""
        idle = [slot for slot in self if self.idle_for(slot) > slot.patience]
        for slot in idle:
            await self.close(slot)
        return len(idle)
