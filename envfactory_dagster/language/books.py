"""The books of a home: its answers, its calls and its money, as the exchange writes and reads them.

Belongs here: what the exchange asks of them, and the ones in a folder of this machine. Does not: how these are stored
(`book`, `cache`, `ledger`, `budget`), and the ones in an object store (`shared_books`).
"""

from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self

from envfactory_dagster.contracts.records import Spent
from envfactory_dagster.language.book import Book
from envfactory_dagster.language.budget import Allowance, Budget, Flight
from envfactory_dagster.language.cache import AnswerCache
from envfactory_dagster.language.ledger import Ledger, LedgerRow
from envfactory_dagster.language.questions import AskedQuestion, remember


@dataclass(frozen=True, slots=True)
class BookEntry:
    """A call that came to its end, with what is kept of it."""

    row: LedgerRow
    answers: Mapping[str, bytes] = field(default_factory=dict)
    """Bodies by key."""
    asked: tuple[str, AskedQuestion] | None = None
    """The question that a key stands for."""


class Books(AbstractAsyncContextManager["Books"], Protocol):
    """Safe for any number of processes. None of these may be given up in its middle: they end, and then the caller's
    cancellation goes on."""

    look_again_s: float
    """How often a call that must wait for others looks whether it may go; they may be in other processes."""

    def spent(self, asset: str, partition: str) -> Spent:
        """What was spent there since the books were opened."""
        ...

    async def answers(self, keys: Sequence[str]) -> dict[str, bytes]:
        """Those that are known."""
        ...

    async def reserve(self, flight: Flight) -> bool:
        """True: the request may be sent. False: not now, because another process is making the same request, or because
        the reservations of others must become real costs first. Raises BudgetExceeded if it would not fit alone."""
        ...

    async def settle(self, flight: Flight, entry: BookEntry, usd: float, tokens: int) -> None:
        """The reservation becomes a cost, together with the answer and its row."""
        ...

    async def waste(self, flight: Flight, usd: float, tokens: int) -> None:
        """The reservation becomes a cost that brought no answer."""
        ...

    async def cancel(self, flight: Flight) -> None:
        """The endpoint refused or failed: nothing was used."""
        ...

    async def interrupt(self, flight: Flight) -> None:
        """The caller went away while the endpoint worked: whether it was billed is unknown."""
        ...

    async def add(self, entry: BookEntry) -> None:
        """A call that reserved nothing."""
        ...

    async def seal_if_many(self) -> None: ...

    async def seal(self) -> None:
        """Move rows into a Parquet file."""
        ...


class LocalBooks:
    """In one SQLite file. Nothing here waits, so that nothing can be given up in its middle."""

    look_again_s = 0.05

    def __init__(self, folder: Path, allowance: Allowance) -> None:
        self._book = Book(folder)
        self._cache = AnswerCache(self._book)
        self._ledger = Ledger(self._book)
        self._budget = Budget(self._book, self._ledger, allowance)

    async def __aenter__(self) -> Self:
        self._book.__enter__()
        self._budget.bury_the_dead()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._book.__exit__(kind, error, trace)

    def spent(self, asset: str, partition: str) -> Spent:
        return self._ledger.tally.spent(asset, partition)

    async def answers(self, keys: Sequence[str]) -> dict[str, bytes]:
        return {key: body for key in keys if (body := self._cache.get(key)) is not None}

    async def reserve(self, flight: Flight) -> bool:
        return self._budget.reserve(flight)

    async def settle(self, flight: Flight, entry: BookEntry, usd: float, tokens: int) -> None:
        self._write(entry, flight, usd, tokens)

    async def waste(self, flight: Flight, usd: float, tokens: int) -> None:
        self._budget.waste(flight, usd, tokens)

    async def cancel(self, flight: Flight) -> None:
        self._budget.cancel(flight)

    async def interrupt(self, flight: Flight) -> None:
        self._budget.interrupt(flight)

    async def add(self, entry: BookEntry) -> None:
        self._write(entry)

    async def seal_if_many(self) -> None:
        self._ledger.seal_if_many()

    async def seal(self) -> None:
        self._ledger.seal()

    def _write(self, entry: BookEntry, flight: Flight | None = None, usd: float = 0.0, tokens: int = 0) -> None:
        """Answer, question, row and money in one transaction."""
        with self._book.transaction() as db:
            self._cache.put(db, entry.answers)
            if entry.asked is not None:
                key, asked = entry.asked
                remember(db, key, entry.row, asked)
            self._ledger.write(db, entry.row)
            if flight is not None:
                self._budget.settle(db, flight, usd, tokens)
