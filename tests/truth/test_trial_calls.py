"""Calls that are made up fit the schemas of the tools, whatever pattern a model wrote into them."""

from random import Random

import apsw

from envfactory_dagster.runtime.facts import load_schema
from envfactory_dagster.truth.start_rows import StartRows
from envfactory_dagster.truth.trial_calls import trial_calls
from tests.support.tiny import schema, tool

SCHEMA = (
    "CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;"
    "CREATE TABLE tickets (id INTEGER PRIMARY KEY, code TEXT NOT NULL) STRICT;"
)


def test_a_pattern_on_which_python_would_take_forever_finds_the_code_that_fits() -> None:
    database = apsw.Connection(":memory:")
    database.execute(SCHEMA)
    database.executemany("INSERT INTO tickets (code) VALUES (?)", [("a" * 60 + "!",), ("aaaa",)])
    start_rows = StartRows(load_schema(SCHEMA), database.serialize("main"))
    cancel = tool("cancel", schema({"ticket_code": {"type": "string", "pattern": "^(a+)+$"}}))
    calls = trial_calls({"cancel": cancel}, start_rows, "2025-03-01T09:00:00", Random(1))
    assert {call.arguments["ticket_code"] for call in calls} == {"aaaa"}
