"""Dataset rows in the formats that trainers read.

Belongs here: one module per trainer, from the rows of one environment to its files. Does not: making rows
(`datasets.rows`), where the files are put (`datasets.building`), and exporting environments (`exchange`).
"""

from collections.abc import Sequence
from typing import Any

import orjson

Files = dict[str, bytes]
"""Path below the folder of a dataset → content. Every environment has files of its own, so that a dataset never has to
be in memory as a whole."""


def jsonl(rows: Sequence[Any]) -> bytes:
    return b"".join(orjson.dumps(row) + b"\n" for row in rows)


def text(value: object) -> str:
    """As JSON, for columns in which every row has another shape."""
    return orjson.dumps(value).decode()
