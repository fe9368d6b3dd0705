"""Stopping before the budget is exceeded, also when many calls and several processes spend at once.

Before a request is sent, the most it can cost is reserved in the book; afterwards the reservation becomes what it did
cost. A call that does not fit beside the reservations of others waits for them; one that would not fit alone stops.
Belongs here: what is allowed, and the reservations and sums of a book. Does not: prices (`prices`), or the settings
(`settings`).
"""

import sqlite3
import time
from dataclasses import dataclass
from datetime import UTC, datetime

import orjson

from envfactory_dagster.contracts.errors import BudgetExceeded
from envfactory_dagster.language.book import Book
from envfactory_dagster.language.ledger import Ledger, LedgerRow
from envfactory_dagster.language.settings import BudgetSettings


@dataclass(frozen=True, slots=True)
class Flight:
    """A request about to be sent: the most it can use, and its row in the ledger should nobody live to finish it."""

    key: str
    usd: float
    tokens: int
    row: LedgerRow


class Allowance:
    """The most that may be spent since a moment."""

    def __init__(self, settings: BudgetSettings) -> None:
        self._usd = settings.usd
        self._tokens = settings.tokens
        self.since = (settings.since or datetime.now(UTC)).timestamp()

    @property
    def is_unlimited(self) -> bool:
        return self._usd is None and self._tokens is None

    def fits(self, usd: float, tokens: int) -> bool:
        return (self._usd is None or usd <= self._usd) and (self._tokens is None or tokens <= self._tokens)

    def refuse_if_too_much(self, flight: Flight, spent_usd: float, spent_tokens: int) -> None:
        """Raises BudgetExceeded where it would not fit even if nothing else were in the air."""
        if self.fits(spent_usd + flight.usd, spent_tokens + flight.tokens):
            return
        since = datetime.fromtimestamp(self.since, UTC).isoformat(timespec="seconds")
        raise BudgetExceeded(
            f"The next call to {flight.row.model} ({flight.row.asset}, {flight.row.partition}) may use "
            f"{self._dollars(flight.usd)}{flight.tokens} tokens. Since {since}, {self._dollars(spent_usd)}"
            f"{spent_tokens} tokens were spent of {self._allowed()}. Nothing was sent. To go on, raise "
            "ENVFACTORY_BUDGET_USD or ENVFACTORY_BUDGET_TOKENS; finished work is kept and not paid again."
        )

    def _dollars(self, usd: float) -> str:
        """Without a budget in dollars, prices may be unknown, and what is unknown is not nothing."""
        return f"${usd:.4f} and " if self._usd is not None else ""

    def _allowed(self) -> str:
        allowed = [f"${self._usd:.4f}"] if self._usd is not None else []
        allowed += [f"{self._tokens} tokens"] if self._tokens is not None else []
        return " and ".join(allowed)


class Budget:
    """Tracks how much may still be spent."""

    def __init__(self, book: Book, ledger: Ledger, allowance: Allowance) -> None:
        self._book = book
        self._ledger = ledger
        self._allowance = allowance
        self._counted_until = 0
        self._spent_usd = 0.0
        self._spent_tokens = 0

    def reserve(self, flight: Flight) -> bool:
        """True: the request may be sent. False: not now, because another process is making the same request, or because
        the reservations of others must become real costs first. Raises BudgetExceeded if it would not fit alone."""
        with self._book.transaction() as db:
            if not self._has_room(db, flight) and not (self._bury_the_dead(db) and self._has_room(db, flight)):
                return False
            db.execute(
                "INSERT OR REPLACE INTO flights VALUES (?, ?, ?, ?, ?)",
                [flight.key, self._book.owner, flight.usd, flight.tokens, orjson.dumps(flight.row).decode()],
            )
            return True

    def settle(self, db: sqlite3.Connection, flight: Flight, usd: float, tokens: int) -> None:
        """The reservation becomes a cost, inside the transaction that keeps the answer."""
        db.execute("DELETE FROM flights WHERE key = ?", [flight.key])
        db.execute("INSERT INTO spendings (at, usd, tokens) VALUES (?, ?, ?)", [time.time(), usd, tokens])

    def waste(self, flight: Flight, usd: float, tokens: int) -> None:
        """The reservation becomes a cost that brought no answer."""
        with self._book.transaction() as db:
            self.settle(db, flight, usd, tokens)

    def cancel(self, flight: Flight) -> None:
        """The endpoint refused or failed: nothing was used."""
        with self._book.transaction() as db:
            db.execute("DELETE FROM flights WHERE key = ?", [flight.key])

    def interrupt(self, flight: Flight) -> None:
        """The caller went away while the endpoint worked: whether it was billed is unknown."""
        with self._book.transaction() as db:
            db.execute("DELETE FROM flights WHERE key = ?", [flight.key])
            self._ledger.write(db, flight.row)

    def bury_the_dead(self) -> None:
        """Turn what killed processes left in the air into `interrupted` rows."""
        with self._book.transaction() as db:
            self._bury_the_dead(db)

    def _bury_the_dead(self, db: sqlite3.Connection) -> bool:
        owners = [owner for (owner,) in db.execute("SELECT DISTINCT owner FROM flights")]
        dead = [owner for owner in owners if not self._book.is_alive(owner)]
        for owner in dead:
            rows = db.execute("DELETE FROM flights WHERE owner = ? RETURNING row", [owner]).fetchall()
            db.executemany("INSERT INTO calls (row) VALUES (?)", rows)
        return bool(dead)

    def _has_room(self, db: sqlite3.Connection, flight: Flight) -> bool:
        # Only of other writers: within one, identical questions take turns, and a row of our own is a leftover.
        if db.execute("SELECT 1 FROM flights WHERE key = ? AND owner <> ?", [flight.key, self._book.owner]).fetchone():
            return False
        if self._allowance.is_unlimited:
            return True
        self._count(db)
        self._allowance.refuse_if_too_much(flight, self._spent_usd, self._spent_tokens)
        usd, tokens = db.execute("SELECT total(usd), total(tokens) FROM flights").fetchone()
        return self._allowance.fits(self._spent_usd + usd + flight.usd, self._spent_tokens + tokens + flight.tokens)

    def _count(self, db: sqlite3.Connection) -> None:
        """Add what any process spent since we last looked. Numbers are given in the order of commits."""
        usd, tokens, last = db.execute(
            "SELECT total(usd) FILTER (WHERE at >= :since), total(tokens) FILTER (WHERE at >= :since), max(number)"
            " FROM spendings WHERE number > :counted",
            {"since": self._allowance.since, "counted": self._counted_until},
        ).fetchone()
        self._spent_usd += usd
        self._spent_tokens += int(tokens)
        self._counted_until = last or self._counted_until
