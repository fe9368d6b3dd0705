"""The book: one SQLite file in which answers, calls and money of a home are written down together.

A paid answer, its row in the ledger and its price are one transaction, so a process may be killed at any moment and
neither the answer nor its row is lost; and several processes may share a home. Not synced to the disk at every
commit: what is safe from a dying process may lose its last calls when the machine loses power.
Belongs here: the file, its tables, transactions, and knowing which writers are alive. Does not: what the tables mean
(`cache`, `ledger`, `budget`).
"""

import errno
import fcntl
import sqlite3
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from envfactory_dagster.contracts.errors import EnvFactoryError, StorageFault, UsageError

FORMAT = 1
BUSY_S = 60.0

_TABLES = """
CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, body BLOB NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS flights (
    key TEXT PRIMARY KEY, owner TEXT NOT NULL, usd REAL NOT NULL, tokens INTEGER NOT NULL, row TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS spendings (
    number INTEGER PRIMARY KEY AUTOINCREMENT, at REAL NOT NULL, usd REAL NOT NULL, tokens INTEGER NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS questions (
    number INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, asset TEXT NOT NULL, partition TEXT NOT NULL,
    question TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS fragments (hash TEXT PRIMARY KEY, body BLOB NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS calls (number INTEGER PRIMARY KEY AUTOINCREMENT, row TEXT NOT NULL) STRICT;
"""


class Book:
    """An open book. `owner` names this writer; others can see whether it still lives."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.owner = uuid.uuid4().hex

    def __enter__(self) -> Self:
        with _explained(self.folder):
            (self.folder / "owners").mkdir(parents=True, exist_ok=True)
            for path in (self.folder / "owners").glob("*.lock"):
                self.is_alive(path.stem)  # removes the files of the dead
            self._life = _locked_file(self._life_path(self.owner))
            path = self.folder / "book.sqlite"
            self._db = sqlite3.connect(path, timeout=BUSY_S, isolation_level=None)
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = NORMAL")
        with self.transaction() as db:
            (found,) = db.execute("PRAGMA user_version").fetchone()
            if found not in (0, FORMAT):
                raise UsageError(f"{path} was written by another version (format {found}, this one reads {FORMAT}).")
            for statement in _TABLES.split(";\n"):
                db.execute(statement)
            db.execute(f"PRAGMA user_version = {FORMAT}")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._db.close()
        self._life_path(self.owner).unlink(missing_ok=True)
        self._life.close()

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """All or nothing. Never await inside: the connection is shared by all calls of the process."""
        with _explained(self.folder):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
                self._db.execute("COMMIT")
            except BaseException:
                # A full disk has SQLite roll back by itself.
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        with _explained(self.folder):
            yield self._db

    def is_alive(self, owner: str) -> bool:
        """A writer holds a lock on its file for as long as it lives, however it ends."""
        try:
            with self._life_path(owner).open("rb") as file:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except FileNotFoundError:
            return False
        except BlockingIOError:
            return True
        self._life_path(owner).unlink(missing_ok=True)
        return False

    def _life_path(self, owner: str) -> Path:
        return self.folder / "owners" / f"{owner}.lock"


def _locked_file(path: Path) -> IO[bytes]:
    """A new file with a lock on it; it gets its name when the lock is held, so that nobody sees it without."""
    unnamed = path.with_suffix(".new")
    file = unnamed.open("wb")
    fcntl.flock(file, fcntl.LOCK_EX)
    unnamed.rename(path)
    return file


@contextmanager
def _explained(folder: Path) -> Iterator[None]:
    """Turn errors of the file system and of SQLite into ours."""
    try:
        yield
    except EnvFactoryError:
        raise
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorcode", None) in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN):
            raise UsageError(_not_writable(folder, error)) from error
        if getattr(error, "sqlite_errorcode", None) in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
            raise UsageError(
                f"{folder / 'book.sqlite'} is damaged ({error}). Move it away to go on; the answers and unsealed "
                "ledger rows in it are then paid for again."
            ) from error
        raise StorageFault(f"The model ledger in {folder} cannot be written: {error}.") from error
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO):
            raise StorageFault(f"The model ledger in {folder} cannot be written: {error}.") from error
        raise UsageError(_not_writable(folder, error)) from error


def _not_writable(folder: Path, error: Exception) -> str:
    return f"{folder} cannot be written ({error}). Set ENVFACTORY_HOME to a folder on a local disk you may write to."
