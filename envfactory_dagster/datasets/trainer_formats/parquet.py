"""Parquet files with columns of JSON.

Belongs here: writing rows as columns. Does not: which columns a trainer wants (the modules beside this one).

Tools and arguments have another shape in every row. As nested columns they would be merged into one schema, and every
row would get the fields of all others, filled with nulls. So what may differ is one JSON text per row, in Arrow's own
type for JSON: the `datasets` library hands it out as objects again, every other reader as text.
"""

from collections.abc import Mapping, Sequence
from io import BytesIO
from typing import Any

from envfactory_dagster.datasets.trainer_formats import text


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
