"""Arguments that do not matter: found by giving other values, never by guessing."""

import pytest
import pytest_asyncio

from envfactory_dagster import examples
from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.reports import AnswerForm, AnswerType
from envfactory_dagster.contracts.truth import ReferenceSolution, TracedStep
from envfactory_dagster.runtime.facts import analyze_tools
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.tasks.masking import masked_arguments
from envfactory_dagster.truth.execution import run_calls, run_solution
from envfactory_dagster.truth.paths import path_match, path_rules
from envfactory_dagster.truth.telling import answers, facts, single_answers
from tests.support.reports import RETURNED, form, report
from tests.support.tiny import BOOLEAN, STRING, schema, tiny, tool
from tests.tasks.huts_kit import Golds, golds_of

TASKS = ("best_hut_in_reach", "tour_with_ida", "call_it_off")


@pytest.fixture(scope="session")
def huts() -> Bundle:
    return examples.load("alpine_huts")


@pytest_asyncio.fixture(scope="session")
async def golds(runtime: Runtime, huts: Bundle) -> Golds:
    return await golds_of(runtime, huts, TASKS)


async def masked(runtime: Runtime, huts: Bundle, golds: Golds, task: str) -> dict[str, list[str]]:
    wanted = next(one for one in huts.tasks if one.id == task)
    return await masked_arguments(runtime, huts, wanted, golds[task], huts.verifiers[task])


async def test_an_order_that_leaves_the_facts_does_not_matter_and_the_thing_itself_does(
    runtime: Runtime, huts: Bundle, golds: Golds
) -> None:
    found = await masked(runtime, huts, golds, "best_hut_in_reach")
    assert found == {"list_reviews": ["sort_by"], "search_huts": ["sort_by"]}
    given = {call.tool: call.arguments for call in golds["best_hut_in_reach"].calls}
    assert {"hut_id", "sort_by"} <= given["list_reviews"].keys()


async def test_what_is_written_matters(runtime: Runtime, huts: Bundle, golds: Golds) -> None:
    writing = {tool.name for tool in huts.tools if not tool.annotations.readOnlyHint}
    for task in TASKS:
        found = await masked(runtime, huts, golds, task)
        assert not writing & found.keys()


async def test_a_path_counts_as_the_same_under_the_mask(runtime: Runtime, huts: Bundle, golds: Golds) -> None:
    gold = golds["best_hut_in_reach"].calls
    other = [
        call.model_copy(update={"arguments": call.arguments | {"sort_by": "name"}})
        if call.tool == "search_huts"
        else call
        for call in gold
    ]
    found = await masked(runtime, huts, golds, "best_hut_in_reach")
    facts = analyze_tools(huts.tools_source, huts.schema_sql)
    strict = path_rules(huts.tools, facts, gold)
    lenient = path_rules(huts.tools, facts, gold, {tool: frozenset(names) for tool, names in found.items()})
    assert path_match(gold, other, strict) < path_match(gold, other, lenient) == 1.0


# -- words -------------------------------------------------------------------------------------------------------------

NOTE = '''

def leave_note(env, *, words: str) -> dict:
    """Leave a note for the shop."""
    env.execute("UPDATE users SET name = ? WHERE id = ?", [words, env.user_id])
    return {"left": True}
'''
LOOSE = """
def goal_left_a_note(world) -> bool:
    row = world.final.one("SELECT name FROM users WHERE id = 1", [])
    return row["name"] != "Ann"


def guard_changes_nothing_else(world) -> bool:
    return all(change["table"] == "users" and change["key"] == [1] for change in world.changes)
"""
EXACT = LOOSE.replace('!= "Ann"', '== "Please ring twice"')


@pytest.mark.parametrize(
    ("text", "verifier", "expected"),
    [
        ("Leave the shop a note of your own.", LOOSE, {"leave_note": ["words"]}),
        ("Leave the shop this note: Please ring twice", LOOSE, {}),
        ("Leave the shop a note of your own.", EXACT, {}),
    ],
    ids=["free words", "words that were asked for", "words that are checked"],
)
async def test_words_may_differ_where_nobody_asked_for_them(
    runtime: Runtime, text: str, verifier: str, expected: dict[str, list[str]]
) -> None:
    shop = _shop_with_notes()
    task = Task(id="note", text=text, kind="action")
    gold = await _gold(runtime, shop, task)
    assert await masked_arguments(runtime, shop, task, gold, verifier) == expected


def _shop_with_notes() -> Bundle:
    note = tool("leave_note", schema({"words": STRING}), schema({"left": BOOLEAN}))
    return tiny(source=NOTE, definitions=[note])


async def _gold(runtime: Runtime, shop: Bundle, task: Task) -> ReferenceSolution:
    source = f'def solve(tools):\n    tools.leave_note(words="Please ring twice")\n    return {RETURNED}\n'
    run = await run_solution(runtime, shop, task, source, AnswerForm())
    assert run.report is not None, run.error
    return ReferenceSolution(
        task=task.id,
        source=source,
        report=run.report,
        calls=run.calls,
        changes=run.row_changes,
        state_hash=run.state_hash,
    )


# -- answers that were worked out --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "answer", "expected"),
    [
        ("text", "Item 1", {"list_items": ["most"]}),
        ("text", "the item 1", {"list_items": ["most"]}),
        ("money", 245, {}),
        ("yes_no", True, {}),
    ],
    ids=["a name that was told", "in other words", "a sum that nobody told", "what was concluded"],
)
async def test_where_an_answer_was_worked_out_every_row_may_count(
    runtime: Runtime, asked: AnswerType, answer: Json, expected: dict[str, list[str]]
) -> None:
    shop, task = tiny(), Task(id="ask", text="What is the cheapest, or the sum?", kind="information")
    reported = report(found=answer)
    run = await run_calls(runtime, shop, task, [TracedStep(tool="list_items", arguments={"most": 24})], reported)
    gold = ReferenceSolution(
        task="ask",
        source="-",
        form=form(found=asked),
        report=reported,
        calls=run.calls,
        changes=[],
        state_hash=run.state_hash,
    )
    verifier = f"def goal_said(world) -> bool:\n    return world.report.says('found', {answer!r})\n"
    assert await masked_arguments(runtime, shop, task, gold, verifier) == expected


# -- what an answer rests on -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "answer", "told", "rests"),
    [
        ("money", 4500, 4500, True),
        ("money", "45.00", 4500, True),
        ("money", 4500, 45, False),
        ("integer", "three", 3, True),
        ("text", "in review", "in_review", True),
        ("date", "16 July 2026", "2026-07-16T09:30:00", True),
        ("time", "9:30 am", "2026-07-16T09:30:00", True),
        ("time", "09:30", "2026-07-16", False),
        ("integer", 3, "Item 3", False),
    ],
)
def test_an_answer_rests_on_what_a_call_told_in_whatever_form(
    kind: AnswerType, answer: Json, told: Json, rests: bool
) -> None:
    [(field, value)] = single_answers(form(found=kind), report(found=answer))
    [fact] = facts({"name": told})
    assert answers(field, value, fact) is rests
