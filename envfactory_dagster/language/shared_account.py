"""The account of a home in an object store: what is in the air and what was spent, for processes on several machines.

Belongs here: one small object that every process changes only if it is as that process last saw it, and knowing which
processes live. Does not: answers and rows (`shared_books`), and what is allowed (`budget`).

The changes of one process are gathered and written together, so that many calls at once take no more writes than one.
A process writes at least every few seconds; one whose count of writes stands still for long enough, by the clock of
whoever looks, is dead. What it had in the air stays reserved until then.
"""

import queue
import random
import threading
import time
import uuid
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeVar

import orjson

from envfactory_dagster.contracts.errors import EnvFactoryError, UsageError
from envfactory_dagster.store.leases import BEAT_S, LAPSES_AFTER_S
from envfactory_dagster.store.objects import Objects, StoredObject

FORMAT = 1
MOST_SPENDINGS = 500
MOST_BOOKED = 500
_NAME = "account.json"
_LONGEST_PAUSE_S = 0.5

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class HeldFlight:
    """A request in the air."""

    owner: str
    usd: float
    tokens: int
    row: dict[str, Any]


class AccountState:
    """The account as it stands at one moment. Whoever changes it changes nothing else, for it may be tried again."""

    def __init__(self, data: bytes | None) -> None:
        kept: dict[str, Any] = orjson.loads(data) if data is not None else {"format": FORMAT}
        if kept["format"] != FORMAT:
            raise UsageError(
                f"the account of this home was written by another version (format {kept['format']}, this one reads "
                f"{FORMAT})"
            )
        self.beats: dict[str, int] = kept.get("beats", {})
        self.flights = {key: HeldFlight(**flight) for key, flight in kept.get("flights", {}).items()}
        self._spendings: list[list[float]] = kept.get("spendings", [])
        """From when until when, dollars, tokens."""
        self.booked: list[str] = kept.get("booked", [])
        """Ids of the latest rows whose cost another process booked than the one that paid."""

    def written(self) -> bytes:
        state = {"beats": self.beats, "flights": self.flights, "spendings": self._spendings, "booked": self.booked}
        return orjson.dumps({"format": FORMAT} | state)

    def spend(self, usd: float, tokens: int) -> None:
        now = time.time()
        self._spendings.append([now, now, usd, tokens])
        if len(self._spendings) > MOST_SPENDINGS:
            half = MOST_SPENDINGS // 2
            older = iter(self._spendings[:half])
            pairs = iter(lambda: list(islice(older, 2)), [])
            self._spendings[:half] = [_joined(pair) for pair in pairs]

    def book(self, flight: HeldFlight, usd: float, tokens: int) -> None:
        """What the request of a process that is gone cost: should it go on after all, it finds that this was done."""
        self.spend(usd, tokens)
        if usd or tokens:
            self.booked = [*self.booked, flight.row["id"]][-MOST_BOOKED:]

    def spent_since(self, moment: float) -> tuple[float, int]:
        """At least what was spent since then: older ones are added up, and a sum counts as a whole."""
        counted = [spending for spending in self._spendings if spending[1] >= moment]
        return sum(usd for _, _, usd, _ in counted), int(sum(tokens for *_, tokens in counted))


def _joined(spendings: list[list[float]]) -> list[float]:
    return [spendings[0][0], spendings[-1][1], sum(one[2] for one in spendings), sum(one[3] for one in spendings)]


Change = Callable[[AccountState], T]


class Account:
    """An open account. `owner` names this process; others see whether it lives."""

    def __init__(self, objects: Objects) -> None:
        self.owner = uuid.uuid4().hex
        self._objects = objects
        self._waiting: queue.SimpleQueue[tuple[Change[Any], Future[Any]] | None] = queue.SimpleQueue()
        self._seen: StoredObject | None = None
        self._writes = 0
        self._watched: dict[str, tuple[int, float]] = {}
        self._writer = threading.Thread(target=self._write, daemon=True, name="account")

    def open(self) -> None:
        self._look()
        self._commit([])
        self._writer.start()

    def close(self) -> None:
        """Raises StorageFault where others could not be told; they find out by themselves."""
        self._waiting.put(None)
        self._writer.join()

        def leave(state: AccountState) -> None:
            state.beats.pop(self.owner, None)

        self._commit([leave])

    def change(self, change: Change[T]) -> "Future[T]":
        """Have a change made; those of one process are made in the order in which they were asked for."""
        made: Future[T] = Future()
        self._waiting.put((change, made))
        return made

    def dead(self) -> list[str]:
        """Processes that have not been heard of for too long."""
        lapsed = time.monotonic() - LAPSES_AFTER_S
        return [owner for owner, (_, since) in self._watched.items() if since < lapsed and owner != self.owner]

    def _write(self) -> None:
        while True:
            asked, closed = self._next()
            try:
                results = self._commit([change for change, _ in asked])
            except BaseException as fault:  # noqa: BLE001 — else whoever waits for it waits forever
                results = [fault] * len(asked)
            for (_, made), result in zip(asked, results, strict=True):
                if isinstance(result, BaseException):
                    made.set_exception(result)
                else:
                    made.set_result(result)
            if closed:
                return

    def _next(self) -> tuple[list[tuple[Change[Any], "Future[Any]"]], bool]:
        """All that is asked for now, or nothing when a sign of life is due; and whether that was all."""
        asked: list[tuple[Change[Any], Future[Any]]] = []
        try:
            one = self._waiting.get(timeout=BEAT_S)
            while one is not None:
                if one[1].set_running_or_notify_cancel():
                    asked.append(one)
                one = self._waiting.get_nowait()
        except queue.Empty:
            return asked, False
        return asked, True

    def _commit(self, changes: list[Change[Any]]) -> list[Any]:
        """What came of each: a result, or an error of ours."""
        pause = 0.01
        while True:
            state = AccountState(self._seen.data if self._seen else None)
            self._writes += 1
            state.beats[self.owner] = self._writes
            results = [_result(change, state) for change in changes]
            data = state.written()
            version = self._objects.put_if(_NAME, data, self._seen.version if self._seen else None)
            if version is not None:
                self._seen = StoredObject(data, version)
                self._watch(state)
                return results
            time.sleep(random.uniform(0, pause))
            pause = min(pause * 2, _LONGEST_PAUSE_S)
            if self._look().beats.get(self.owner) == self._writes:
                return results  # it was written, its answer was lost, and another process wrote since

    def _look(self) -> AccountState:
        self._seen = self._objects.get(_NAME)
        state = AccountState(self._seen.data if self._seen else None)
        self._watch(state)
        return state

    def _watch(self, state: AccountState) -> None:
        now, before = time.monotonic(), self._watched
        beats = {flight.owner: 0 for flight in state.flights.values()} | state.beats
        self._watched = {
            owner: before[owner] if owner in before and before[owner][0] == beat else (beat, now)
            for owner, beat in beats.items()
        }


def _result(change: Change[Any], state: AccountState) -> Any:
    try:
        return change(state)
    except EnvFactoryError as error:
        return error
