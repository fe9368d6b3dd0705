"""Dagster's storage in a Postgres server: what several machines need to share runs, events and schedules.

Belongs here: which driver a URL means. Does not: tables and what is written to them: these are Dagster's own.
`deploy/dagster.yaml` names the class; `docs/guides/scale.md` tells how it is used.
"""

import re
from collections.abc import Mapping
from typing import Any

from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.resources.dagster_internals import ConfigurableClassData
from envfactory_dagster.resources.dagster_internals.storage import ChecksOfDynamicPartitions, put_event_log

try:
    from dagster_postgres import DagsterPostgresStorage, PostgresEventLogStorage
    from dagster_postgres.utils import get_token_provider_from_config, pg_url_from_config
except ImportError as error:
    raise UsageError("Postgres needs the extra `postgres`: pip install -c constraints.txt -e '.[postgres]'") from error


class PostgresEventLog(ChecksOfDynamicPartitions, PostgresEventLogStorage):
    """Dagster's own, which can also tell the state of our checks."""


class PostgresStorage(DagsterPostgresStorage):
    """For the `storage` block of `dagster.yaml`. Takes what Dagster's `postgres` block takes."""

    @classmethod
    def from_config_value(
        cls, inst_data: ConfigurableClassData | None, config_value: Mapping[str, Any]
    ) -> "PostgresStorage":
        url = _with_driver(pg_url_from_config(config_value))
        create_tables = config_value.get("should_autocreate_tables", True)
        tokens = get_token_provider_from_config(config_value)
        storage = cls(url, create_tables, inst_data, tokens)
        put_event_log(storage, PostgresEventLog(url, create_tables, token_provider=tokens))
        return storage


def _with_driver(url: str) -> str:
    """Where a URL names no driver, SQLAlchemy 2.1 takes psycopg 3; Dagster's package brings psycopg2."""
    return re.sub(r"^postgres(ql)?://", "postgresql+psycopg2://", url)
