"""Arguments that do not matter: found by giving other values, never by guessing."""

import pytest
import pytest_asyncio

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.reports import AnswerForm, AnswerType
from envfactory_dagster.contracts.truth import ReferenceSolution
from envfactory_dagster.runtime.facts import analyze_tools
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.tasks.masking import masked_arguments
from envfactory_dagster.truth.execution import run_solution
from envfactory_dagster.truth.paths import path_match, path_rules
from envfactory_dagster.truth.telling import answers, facts, single_answers
from tests.support.reports import RETURNED, form, report
from tests.support.tiny import BOOLEAN, INTEGER, NUMBER, STRING, schema, tiny, tool
from tests.tasks.huts_kit import Golds, golds_of

TASKS = ("best_hut_in_reach", "tour_with_ida", "call_it_off")


@pytest_asyncio.fixture(scope="session")
async def golds(runtime: Runtime, huts: Bundle) -> Golds:
    return await golds_of(runtime, huts, TASKS)


async def masked(runtime: Runtime, huts: Bundle, golds: Golds, task: str) -> dict[str, list[str]]:
    wanted = next(one for one in huts.tasks if one.id == task)
    return await masked_arguments(runtime, huts, wanted, golds[task], huts.verifiers[task])


async def test_what_is_written_matters(runtime: Runtime, huts: Bundle, golds: Golds) -> None:
    writing = {tool.name for tool in huts.tools if not tool.annotations.readOnlyHint}
    for task in TASKS:
        found = await masked(runtime, huts, golds, task)
        assert not writing & found.keys()


async def test_an_order_that_the_program_relies_on_matters(runtime: Runtime, huts: Bundle, golds: Golds) -> None:
    """It takes the first of a list that is sorted by rating."""
    assert await masked(runtime, huts, golds, "best_hut_in_reach") == {}


# -- lists -------------------------------------------------------------------------------------------------------------

LEVELS = '''

def list_levels(env, *, item_id: int = 1, sort_by: str = "place") -> dict:
    """Where an item lies, and how much of it."""
    rows = [{"place": "Cellar", "left": 1}, {"place": "Loft", "left": item_id}, {"place": "Shed", "left": 9}]
    return {"levels": sorted(rows, key=lambda row: row[sort_by])}


def place_of(env, *, item_id: int) -> dict:
    """Where an item lies."""
    return {"place": "Cellar"}
'''
SORTED_BY: dict[str, object] = {"type": "string", "enum": ["place", "left"]}
LEVEL = schema({"place": STRING, "left": INTEGER})
LISTED: dict[str, object] = {"type": "array", "items": LEVEL}
LEVEL_TOOLS = [
    tool("list_levels", schema(item_id=INTEGER, sort_by=SORTED_BY), schema({"levels": LISTED}), read_only=True),
    tool("place_of", schema({"item_id": INTEGER}), schema({"place": STRING}), read_only=True),
]
SAYS = "def goal_said(world) -> bool:\n    return world.report.says('place', {!r})\n"


@pytest.mark.parametrize(
    ("call", "answer", "expected"),
    [
        ('min(tools.list_levels(item_id=5, sort_by="left")["levels"], key=lambda one: one["left"])', "Cellar",
         {"list_levels": ["sort_by"]}),
        ('tools.list_levels(item_id=10, sort_by="left")["levels"][1]', "Shed", {}),
        ('tools.place_of(item_id=5)', "Cellar", {"place_of": ["item_id"]}),
        ('{"place": tools.list_levels(item_id=5) and "Cellar"}', "Cellar", {}),
    ],
    ids=["chosen whatever the order", "taken by its place", "told without a choice", "a constant beside a list"],
)  # fmt: skip
async def test_what_a_list_is_chosen_from_matters_whatever_the_choice_comes_to(
    runtime: Runtime, call: str, answer: str, expected: dict[str, list[str]]
) -> None:
    shop = tiny(source=LEVELS, definitions=LEVEL_TOOLS)
    gold, task = await _asked(runtime, shop, form(place="text"), f"{call}['place']")
    assert gold.report.answers == {"place": answer}
    assert await masked_arguments(runtime, shop, task, gold, SAYS.format(answer)) == expected


async def test_a_path_counts_as_the_same_under_the_mask(runtime: Runtime) -> None:
    shop = tiny(source=LEVELS, definitions=LEVEL_TOOLS)
    chosen = 'min(tools.list_levels(item_id=5, sort_by="left")["levels"], key=lambda one: one["left"])["place"]'
    gold, task = await _asked(runtime, shop, form(place="text"), chosen)
    found = await masked_arguments(runtime, shop, task, gold, SAYS.format("Cellar"))
    other = [call.model_copy(update={"arguments": call.arguments | {"sort_by": "place"}}) for call in gold.calls]
    facts = analyze_tools(shop.tools_source, shop.schema_sql)
    strict = path_rules(shop.tools, facts, gold.calls)
    lenient = path_rules(shop.tools, facts, gold.calls, {tool: frozenset(names) for tool, names in found.items()})
    assert path_match(gold.calls, other, strict) < path_match(gold.calls, other, lenient) == 1.0


async def _asked(runtime: Runtime, shop: Bundle, asked: AnswerForm, found: str) -> tuple[ReferenceSolution, Task]:
    """A task whose program reports what this expression finds."""
    task = Task(id="ask", text="What is it?", kind="information")
    name = asked.fields[0].name
    source = f'def solve(tools):\n    found = {found}\n    return {RETURNED} | {{"answers": {{"{name}": found}}}}\n'
    run = await run_solution(runtime, shop, task, source, asked)
    assert run.report is not None, run.error
    gold = ReferenceSolution(
        task=task.id,
        source=source,
        form=asked,
        report=run.report,
        calls=run.calls,
        changes=[],
        state_hash=run.state_hash,
    )
    return gold, task


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

CHEAPEST = '''

def cheapest(env, *, most: float) -> dict:
    """The cheapest item, and how many cost no more than this."""
    return env.one("SELECT 'Item 1' AS name, count(*) AS number FROM items WHERE price <= ?", [most])
'''
COUNTED = schema({"name": STRING, "number": INTEGER})


@pytest.mark.parametrize(
    ("asked", "answer", "expected"),
    [
        ("text", "Item 1", {"cheapest": ["most"]}),
        ("text", "the item 1", {"cheapest": ["most"]}),
        ("money", 245, {}),
        ("yes_no", True, {}),
    ],
    ids=["a name that was told", "in other words", "a sum that nobody told", "what was concluded"],
)
async def test_where_an_answer_was_worked_out_every_row_may_count(
    runtime: Runtime, asked: AnswerType, answer: Json, expected: dict[str, list[str]]
) -> None:
    shop = tiny(source=CHEAPEST, definitions=[tool("cheapest", schema({"most": NUMBER}), COUNTED, read_only=True)])
    gold, task = await _asked(runtime, shop, form(found=asked), f"tools.cheapest(most=24) and {answer!r}")
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
