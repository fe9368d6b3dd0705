"""What changes with ids and clock is learned by running gold again, and nothing else is masked."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from envfactory_dagster.contracts.bundle import Bundle, State
from envfactory_dagster.contracts.database import TableRows
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.reports import AnswerForm
from envfactory_dagster.runtime.facts import ColumnRef, Schema, load_schema
from envfactory_dagster.runtime.images import build_image
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.truth.changesets import Mask, by_table, normalize
from envfactory_dagster.truth.execution import Run, run_solution
from envfactory_dagster.truth.masks import LearnedMask, learn_mask
from tests.examples.solving import TASKS
from tests.support import tiny as shops
from tests.support.reports import RETURNED

DAY, HOUR = timedelta(days=1), timedelta(hours=1)
TASK = Task(id="note", text="Write it down.", kind="action")
WRITE = '''
import datetime

def write(env) -> dict:
    """Write one note."""
    now = datetime.datetime.fromisoformat(env.now)
    due_on = (now + datetime.timedelta(days=14)).date().isoformat()
    {before}
    note_id = env.insert("INSERT INTO notes (item_id, due_on, body, fee) VALUES (1, ?, '', 0)", [due_on])
    env.execute("UPDATE notes SET body = ?, fee = ? WHERE id = ?", [{body}, {fee}, note_id])
    return {{}}
'''
DAYS_OF_BOTH_KINDS = {"sister_joins"}
"""One charge is due two weeks from now, another on the day of arrival: the column stays as it is."""
NOTES = (
    "CREATE TABLE notes (id INTEGER PRIMARY KEY AUTOINCREMENT, item_id INTEGER NOT NULL REFERENCES items (id),"
    " due_on TEXT NOT NULL, body TEXT NOT NULL, fee INTEGER NOT NULL) STRICT;\n"
)


def notebook(*, body: str = "'x'", fee: str = "0", before: str = "pass") -> Bundle:
    """The shop with one more table and a tool that writes a row of it."""
    source = WRITE.format(body=body, fee=fee, before=before)
    shop = shops.tiny(source=source, definitions=[shops.tool("write")])
    sql = shops.SCHEMA + NOTES
    rows = [
        TableRows(table="users", columns=["id", "name"], rows=[[1, "Ann"]]),
        TableRows(table="items", columns=["id", "name", "price", "stock"], rows=[[1, "Coat", 9.5, 3]]),
    ]
    return replace(shop, schema_sql=sql, states={"initial": State(build_image(sql, rows), "2026-03-02T09:00:00")})


async def learned(
    runtime: Runtime, bundle: Bundle, source: str = f"def solve(tools):\n    tools.write()\n    return {RETURNED}\n"
) -> LearnedMask:
    run = await run_solution(runtime, bundle, TASK, source, AnswerForm())
    assert run.error is None
    return await learn_mask(runtime, bundle, TASK, load_schema(bundle.schema_sql), source, AnswerForm(), run)


async def test_a_due_date_stays_meaningful(runtime: Runtime) -> None:
    assert await learned(runtime, notebook()) == LearnedMask(
        Mask(relative=frozenset({ColumnRef("notes", "due_on")})), DAY
    )


async def test_an_id_or_a_time_of_day_in_words_makes_a_text_volatile(runtime: Runtime) -> None:
    for body in ("f'note {note_id}'", "f'written at {now:%H.%M}, a {now:%A}, as number {note_id}'"):
        found = await learned(runtime, notebook(body=body))
        assert by_table(found.mask.volatile) == {"notes": ["body"]}
        assert (found.shift, found.note) == (DAY, "")


async def test_a_code_and_a_moment_in_a_text_do_not(runtime: Runtime) -> None:
    found = await learned(runtime, notebook(body="f'written at {env.now}'"))
    assert by_table(found.mask.relative) == {"notes": ["body", "due_on"]}
    assert found.mask.volatile == frozenset()


async def test_an_amount_that_grows_by_the_day_is_seen_by_the_hour_and_stays(runtime: Runtime) -> None:
    found = await learned(runtime, notebook(fee="50 * (now - datetime.datetime(2026, 1, 1)).days"))
    assert found.mask.volatile == frozenset()
    assert found.shift == HOUR
    assert "notes.fee" in found.note


async def test_a_column_with_days_of_both_kinds_keeps_them_as_they_are(runtime: Runtime) -> None:
    on_a_fixed_day = "INSERT INTO notes (item_id, due_on, body, fee) VALUES (1, '2026-05-01', '', 0)"
    found = await learned(runtime, notebook(before=f'env.insert("{on_a_fixed_day}")'))
    assert found == LearnedMask(Mask(), DAY)


async def test_a_smaller_shift_is_taken_where_the_program_would_do_something_else(runtime: Runtime) -> None:
    only_today = "if now.day != 2: raise env.Error('too late')"
    found = await learned(runtime, notebook(before=only_today))
    assert found.shift == HOUR
    assert "too late" in found.note


async def test_no_shift_at_all_is_said(runtime: Runtime) -> None:
    only_now = "if not env.now.endswith('09:00:00'): raise env.Error('too late')"
    bundle = notebook(before=only_now + "\n    if now.day != 2: raise env.Error('too late')", body="f'no. {note_id}'")
    found = await learned(runtime, bundle)
    assert found.shift == timedelta()
    assert found.mask == Mask(volatile=frozenset({ColumnRef("notes", "body")}))
    assert "too late" in found.note


async def test_a_program_that_cannot_do_with_other_ids_is_named(runtime: Runtime) -> None:
    source = f"def solve(tools):\n    assert tools.place_order(item_id=1)['order_id'] == 1\n    return {RETURNED}\n"
    found = await learned(runtime, notebook(), source)
    assert found.mask == Mask()
    assert "Other ids alone change what the program does" in found.note


@pytest.mark.parametrize("task", TASKS)
async def test_under_its_mask_a_solution_of_the_huts_does_the_same_at_the_other_time(
    runtime: Runtime, huts: Bundle, schema: Schema, gold: dict[str, Run], task: str
) -> None:
    run, source, form = gold[task], huts.solutions[task], huts.answer_forms[task]
    found = await learn_mask(runtime, huts, TASKS[task], schema, source, form, run)
    assert found.shift >= HOUR
    assert set(by_table(found.mask.volatile)) <= {"charges"}  # descriptions that name an id
    clock = (datetime.fromisoformat(run.clock) + found.shift).isoformat()
    later = await run_solution(runtime, huts, TASKS[task], source, form, clock=clock, id_offset=5)
    one, other = (normalize(r.changes, schema, r.clock, found.mask) for r in (run, later))
    assert (one == other) == (task not in DAYS_OF_BOTH_KINDS)
    if found.mask.relative:
        assert one != normalize(later.changes, schema, run.clock, found.mask)
