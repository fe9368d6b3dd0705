"""Tables and rows of an author who wants all memory or all time: the report says so, and nobody else is the worse."""

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from envfactory_dagster.authoring import database_schema, seed_rows
from envfactory_dagster.contracts.database import InitialState, Table, TableRows
from envfactory_dagster.contracts.errors import EnvironmentFault
from envfactory_dagster.contracts.tools import GivenRow
from envfactory_dagster.runtime import databases
from envfactory_dagster.runtime.facts import load_schema
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.runtime.settings import RuntimeSettings

PLAIN = "CREATE TABLE users (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL) STRICT"
ENDLESS_QUERY = (
    "CREATE TABLE users AS WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
    "SELECT i, hex(zeroblob(200)) AS h FROM n"
)
HUGE_VALUE = PLAIN.replace("NOT NULL", "NOT NULL CHECK (length(replace(hex(zeroblob(480000000)), '0', 'a')) > 0)")
MANY_LARGE_VALUES = PLAIN.replace("NOT NULL)", "NOT NULL, page TEXT DEFAULT (hex(zeroblob(400000))))")
SLOW_MATCH = f"hex(zeroblob(400000)) LIKE '%{'0' * 900}1%'"
ENDLESS_PATTERN = PLAIN.replace("NOT NULL", f"NOT NULL CHECK (NOT ({' OR '.join([SLOW_MATCH] * 7)}))")


def users(count: int = 1) -> TableRows:
    return TableRows(table="users", columns=["id", "name"], rows=[[number + 1, "Ann"] for number in range(count)])


async def said_of_the_table(runtime: Runtime, ddl: str) -> str:
    tables = [Table(name="users", ddl=ddl, purpose="users")]
    return " ".join(problem.message for problem in await database_schema.problems_of(runtime, tables, [], 1))


async def said_of_the_rows(runtime: Runtime, ddl: str, rows: TableRows) -> str:
    state = InitialState(name="initial", clock="2026-03-02T09:00:00", tables=[rows])
    problems = await seed_rows.problems_of(runtime, state, load_schema(ddl), 1)
    return " ".join(problem.message for problem in problems)


@pytest_asyncio.fixture(scope="module")
async def hasty() -> AsyncIterator[Runtime]:
    async with Runtime(RuntimeSettings(call_seconds=1.0)) as runtime:
        yield runtime


async def test_a_table_made_of_a_query_is_refused(runtime: Runtime) -> None:
    assert "CREATE TABLE … AS SELECT defines no table" in await said_of_the_table(runtime, ENDLESS_QUERY)


async def test_sqlite_is_not_let_run_a_query_either(runtime: Runtime) -> None:
    [(index, message)] = await databases.refused_statements(runtime, [("users", ENDLESS_QUERY)])
    assert (index, message) == (0, "users: only plain CREATE TABLE and CREATE INDEX are allowed.")
    with pytest.raises(EnvironmentFault, match="The schema cannot be created: not authorized"):
        await databases.build_image(runtime, ENDLESS_QUERY, [])


async def test_a_constraint_that_makes_a_huge_value_is_refused(runtime: Runtime) -> None:
    said = await said_of_the_rows(runtime, HUGE_VALUE, users())
    assert "Table users, row 0: it makes a value that is longer than a database may hold." in said


async def test_a_default_that_fills_the_memory_is_refused(runtime: Runtime) -> None:
    said = await said_of_the_rows(runtime, MANY_LARGE_VALUES, users(500))
    assert "it needs more memory than a database may take" in said


async def test_a_constraint_that_never_ends_is_stopped_while_others_are_served(hasty: Runtime) -> None:
    hostile = asyncio.create_task(said_of_the_rows(hasty, ENDLESS_PATTERN, users()))
    assert "no other table refers to it" in await said_of_the_table(hasty, PLAIN)
    assert not hostile.done()
    assert "The database cannot be made or read: it took longer than 1 seconds." in await hostile


async def test_rows_given_for_an_edge_meet_the_same_end(hasty: Runtime) -> None:
    image = await databases.build_image(hasty, ENDLESS_PATTERN, [])
    empty = await databases.build_image(hasty, PLAIN, [users()])
    given = GivenRow(table="users", id=1, values={"name": "x" * 2_000_000})
    with pytest.raises(EnvironmentFault, match="longer than a database may hold"):
        await databases.with_rows_given(hasty, empty, [given])
    with pytest.raises(EnvironmentFault, match="took longer than 1 seconds"):
        async with hasty.database_worker() as worker:
            await databases.with_statement(worker, image, "INSERT INTO users (name) VALUES (?)", ["Ann"])


def test_the_supervisor_needs_no_more_memory_for_it() -> None:
    done = subprocess.run([sys.executable, "-m", __name__], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) < 100


async def _attacked() -> int:
    """By how many MiB the largest size of this process has grown when all attacks are over."""
    import resource

    async with Runtime(RuntimeSettings(call_seconds=1.0)) as runtime:
        await said_of_the_table(runtime, PLAIN)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        await said_of_the_table(runtime, ENDLESS_QUERY)
        await said_of_the_rows(runtime, HUGE_VALUE, users())
        await said_of_the_rows(runtime, MANY_LARGE_VALUES, users(500))
        return (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) >> 10


if __name__ == "__main__":
    print(asyncio.run(_attacked()))
