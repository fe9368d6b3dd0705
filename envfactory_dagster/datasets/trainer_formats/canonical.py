"""Rows as they are: every field, for whoever reads them with no trainer in mind.

Belongs here: `rows/`, and writing rows as Parquet, whose columns of JSON trainers share. Does not: any trainer's form.
"""

from collections.abc import Mapping, Sequence
from io import BytesIO
from typing import Any

from envfactory_dagster.contracts.dataset import RlRow, SftRow
from envfactory_dagster.datasets.trainer_formats import Files, jsonl, text


def parquet(rows: Sequence[Mapping[str, Any]], schema: Mapping[str, Any], json_columns: Sequence[str] = ()) -> bytes:
    """`schema`: the polars types of the other columns."""
    import polars as pl

    json_type = pl.Extension("arrow.json", pl.String, "")
    columns = {**dict.fromkeys(json_columns, pl.String), **schema}
    given = [{name: text(row[name]) if name in json_columns else row[name] for name in columns} for row in rows]
    frame = pl.DataFrame(given, schema=columns).with_columns(pl.col(name).ext.to(json_type) for name in json_columns)
    sealed = BytesIO()
    frame.write_parquet(sealed)
    return sealed.getvalue()


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
