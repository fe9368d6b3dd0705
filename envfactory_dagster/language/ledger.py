"""The ledger: one row for every call to a model, kept as Parquet files that are written once and never change.

Rows are first written to the book, with the answer they belong to, and later sealed into a Parquet file: when enough
have gathered, and when the gateway closes. `read_ledger` shows both. In an object store a row is an object of its own
until it is sealed (`shared_books`).
Belongs here: the row, sealing, reading. Does not: limits on spending (`budget`).
"""

import os
import sqlite3
import uuid
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import orjson
from upath import UPath

from envfactory_dagster.contracts.pool import Subject
from envfactory_dagster.contracts.records import Spent
from envfactory_dagster.language.book import Book
from envfactory_dagster.language.messages import Caller, Usage
from envfactory_dagster.store.objects import Objects

if TYPE_CHECKING:
    import polars as pl

SEAL_AT_ROWS = 5_000

Outcome = Literal["answered", "failed", "interrupted"]
"""`interrupted`: the process ended, or the call was cancelled, while the endpoint worked on it. The provider may have
billed it; nobody can know, so it has no cost and no tokens."""


@dataclass(frozen=True, slots=True)
class LedgerRow:
    """One call. Tokens and cost are what all its attempts used: zero if the answer was cached, None if unknown."""

    asset: str
    partition: str
    role: str
    kind: str
    """`ask`, `chat` or `embed`."""
    schema_name: str
    endpoint: str
    model: str
    outcome: Outcome
    cached: bool = False
    tokens_in: int | None = None
    tokens_out: int | None = None
    tokens_cached: int | None = None
    tokens_estimated: bool = False
    """The endpoint did not count; these are upper bounds."""
    cost_usd: float | None = None
    retries: int = 0
    seconds: float = 0.0
    """The last attempt."""
    seconds_lost: float = 0.0
    """Failed attempts before it, with the waits between them."""
    finish_reason: str = ""
    error: str = ""
    subject: str = ""
    """The title of the environment it was about, whatever its key; empty where it was about none."""
    source: str = ""
    """The hash of what that environment is made from."""
    id: str = field(default_factory=lambda: uuid.uuid4().hex)
    started_at: datetime = field(default_factory=lambda: datetime.now(UTC))

    @classmethod
    def of(
        cls,
        caller: Caller,
        kind: str,
        schema_name: str,
        endpoint: str,
        model: str,
        subject: Subject | None = None,
    ) -> "LedgerRow":
        """A call that has not come to an end, and stays `interrupted` if it never does."""
        return cls(
            asset=caller.asset,
            partition=caller.partition,
            role=caller.role,
            kind=kind,
            schema_name=schema_name,
            endpoint=endpoint,
            model=model,
            outcome="interrupted",
            subject=subject.title if subject else "",
            source=subject.source if subject else "",
        )

    def using(self, usage: Usage, *, estimated: bool) -> "LedgerRow":
        """The row with the use of one more attempt."""
        return replace(
            self,
            tokens_in=(self.tokens_in or 0) + usage.tokens_in,
            tokens_out=(self.tokens_out or 0) + usage.tokens_out,
            tokens_cached=(self.tokens_cached or 0) + usage.tokens_cached,
            tokens_estimated=self.tokens_estimated or estimated,
            cost_usd=None if usage.cost_usd is None else (self.cost_usd or 0.0) + usage.cost_usd,
        )


class Tally:
    """Adds up what was spent on every partition of every asset since it was opened."""

    def __init__(self) -> None:
        self._spent: dict[tuple[str, str], Spent] = {}

    def spent(self, asset: str, partition: str) -> Spent:
        return self._spent.get((asset, partition), Spent())

    def add(self, row: LedgerRow) -> None:
        self._spent[row.asset, row.partition] = _with(self.spent(row.asset, row.partition), row)


class Ledger:
    """Adds rows, and seals them."""

    def __init__(self, book: Book) -> None:
        self._book = book
        self._unsealed = 0
        self.tally = Tally()

    def write(self, db: sqlite3.Connection, row: LedgerRow) -> None:
        """Inside a transaction of the book."""
        db.execute("INSERT INTO calls (row) VALUES (?)", [orjson.dumps(row).decode()])
        self._unsealed += 1
        self.tally.add(row)

    def seal_if_many(self) -> None:
        if self._unsealed >= SEAL_AT_ROWS:
            self.seal()

    def seal(self) -> None:
        """Move the book's rows into a Parquet file.

        The file is named after its first row. If the process dies when the file is there but the rows are still in
        the book, the next seal begins with the same row and replaces the file, so no row is ever in two files.
        """
        self._unsealed = 0
        with self._book.transaction() as db:
            rows = db.execute("SELECT number, row FROM calls ORDER BY number").fetchall()
            if not rows:
                return
            folder = self._book.folder / "ledger"
            folder.mkdir(exist_ok=True)
            unfinished = folder / f".{self._book.owner}.tmp"
            unfinished.write_bytes(sealed([row for _, row in rows]))
            os.replace(unfinished, folder / f"calls-{rows[0][0]:012d}.parquet")
            db.execute("DELETE FROM calls WHERE number <= ?", [rows[-1][0]])


def _with(spent: Spent, row: LedgerRow) -> Spent:
    if row.cached:
        return spent.model_copy(update={"reused": spent.reused + 1})
    used_nothing = row.tokens_in is None
    unknown = spent.cost_usd is None or (row.cost_usd is None and not used_nothing)
    return Spent(
        calls=spent.calls + 1,
        reused=spent.reused,
        tokens_in=spent.tokens_in + (row.tokens_in or 0),
        tokens_out=spent.tokens_out + (row.tokens_out or 0),
        cost_usd=None if unknown else (spent.cost_usd or 0.0) + (row.cost_usd or 0.0),
    )


def read_ledger(home: Path | UPath) -> "pl.DataFrame":
    """All calls of a home, oldest first, those of running processes included."""
    import polars as pl

    folder = home / "language"
    # The unsealed are read first: rows that are sealed meanwhile are then seen twice rather than never.
    if isinstance(folder, Path):
        unsealed = _unsealed_in_book(folder)
        files = [path.read_bytes() for path in sorted((folder / "ledger").glob("calls-*.parquet"))]
    else:
        objects = Objects(folder)
        unsealed = [row for _, row in calls_of(objects, "calls")]
        files = [found.data for found in objects.get_all(objects.names_in("ledger")).values()]
    frames = [pl.read_parquet(BytesIO(data)) for data in files]
    # Files of before a row named its subject lack those columns.
    rows = pl.concat([*frames, _frame(unsealed)], how="diagonal")
    # A process that was taken for dead may have got its answer after all.
    known_first = rows.sort(pl.col("outcome") == "interrupted")
    return known_first.unique("id", keep="first").sort("started_at", "id")


def _unsealed_in_book(folder: Path) -> list[str]:
    if not (folder / "book.sqlite").exists():
        return []
    with Book(folder) as book, book.reading() as db:
        return [row for (row,) in db.execute("SELECT row FROM calls")]


def calls_of(objects: Objects, folder: str) -> list[tuple[str, str]]:
    """The unsealed calls that lie below a folder of an object store: the name of each, and its row."""
    found = objects.get_all([f"{folder}/{name}" for name in objects.all_below(folder)])
    return [(name, orjson.dumps(orjson.loads(call.data)["row"]).decode()) for name, call in found.items()]


def sealed(rows: list[str]) -> bytes:
    """Rows as a Parquet file."""
    file = BytesIO()
    _frame(rows).write_parquet(file)
    return file.getvalue()


def _frame(rows: list[str]) -> "pl.DataFrame":
    import polars as pl

    text, number, real, flag = pl.String, pl.Int64, pl.Float64, pl.Boolean
    schema: dict[str, Any] = {
        "id": text, "started_at": pl.Datetime("us", "UTC"), "asset": text, "partition": text, "role": text,
        "kind": text, "schema_name": text, "endpoint": text, "model": text, "outcome": text, "cached": flag,
        "tokens_in": number, "tokens_out": number, "tokens_cached": number, "tokens_estimated": flag,
        "cost_usd": real, "retries": number, "seconds": real, "seconds_lost": real, "finish_reason": text,
        "error": text, "subject": text, "source": text,
    }  # fmt: skip
    records = [orjson.loads(row) for row in rows]
    for record in records:
        record["started_at"] = datetime.fromisoformat(record["started_at"])
    return pl.DataFrame(records, schema=schema)
