"""One SQLite connection that hosts any number of databases: a shared image below, each session's written pages above.

A session is a dictionary of the pages it wrote. Switching sessions swaps the dictionary under an open connection, so
that parsed schema, prepared statements and every unwritten page are shared, and opening, resetting and forking cost
microseconds. Belongs here: the virtual file system, transactions, the change recorder. Does not: tools or messages.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import apsw
import orjson

from envfactory_dagster.runtime.facade import MAX_PROGRESS_TICKS, NEVER_WRITTEN, PROGRESS_STEPS, LimitPassed
from envfactory_dagster.runtime.newer_sql import NEWER_FUNCTIONS, newer_than_oldest
from envfactory_dagster.runtime.table_contents import TABLES, Row, Values, describe_tables, row_key

PAGE = 1024
MAX_PAGES = 65_536
MAX_VALUE_BYTES = 4_194_304
SQLITE_HEAP_BYTES = 268_435_456
HEADER_CHECK = (16, 24)
"""SQLite reads these 16 bytes at this offset of page 1 to learn whether its page cache is still good."""

_DENIED_FUNCTIONS = frozenset(
    (
        *("random", "randomblob", "load_extension", "readfile", "writefile", "edit"),
        *("last_insert_rowid", "changes", "total_changes"),  # of the connection, which sessions share
        *NEWER_FUNCTIONS,
    )
)
_WRITES = frozenset({apsw.SQLITE_INSERT, apsw.SQLITE_UPDATE, apsw.SQLITE_DELETE})
_ALLOWED_ACTIONS = frozenset(
    {
        apsw.SQLITE_SELECT,
        apsw.SQLITE_READ,
        apsw.SQLITE_INSERT,
        apsw.SQLITE_UPDATE,
        apsw.SQLITE_DELETE,
        apsw.SQLITE_RECURSIVE,
    }
)

RowKey = tuple[str, Values]
"""A table, and the primary key of one of its rows."""


@dataclass(slots=True)
class Pages:
    """One session's database: the pages it wrote, and each row it touched as that row was at the start."""

    image: bytes
    clock: str
    written: dict[int, bytes] = field(default_factory=dict)
    size: int = 0
    touched: dict[RowKey, Values | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.size = self.size or len(self.image)

    def fork(self) -> "Pages":
        """Pages are immutable bytes: a fork copies the dictionary, not the data."""
        return Pages(self.image, self.clock, dict(self.written), self.size, dict(self.touched))

    def page(self, number: int) -> bytes:
        written = self.written.get(number)
        return self.image[number * PAGE : (number + 1) * PAGE] if written is None else written

    def serialize(self) -> bytes:
        """The whole database as one SQLite image."""
        return b"".join(self.page(number) for number in range(self.size // PAGE))


class _File(apsw.VFSFile):
    """The one open file. Everything SQLite reads and writes goes to the session in front."""

    def __init__(self, pages: Pages) -> None:
        self.pages = pages
        self.switched = True

    def xRead(self, amount: int, offset: int) -> bytes:
        if self.switched and (amount, offset) == HEADER_CHECK:
            # Whatever is cached belongs to another session: an answer that never matches makes SQLite drop it.
            self.switched = False
            return b"\xff" * amount
        written = self.pages.written.get(offset // PAGE)
        if written is None:
            return self.pages.image[offset : offset + amount]
        start = offset % PAGE
        return written if amount == PAGE else written[start : start + amount]

    def xWrite(self, data: bytes, offset: int) -> None:
        if len(data) != PAGE or offset % PAGE:
            raise apsw.IOError("only whole pages are written")
        self.pages.written[offset // PAGE] = bytes(data)
        self.pages.size = max(self.pages.size, offset + PAGE)

    def xFileSize(self) -> int:
        return self.pages.size

    def xTruncate(self, size: int) -> None:
        self.pages.size = size

    def xSync(self, flags: int) -> None: ...

    def xLock(self, level: int) -> None: ...

    def xUnlock(self, level: int) -> None: ...

    def xCheckReservedLock(self) -> bool:
        return False

    def xFileControl(self, operation: int, pointer: int) -> bool:
        return False

    def xSectorSize(self) -> int:
        return PAGE

    def xDeviceCharacteristics(self) -> int:
        return 0

    def xClose(self) -> None: ...


class _FileSystem(apsw.VFS):
    """A file system with one file, and with the session's clock, so that even `date('now')` is frozen."""

    def __init__(self, name: str, file: _File) -> None:
        super().__init__(name, "")
        self.file = file

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:
        if not flags[0] & apsw.SQLITE_OPEN_MAIN_DB:
            raise apsw.CantOpenError("there are no files here")
        flags[1] = flags[0]
        return self.file

    def xAccess(self, pathname: str, flags: int) -> bool:
        return False

    def xFullPathname(self, name: str) -> str:
        return name

    def xDelete(self, filename: str, syncdir: bool) -> None: ...

    def xCurrentTimeInt64(self) -> int:
        from datetime import datetime

        since = datetime.fromisoformat(self.file.pages.clock) - datetime(1970, 1, 1)
        return 210866760000000 + int(since.total_seconds() * 1000)  # Julian day of the Unix epoch, in milliseconds


class Database:
    """The connection tools work on. One session is in front at a time: `switch`, `begin`, statements, `commit`."""

    def __init__(self, pages: Pages) -> None:
        self._file = _File(pages)
        self._vfs = _FileSystem("sessions", self._file)
        apsw.hard_heap_limit(SQLITE_HEAP_BYTES)
        self._connection = connection = apsw.Connection("sessions", vfs="sessions", statementcachesize=400)
        self._execute: Callable[..., apsw.Cursor] = connection.execute
        connection.execute(_SETTINGS).fetchall()  # to the end: it stops at the first statement that returns a row
        connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
        # One plan for each statement: otherwise every new value bound to an indexed column has it prepared again.
        connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
        self._tables = describe_tables(connection)
        confine(connection)
        self._trusted = False
        connection.authorizer = self._authorize
        self._ticks = 0
        connection.set_progress_handler(self._tick, PROGRESS_STEPS)
        self._columns: dict[str, tuple[str, ...]] = {}
        self._read_only = True
        self._touched: dict[RowKey, Values | None] = {}
        connection.preupdate_hook(self._remember)

    def switch(self, pages: Pages) -> None:
        if self._file.pages is not pages:
            self._file.pages = pages
            self._file.switched = True

    # -- one call is one transaction ------------------------------------------------------------------------------

    def begin(self, read_only: bool) -> None:
        self._ticks = 0
        self._read_only = read_only
        self._touched.clear()
        self._control("BEGIN")

    def commit(self) -> str | None:
        """Make the call's writes permanent; or say why they may not be."""
        if self._touched and self._read_only:
            return "it is declared read-only and wrote to the database"
        try:
            self._control("COMMIT")
        except apsw.ConstraintError as error:
            return f"its writes may not be committed: {error}"
        seen = self._file.pages.touched
        for key, before in self._touched.items():
            seen.setdefault(key, before)
        return None

    def rollback(self) -> None:
        self._touched.clear()
        if self._connection.in_transaction:
            self._control("ROLLBACK")

    def wrote(self) -> bool:
        """Whether the call that was just committed touched any row."""
        return bool(self._touched)

    def _control(self, statement: str, params: Values = ()) -> None:
        """A statement of ours. The flag keeps its prepared form, which the authorizer let pass, apart from a tool's
        statement with the same text."""
        self._trusted = True
        try:
            self._execute(statement, params, prepare_flags=apsw.SQLITE_PREPARE_PERSISTENT)
        finally:
            self._trusted = False

    def _authorize(
        self, action: int, first: str | None, second: str | None, database: str | None, trigger: str | None
    ) -> int:
        return apsw.SQLITE_OK if self._trusted else authorize(action, first, second, database, trigger)

    def _remember(self, update: apsw.PreUpdate) -> None:
        """Note a row as it was before its first change in this call. What became of it is read when somebody asks: a
        hook is not told of changes that a failing statement takes back."""
        table, old, new = update.table_name, update.old, update.new
        described = self._tables.get(table)
        if described is None:
            return  # SQLite's own tables
        before = None if old is None else row_key(described.keys, old, update.rowid)
        after = None if new is None else row_key(described.keys, new, update.rowid_new)
        if before is not None:
            self._touched.setdefault((table, before), old)
        if after is not None and after != before:
            self._touched.setdefault((table, after), None)

    def _tick(self) -> bool:
        self._ticks += 1
        return self._ticks > MAX_PROGRESS_TICKS

    # -- statements of tools ----------------------------------------------------------------------------------------

    def rows(self, sql: str, params: Any, most: int) -> list[Row]:
        cursor = self._run(sql, params)
        first = next(cursor, None)
        if first is None:
            return []
        columns = self._columns.get(sql)
        if columns is None:
            columns = self._columns[sql] = tuple(column[0] for column in cursor.get_description())
        found = [dict(zip(columns, first, strict=True))]
        found += [dict(zip(columns, row, strict=True)) for row in islice(cursor, most)]
        if len(found) > most:
            cursor.close()
            raise LimitPassed(f"a query returned more than {most} rows")
        return found

    def change(self, sql: str, params: Any) -> int:
        # Counters of the connection outlive a session's turn: what this statement did not set is not ours to tell.
        before = self._connection.total_changes()
        self._run(sql, params)
        return self._connection.changes() if self._connection.total_changes() != before else 0

    def insert(self, sql: str, params: Any) -> int:
        self._connection.set_last_insert_rowid(0)
        self._run(sql, params)
        return self._connection.last_insert_rowid()

    def _run(self, sql: str, params: Any) -> apsw.Cursor:
        if not self._connection.in_transaction:
            # `OR ROLLBACK`, or an interrupted write: what follows would be committed whatever becomes of the call.
            raise LimitPassed("an earlier statement failed and ended the transaction of this call")
        refuse_newer(sql)
        return self._execute(sql, params)

    # -- for the supervisor, never for tools ------------------------------------------------------------------------

    def shift_ids(self, offset: int) -> None:
        """Let new AUTOINCREMENT ids start `offset` later: the same world, other ids."""
        self._ticks = 0
        self._control("BEGIN")
        for (table,) in self._execute(_AUTOINCREMENT_TABLES).fetchall():
            self._control("UPDATE sqlite_sequence SET seq = seq + ? WHERE name = ?", (offset, table))
            if not self._connection.changes():
                self._control("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", (table, offset))
        self._control("COMMIT")

    def changes(self) -> list[Row]:
        """Every row that differs from the start of the session in front, with all its columns."""
        self._ticks = 0
        found: list[Row] = []
        for (table, key), before in self._file.pages.touched.items():
            described = self._tables[table]
            after: Values | None = next(self._execute(described.find, key), None)
            if after != before:
                old = None if before is None else dict(zip(described.columns, before, strict=True))
                new = None if after is None else dict(zip(described.columns, after, strict=True))
                found.append({"table": table, "key": list(key), "before": old, "after": new})
        return found

    def content_hash(self) -> str:
        self._ticks = 0
        return content_hash(self._connection)


_SETTINGS = (
    "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA temp_store = MEMORY; PRAGMA foreign_keys = ON;"
    f"PRAGMA cache_size = -4096; PRAGMA trusted_schema = OFF; PRAGMA max_page_count = {MAX_PAGES}"
)
_AUTOINCREMENT_TABLES = (
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND sql LIKE '%AUTOINCREMENT%'"
)


def content_hash(connection: apsw.Connection) -> str:
    """SHA-256 of every row of every table, in an order and a form that do not depend on pages or SQLite's version."""
    digest = hashlib.sha256()
    for (table,) in connection.execute(TABLES).fetchall():
        rows = sorted(orjson.dumps(row, default=bytes.hex) for row in connection.execute(f'SELECT * FROM "{table}"'))
        digest.update(orjson.dumps([table, len(rows)]) + b"\n".join(rows))
    return digest.hexdigest()


def refuse_newer(sql: Any) -> None:
    """Raise SQLError for what the SQLite of a bundle's own scripts need not know."""
    newer = newer_than_oldest(sql) if isinstance(sql, str) else None
    if newer is not None:
        raise apsw.SQLError(f"SQLite 3.40, which has to understand every statement, does not know {newer}")


def confine(connection: apsw.Connection) -> None:
    """Limits and an authorizer for SQL that nobody reviewed: rows of this schema, nothing else. Hygiene: Python code
    that holds the connection could undo it; the process around it is the boundary."""
    for limit, value in (
        (apsw.SQLITE_LIMIT_LENGTH, MAX_VALUE_BYTES),
        (apsw.SQLITE_LIMIT_SQL_LENGTH, 100_000),
        (apsw.SQLITE_LIMIT_EXPR_DEPTH, 200),
        (apsw.SQLITE_LIMIT_ATTACHED, 0),
        (apsw.SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1_000),
    ):
        connection.limit(limit, value)
    connection.authorizer = authorize


def authorize(action: int, first: str | None, second: str | None, database: str | None, trigger: str | None) -> int:
    if action in _WRITES and (first or "").lower().startswith(NEVER_WRITTEN):
        return apsw.SQLITE_DENY  # SQLite's own tables, and what files were: no changeset would show it
    if action in _ALLOWED_ACTIONS:
        return apsw.SQLITE_OK
    if action == apsw.SQLITE_FUNCTION and (second or "").lower() not in _DENIED_FUNCTIONS:
        return apsw.SQLITE_OK
    return apsw.SQLITE_DENY
