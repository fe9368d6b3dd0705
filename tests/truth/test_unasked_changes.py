"""Stray changes: every table is damaged once by itself, and one more row stands wherever gold adds rows."""

from random import Random

import pytest

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.truth import Verifier
from envfactory_dagster.runtime.facts import Schema
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.truth.execution import Run
from envfactory_dagster.truth.gate import STRAY, try_verifier
from envfactory_dagster.truth.start_rows import StartRows
from envfactory_dagster.truth.unasked_changes import unasked_changes
from tests.truth.references import reference, seen_through


def differing(schema: Schema, one: bytes, other: bytes) -> list[str]:
    rows, others = StartRows(schema, one).rows, StartRows(schema, other).rows
    return [table for table in rows if rows[table] != others[table]]


@pytest.mark.parametrize("task", ["sister_joins", "tour_with_ida", "best_hut_in_reach"])
async def test_each_is_of_one_table_and_no_table_is_left_out(
    runtime: Runtime, schema: Schema, gold: dict[str, Run], task: str
) -> None:
    run = gold[task]
    start_rows = StartRows(schema, run.initial, run.row_changes)
    found = await unasked_changes(runtime, start_rows, run.final, run.changes, Random(1))
    damaged = [differing(schema, run.final, final) for _, final in found]
    assert all(len(tables) == 1 for tables in damaged)
    assert {tables[0] for tables in damaged} == {table for table, rows in start_rows.rows.items() if rows}
    added = {table for (what, _), [table] in zip(found, damaged, strict=True) if "one more row" in what}
    assert added == {change.table for change in run.changes if change.before is None}


@pytest.mark.parametrize("table", ["hut_amenities", "guides", "reviews"])
async def test_a_verifier_that_overlooks_a_table_the_task_has_nothing_to_do_with_is_caught(
    runtime: Runtime, huts: Bundle, tasks: dict[str, Task], table: str
) -> None:
    source = huts.verifiers["call_it_off"]
    blind = seen_through(source, changes=f"[c for c in world.changes if c['table'] != {table!r}]")
    gold = await reference(runtime, huts, tasks["call_it_off"])
    gate = await try_verifier(runtime, huts, tasks["call_it_off"], gold, Verifier(task="call_it_off", source=blind))
    assert [(trial.operator, f" {table} " in trial.what) for trial in gate.survivors] == [(STRAY, True)]


async def test_a_verifier_that_lets_one_more_row_pass_is_caught(
    runtime: Runtime, huts: Bundle, tasks: dict[str, Task]
) -> None:
    """Another companion, whom nobody asked for."""
    source = huts.verifiers["sister_joins"]
    assert '"companions": 1' in source
    gold = await reference(runtime, huts, tasks["sister_joins"])
    lax = Verifier(task="sister_joins", source=source.replace('"companions": 1', '"companions": 2'))
    gate = await try_verifier(runtime, huts, tasks["sister_joins"], gold, lax)
    assert any("one more row in companions" in trial.what for trial in gate.survivors)
