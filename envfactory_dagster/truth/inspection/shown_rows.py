"""Rows as they are shown with a call, to a checker or a clerk.

Belongs here: what is left out of a row. Does not: which rows are shown.
"""

from collections.abc import Mapping

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.judge_requests import RowShown

TEXT_CHARS = 60


def shown(table: str, row: Mapping[str, Json]) -> RowShown:
    return RowShown(table=table, row={name: _cut(value) for name, value in row.items() if value is not None})


def _cut(value: Json) -> Json:
    return f"{value[:TEXT_CHARS]}…" if isinstance(value, str) and len(value) > TEXT_CHARS else value
