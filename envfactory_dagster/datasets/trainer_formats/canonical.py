"""Rows as they are: every field, for whoever reads them with no trainer in mind.

Belongs here: `rows/`. Does not: any trainer's form.
"""

from collections.abc import Sequence

from envfactory_dagster.contracts.dataset import RlRow, SftRow
from envfactory_dagster.datasets.trainer_formats import Files, jsonl
from envfactory_dagster.datasets.trainer_formats.parquet import parquet

FOLDER = "rows"


def canonical(name: str, rows: Sequence[SftRow] | Sequence[RlRow]) -> Files:
    """One JSON object a line, and the same as columns: `id` as text, everything else as JSON."""
    if not rows:
        return {}
    import polars as pl

    given = [row.model_dump(mode="json") for row in rows]
    columns = [column for column in given[0] if column != "id"]
    return {
        f"{FOLDER}/{name}.jsonl": jsonl(given),
        f"{FOLDER}/{name}.parquet": parquet(given, {"id": pl.String}, columns),
    }
