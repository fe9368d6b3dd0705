"""Text that a person dictated is the same in another case, with an article and with another end."""

from dataclasses import replace

import pytest

from envfactory_dagster.contracts.bundle import Bundle, State
from envfactory_dagster.contracts.database import TableRows
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.reports import AnswerForm
from envfactory_dagster.contracts.truth import TaskGate, TracedStep, Verifier
from envfactory_dagster.runtime.facts import load_schema
from envfactory_dagster.runtime.images import build_image
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.truth.changesets import Mask, normalize
from envfactory_dagster.truth.execution import run_calls
from envfactory_dagster.truth.gate import try_verifier
from envfactory_dagster.truth.verdicts import TaskChecks, judge
from tests.support import tiny as shops
from tests.support.reports import RETURNED, report
from tests.truth.references import reference

SCHEMA = shops.SCHEMA + (
    "CREATE TABLE notes (id INTEGER PRIMARY KEY AUTOINCREMENT, item_id INTEGER NOT NULL REFERENCES items (id),"
    " body TEXT NOT NULL) STRICT;\n"
)
NOTE = '''
def add_note(env, *, item_id: int, body: str) -> dict:
    """Put a note on an item."""
    if env.one("SELECT id FROM items WHERE id = ?", [item_id]) is None:
        raise env.Error(f"there is no item {item_id}")
    return {"note_id": env.insert("INSERT INTO notes (item_id, body) VALUES (?, ?)", [item_id, body])}
'''
ADD_NOTE = shops.tool(
    "add_note",
    shops.schema({"item_id": shops.INTEGER, "body": shops.STRING}),
    shops.schema({"note_id": shops.INTEGER}),
)
FREE = Task(id="note", text="Please put the note keep it dry on item 3.", kind="action")
QUOTED = Task(id="note", text="Please put the note “keep it dry” on item 3.", kind="action")
VERIFIER = """
def goal_noted(world):
    row = world.final.one("SELECT count(*) AS n FROM notes WHERE item_id = 3 AND {comparison}", ["keep it dry"])
    return row["n"] == 1


def guard_only_that(world):
    return [c["table"] for c in world.changes] in ([], ["notes"])


def guard_reports_it_as_done(world):
    return world.report.outcome in (None, "done")
"""
EXACT = VERIFIER.format(comparison="body = ?")
LENIENT = VERIFIER.format(comparison="same_text(body, ?)")


def notebook(task: Task) -> Bundle:
    shop = shops.tiny(source=NOTE, definitions=[ADD_NOTE])
    rows = [
        TableRows(table="users", columns=["id", "name"], rows=[[1, "Ann"]]),
        TableRows(
            table="items",
            columns=["id", "name", "price", "stock"],
            rows=[[n, f"Thing {n}", 9.5, 30] for n in range(1, 9)],
        ),
    ]
    source = f"def solve(tools):\n    tools.add_note(item_id=3, body='keep it dry')\n    return {RETURNED}\n"
    return replace(
        shop,
        schema_sql=SCHEMA,
        states={"initial": State(build_image(SCHEMA, rows), "2026-03-02T09:00:00")},
        tasks=[task],
        solutions={task.id: source},
    )


async def gate_of(runtime: Runtime, task: Task, source: str) -> TaskGate:
    bundle = notebook(task)
    gold = await reference(runtime, bundle, task)
    return await try_verifier(runtime, bundle, task, gold, Verifier(task=task.id, source=source))


async def test_a_verifier_that_insists_on_a_spelling_is_refused(runtime: Runtime) -> None:
    gate = await gate_of(runtime, FREE, EXACT)
    assert [trial.operator for trial in gate.refused] == ["dictated_otherwise"]
    lenient = await gate_of(runtime, FREE, LENIENT)
    assert lenient.passed, [trial for trial in lenient.trials if not trial.right]


async def test_what_the_task_puts_in_quotation_marks_is_exact(runtime: Runtime) -> None:
    gate = await gate_of(runtime, QUOTED, EXACT)
    assert gate.passed, [trial for trial in gate.trials if not trial.right]
    assert (await reference(runtime, notebook(QUOTED), QUOTED)).dictated == {}


@pytest.mark.parametrize(
    ("body", "same"),
    [
        ("Keep it dry.", True),
        ("KEEP IT DRY", True),
        ("“Keep it dry”", True),
        ("keep it dry, please", False),
        ("keep dry", False),
        ("", False),
    ],
)
async def test_verifier_and_changeset_see_the_same_in_a_text(runtime: Runtime, body: str, same: bool) -> None:
    bundle = notebook(FREE)
    gold = await reference(runtime, bundle, FREE)
    assert gold.dictated == {"notes": ["body"]}
    call = TracedStep(tool="add_note", arguments={"item_id": 3, "body": body})
    run = await run_calls(runtime, bundle, FREE, [call], report())
    verdict = await judge(runtime, TaskChecks(FREE, LENIENT, AnswerForm()), run)
    assert (verdict.score == 1.0) is same
    schema, mask = load_schema(SCHEMA), Mask.of(gold)
    wanted, found = (normalize(changes, schema, run.clock, mask) for changes in (gold.changes, run.changes))
    assert (wanted == found) is same
