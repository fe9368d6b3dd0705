"""What is private in Dagster's storages, under public names.

Belongs here: the classes that `resources.event_log` and `resources.postgres` are derived from, and everything that has
to be overridden or called by a name with an underscore. Does not: what is done with it.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import dagster as dg
from dagster._core.storage.event_log import (
    # Any event log in a database, whichever it is.
    SqlEventLogStorage,
    # The one in SQLite files. The public way to another is another storage in `dagster.yaml`.
    SqliteEventLogStorage,
)
from dagster._core.storage.sqlite_storage import (
    # Runs, schedules and event log in one: what the `storage` block of `dagster.yaml` takes.
    DagsterSqliteStorage,
)
from sqlalchemy.engine import Connection, Engine

__all__ = ["ChecksOfDynamicPartitions", "DagsterSqliteStorage", "SqliteEventLog", "put_event_log"]


class ChecksOfDynamicPartitions(SqlEventLogStorage):
    """An event log that can tell the state of our checks."""

    def get_asset_check_state(
        self, keys: Sequence[tuple[dg.AssetCheckKey, dg.PartitionsDefinition | None]]
    ) -> Mapping[dg.AssetCheckKey, Any]:
        # Dagster 1.13.27 forgets to say who knows the dynamic partitions, and the UI fails on every check of ours.
        # `_instance` is that of the storage.
        with dg.partition_loading_context(dynamic_partitions_store=self._instance):
            return super().get_asset_check_state(keys)


class SqliteEventLog(ChecksOfDynamicPartitions, SqliteEventLogStorage):
    """Dagster's, to be derived from."""

    @property
    def lock(self) -> AbstractContextManager[Any]:
        """What Dagster holds while it uses a file."""
        return self._db_lock

    def connected(self, shard: str) -> AbstractContextManager[Connection]:
        """A connection to the file, in a transaction. Dagster asks for one whenever it reads or writes."""
        return super()._connect(shard)

    @contextmanager
    def _connect(self, shard: str) -> Iterator[Connection]:
        with self.connected(shard) as connection:
            yield connection

    def make_tables(self, engine: Engine, shard: str) -> None:
        """Unless this process has made them."""
        if shard not in self._initialized_dbs:
            self._initdb(engine)
            self._initialized_dbs.add(shard)

    def checks_were_planned(self) -> None:
        """Called after the planned checks of a step were stored, which is one statement for all of its partitions."""

    def _store_asset_check_evaluation_planned(self, event: dg.EventLogEntry, event_id: int | None) -> None:
        super()._store_asset_check_evaluation_planned(event, event_id)
        self.checks_were_planned()


def put_event_log(storage: Any, event_log: SqlEventLogStorage) -> None:
    """In place of the one that a storage of Dagster's made for itself."""
    assert isinstance(storage._event_log_storage, SqlEventLogStorage)
    storage._event_log_storage = event_log
