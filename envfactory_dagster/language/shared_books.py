"""The books of a home in an object store.

    account.json             what is in the air and what was spent: see `shared_account`
    answers/KEY              a body that was paid for
    calls/OWNER/ID.json      a call that cost something, with its answers, until its row is sealed
    ledger/calls-*.parquet   sealed rows
    questions/, fragments/   what was asked: see `questions`

Belongs here: the order in which these are written, so that a process may be killed at any moment. Does not: how the
account is shared (`shared_account`).

A paid answer is written as a call first, with its row and its price, then under its key; then its reservation becomes a
cost. Whoever finds the reservation of a dead process finds its call, and does what is left, or finds none, and notes
that it was interrupted. Rows of calls that cost nothing wait in memory until they are sealed.
"""

import asyncio
import base64
import contextlib
import uuid
from collections.abc import Coroutine, Sequence
from dataclasses import asdict
from types import TracebackType
from typing import Any, Self, TypeVar

import orjson

from envfactory_dagster.contracts.errors import StorageFault
from envfactory_dagster.contracts.records import Spent
from envfactory_dagster.language.books import BookEntry
from envfactory_dagster.language.budget import Allowance, Flight
from envfactory_dagster.language.ledger import SEAL_AT_ROWS, LedgerRow, Tally, calls_of, sealed
from envfactory_dagster.language.questions import remember_in
from envfactory_dagster.language.shared_account import Account, AccountState, Change, HeldFlight
from envfactory_dagster.store.objects import Objects

T = TypeVar("T")


class SharedBooks:
    """Safe for any number of processes on any number of machines."""

    look_again_s = 1.0

    def __init__(self, objects: Objects, allowance: Allowance) -> None:
        self._objects = objects
        self._allowance = allowance
        self._account = Account(objects)
        self._tally = Tally()
        self._unsealed: list[tuple[str, str | None]] = []
        """Rows, each with the name of its call, if it has one."""
        self._seals = 0
        self._burying = asyncio.Lock()

    async def __aenter__(self) -> Self:
        await asyncio.to_thread(self._account.open)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._bury_the_dead()
        await asyncio.to_thread(self._account.close)

    def spent(self, asset: str, partition: str) -> Spent:
        return self._tally.spent(asset, partition)

    async def answers(self, keys: Sequence[str]) -> dict[str, bytes]:
        found = await asyncio.to_thread(self._objects.get_all, [_answer(key) for key in keys])
        return {key: found[_answer(key)].data for key in keys if _answer(key) in found}

    async def reserve(self, flight: Flight) -> bool:
        while True:
            asked = self._account.change(lambda state: self._reserve(state, flight))
            try:
                if await asyncio.wrap_future(asked):
                    return True
            except asyncio.CancelledError:
                self._account.change(lambda state: self._land(state, flight))
                raise
            if not await self._bury_the_dead():
                return False

    async def settle(self, flight: Flight, entry: BookEntry, usd: float, tokens: int) -> None:
        await _to_its_end(self._settle(flight, entry, usd, tokens))

    async def waste(self, flight: Flight, usd: float, tokens: int) -> None:
        await _to_its_end(self._change(lambda state: self._pay(state, flight, usd, tokens)))

    async def cancel(self, flight: Flight) -> None:
        await _to_its_end(self._change(lambda state: self._land(state, flight)))

    async def interrupt(self, flight: Flight) -> None:
        await _to_its_end(self._interrupt(flight))

    async def add(self, entry: BookEntry) -> None:
        await _to_its_end(self._add(entry))

    async def seal_if_many(self) -> None:
        if len(self._unsealed) >= SEAL_AT_ROWS:
            await self.seal()

    async def seal(self) -> None:
        if self._unsealed:
            await _to_its_end(self._seal())

    # -- what each of them takes ---------------------------------------------------------------------------------------

    async def _change(self, change: Change[T]) -> T:
        return await asyncio.wrap_future(self._account.change(change))

    def _reserve(self, state: AccountState, flight: Flight) -> bool:
        # Only of other processes: within one, identical questions take turns, and a flight of our own is a leftover.
        held = state.flights.get(flight.key)
        if held is not None and held.owner != self._account.owner:
            return False
        if not self._allowance.is_unlimited:
            usd, tokens = state.spent_since(self._allowance.since)
            self._allowance.refuse_if_too_much(flight, usd, tokens)
            others = [one for key, one in state.flights.items() if key != flight.key]
            usd += sum(one.usd for one in others) + flight.usd
            tokens += sum(one.tokens for one in others) + flight.tokens
            if not self._allowance.fits(usd, tokens):
                return False
        row = orjson.loads(orjson.dumps(flight.row))
        state.flights[flight.key] = HeldFlight(self._account.owner, flight.usd, flight.tokens, row)
        return True

    def _land(self, state: AccountState, flight: Flight) -> bool:
        """Whether it was in the air, as ours."""
        held = state.flights.get(flight.key)
        if held is None or held.owner != self._account.owner:
            return False
        del state.flights[flight.key]
        return True

    def _pay(self, state: AccountState, flight: Flight, usd: float, tokens: int) -> None:
        # Where others took us for dead, found the call and booked it, it is paid for.
        if self._land(state, flight) or flight.row.id not in state.booked:
            state.spend(usd, tokens)

    async def _settle(self, flight: Flight, entry: BookEntry, usd: float, tokens: int) -> None:
        name = self._name(entry.row)
        await asyncio.to_thread(self._objects.put, name, _call(entry, usd, tokens))
        await asyncio.to_thread(self._write_rest, entry)
        await self._change(lambda state: self._pay(state, flight, usd, tokens))
        self._note(entry.row, name)  # last: once its row is sealed, the call goes

    async def _interrupt(self, flight: Flight) -> None:
        # Where there is a call already, only its reservation was not settled: it is, once this process is gone.
        name, interrupted = self._name(flight.row), _call(BookEntry(flight.row), 0.0, 0)
        if await asyncio.to_thread(self._objects.put_if, name, interrupted, None):
            await self._change(lambda state: self._land(state, flight))
            self._note(flight.row, name)

    async def _add(self, entry: BookEntry) -> None:
        name = None
        if entry.row.tokens_in:
            name = self._name(entry.row)
            await asyncio.to_thread(self._objects.put, name, _call(BookEntry(entry.row), 0.0, 0))
        await asyncio.to_thread(self._write_rest, entry)
        self._note(entry.row, name)

    def _name(self, row: LedgerRow) -> str:
        return f"calls/{self._account.owner}/{row.id}.json"

    def _write_rest(self, entry: BookEntry) -> None:
        self._objects.create_all({_answer(key): body for key, body in entry.answers.items()})
        if entry.asked is not None:
            key, asked = entry.asked
            remember_in(self._objects, key, entry.row, asked)

    def _note(self, row: LedgerRow, call: str | None) -> None:
        self._unsealed.append((orjson.dumps(row).decode(), call))
        self._tally.add(row)

    async def _seal(self) -> None:
        """The file is written before the calls go: in between, a row is in both, which readers know by its id."""
        unsealed, name = self._unsealed, f"ledger/calls-{self._account.owner}-{self._seals:04d}.parquet"
        self._unsealed = []
        self._seals += 1
        try:
            file = sealed([row for row, _ in unsealed])
            await asyncio.to_thread(self._objects.put, name, file)
        except BaseException:
            self._unsealed = [*unsealed, *self._unsealed]
            raise
        await asyncio.to_thread(self._objects.delete, [call for _, call in unsealed if call is not None])

    # -- the dead ------------------------------------------------------------------------------------------------------

    async def _bury_the_dead(self) -> bool:
        """Whether there were any."""
        async with self._burying:
            dead = self._account.dead()
            for owner in dead:
                await _to_its_end(self._bury(owner))
            return bool(dead)

    async def _bury(self, owner: str) -> None:
        flights = await self._change(
            lambda state: {key: one for key, one in state.flights.items() if one.owner == owner}
        )
        costs = {key: await asyncio.to_thread(self._finish, owner, held) for key, held in flights.items()}

        def leave(state: AccountState) -> None:
            state.beats.pop(owner, None)
            for key, (usd, tokens) in costs.items():
                if state.flights.get(key) == flights[key]:
                    state.book(state.flights.pop(key), usd, tokens)

        await asyncio.to_thread(self._seal_dead, owner)
        await self._change(leave)

    def _finish(self, owner: str, held: HeldFlight) -> tuple[float, int]:
        """Complete a call whose process died. Returns what the call cost, in dollars and tokens."""
        name = f"calls/{owner}/{held.row['id']}.json"
        interrupted = orjson.dumps({"row": held.row, "usd": 0.0, "tokens": 0, "answers": {}})
        self._objects.put_if(name, interrupted, None)
        found = self._objects.get(name)
        call = orjson.loads(found.data if found else interrupted)
        bodies = {_answer(key): base64.b64decode(body) for key, body in call["answers"].items()}
        self._objects.create_all(bodies)
        return call["usd"], call["tokens"]

    def _seal_dead(self, owner: str) -> None:
        """Several may do so at once, and again if it goes on after all: each writes a file of its own before it deletes
        the calls in it."""
        calls = calls_of(self._objects, f"calls/{owner}")
        if calls:
            file = sealed([row for _, row in calls])
            self._objects.put(f"ledger/calls-{owner}-dead-{uuid.uuid4().hex}.parquet", file)
            self._objects.delete([name for name, _ in calls])


def _answer(key: str) -> str:
    return f"answers/{key}"


def _call(entry: BookEntry, usd: float, tokens: int) -> bytes:
    bodies = {key: base64.b64encode(body).decode() for key, body in entry.answers.items()}
    return orjson.dumps({"row": asdict(entry.row), "usd": usd, "tokens": tokens, "answers": bodies})


async def _to_its_end(work: Coroutine[Any, Any, T]) -> T:
    """Run to the end even when cancelled, and cancel afterwards: half a booking would lose a call that was paid."""
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        with contextlib.suppress(StorageFault):
            await task
        raise
