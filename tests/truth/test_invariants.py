"""Regularities of rows: what counts as a sum over the rows below."""

import pytest

from envfactory_dagster.runtime.facts import load_schema
from envfactory_dagster.truth.inspection.invariants import Rows, mined


@pytest.mark.parametrize(
    ("column", "summed", "is_one"),
    [
        ("weight_kg", "weight_kg", True),
        ("hours", "hours", True),
        ("total", "weight_kg", True),
        ("parcel_weight", "weight_kg", True),
        ("price", "weight_kg", False),
    ],
)
def test_a_sum_is_named_as_one_or_as_what_it_sums(column: str, summed: str, is_one: bool) -> None:
    schema = load_schema(f"""
        CREATE TABLE loads (id INTEGER PRIMARY KEY, {column} INTEGER NOT NULL) STRICT;
        CREATE TABLE parcels (
            id INTEGER PRIMARY KEY, load_id INTEGER NOT NULL REFERENCES loads (id), {summed} INTEGER NOT NULL
        ) STRICT;
    """)
    loads = [{"id": number, column: 100 + 3 * number} for number in range(9)]
    parcels = [
        {"id": 2 * number + more, "load_id": number, summed: (100 + 2 * number, number)[more]}
        for number in range(9)
        for more in range(2)
    ]
    found = mined(schema, [Rows(schema, {"loads": loads, "parcels": parcels})], set())
    assert (f"{column} = the sum of {summed} of its parcels" in [one.says for one in found]) is is_one
