"""Dagster's SQLite storage with the event log's connections kept open.

Belongs here: how connections to the event log are opened. Does not: tables, files
and what is written to them: these are Dagster's own, which works on them alone when `dagster.yaml` has no `storage`
block. What it brings is measured in `docs/design/decisions.md`.

Dagster opens a connection for every event, with an engine of its own that compiles every statement anew, commits with
two waits for the disk, and moves the write-ahead log into the database when it closes: 6 times for a partition and its
check. A range run is nothing but such events.
"""

from collections import OrderedDict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import dagster as dg
from sqlalchemy import create_engine
from sqlalchemy.engine import Connection
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool

from envfactory_dagster.resources.dagster_internals import AssetCheckEvaluationPlanned, ConfigurableClassData
from envfactory_dagster.resources.dagster_internals.storage import DagsterSqliteStorage, SqliteEventLog, put_event_log

_INDEX = "index"
"""Dagster's name for the file that tells of all runs."""
_KEPT_OPEN = 8
"""One file per run and one for the index: a web server that looks at many runs must not run out of handles."""
_STATEMENTS = 16
"""Kept prepared by a connection, with what was last bound to them: a range's partitions, when it was asked for them."""
_BUSY_S = 30
"""How long a writer waits for another; Dagster's own storage waits as long."""
_CACHE_KIB = 256
"""Of each file; SQLite's 2,000 would fill with the events of a long range. The system keeps what was read lately."""

AssetCheckEvaluationPlanned(asset_key=dg.AssetKey("any"), check_name="any")
"""A record of Dagster keeps the local variables of whoever makes the first one for as long as the process lives. These
are made where a run is planned: without this one here, with a list of every event that a range is going to have."""


class WarmSqliteEventLogStorage(SqliteEventLog):
    """One open connection per file, used under the lock that Dagster's class holds anyway.

    `synchronous=NORMAL` in write-ahead mode loses nothing when a process is killed; after a power cut the last events
    may be missing, never torn, and the store still has every record they told of.
    """

    def __init__(self, base_dir: str, inst_data: ConfigurableClassData | None = None) -> None:
        self._opened: OrderedDict[str, Connection] = OrderedDict()
        self._tables_seen: set[str] = set()
        super().__init__(base_dir, inst_data)

    @contextmanager
    def connected(self, shard: str) -> Iterator[Connection]:
        with self.lock:
            connection = self._opened.get(shard) or self._open(shard)
            self._opened.move_to_end(shard)
            try:
                with connection.begin():
                    yield connection
            except DBAPIError:
                self._close(shard)
                raise

    def _open(self, shard: str) -> Connection:
        # Threads take turns under the lock, so the connection may pass between them.
        arguments = {
            "timeout": _BUSY_S,
            "check_same_thread": False,
            "cached_statements": _STATEMENTS,
        }
        engine = create_engine(self.conn_string_for_shard(shard), poolclass=NullPool, connect_args=arguments)
        self.make_tables(engine, shard)
        connection = engine.connect()
        connection.exec_driver_sql("PRAGMA synchronous=NORMAL")
        connection.exec_driver_sql(f"PRAGMA cache_size=-{_CACHE_KIB}")
        connection.commit()
        while len(self._opened) >= _KEPT_OPEN:
            self._close(next(iter(self._opened)))
        self._opened[shard] = connection
        return connection

    def _close(self, shard: str) -> None:
        self._opened.pop(shard).close()

    def has_table(self, table_name: str) -> bool:
        if table_name not in self._tables_seen and super().has_table(table_name):
            self._tables_seen.add(table_name)
        return table_name in self._tables_seen

    def checks_were_planned(self) -> None:
        """The connection would keep the statement, with all that was bound to it."""
        with self.lock:
            self._close(_INDEX)

    def wipe(self) -> None:
        self._close_all()
        super().wipe()

    def dispose(self) -> None:
        self._close_all()
        super().dispose()

    def _close_all(self) -> None:
        with self.lock:
            for shard in list(self._opened):
                self._close(shard)


class WarmSqliteStorage(DagsterSqliteStorage):
    """For the `storage` block of `dagster.yaml`."""

    def __init__(self, base_dir: str, inst_data: ConfigurableClassData | None = None) -> None:
        super().__init__(base_dir, inst_data)
        put_event_log(self, WarmSqliteEventLogStorage(f"{base_dir}/history/runs"))

    @classmethod
    def from_config_value(
        cls, inst_data: ConfigurableClassData | None, config_value: Mapping[str, Any]
    ) -> "WarmSqliteStorage":
        return cls.from_local(config_value["base_dir"], inst_data)
