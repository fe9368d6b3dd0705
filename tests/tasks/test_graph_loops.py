"""Tasks of many calls: one wish about a whole list."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
import pytest_asyncio

from envfactory_dagster.authoring.settings import AuthoringSettings
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.synthesis import MadeTask
from envfactory_dagster.contracts.tools import ToolDefinition
from envfactory_dagster.contracts.truth import TracedStep
from envfactory_dagster.runtime.facts import analyze_tools
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.tasks.authored import difficulty
from envfactory_dagster.tasks.graph_tasks.describing import context_of
from envfactory_dagster.tasks.graph_tasks.fields import fields_of, form_of
from envfactory_dagster.tasks.graph_tasks.making import Maker, Wanted
from envfactory_dagster.tasks.graph_tasks.program import program
from envfactory_dagster.tasks.graph_tasks.steps import Walked
from envfactory_dagster.tasks.graph_tasks.wanted_drafts import WalkDraft
from envfactory_dagster.truth.execution import run_solution
from envfactory_dagster.truth.start_rows import StartRows, schema_of
from tests.support.tiny import INTEGER, STRING, schema, tiny, tool
from tests.tasks.graph_kit import huts_graph
from tests.tasks.program_kit import gateway_of
from tests.tasks.wording_kit import plain_words

GOODS = '''

def list_goods(env) -> dict:
    """List the goods."""
    return {
        "goods": env.query(
            "SELECT id, name, CASE id % 3 WHEN 0 THEN 'tool' ELSE 'toy' END AS kind, stock FROM items ORDER BY id"
        )
    }


def get_good(env, *, good_id: int) -> dict:
    """Look one good up."""
    row = env.one("SELECT id, name, stock, id % 7 + 1 AS pieces FROM items WHERE id = ?", [good_id])
    if row is None:
        raise env.Error(f"there is no good {good_id}")
    return row


def withdraw_good(env, *, good_id: int) -> dict:
    """Take a good off the shelves."""
    if not env.execute("UPDATE items SET stock = 0 WHERE id = ? AND stock > 0", [good_id]):
        raise env.Error(f"there is no good {good_id} on the shelves")
    return {"withdrawn": True}
'''
SHOWN = schema({"id": INTEGER, "name": STRING, "kind": STRING, "stock": INTEGER})
ONE_GOOD = schema({"good_id": INTEGER})
TOOLS: list[ToolDefinition] = [
    tool("list_goods", None, schema({"goods": {"type": "array", "items": SHOWN}}), read_only=True),
    tool(
        "get_good",
        ONE_GOOD,
        schema({"id": INTEGER, "name": STRING, "stock": INTEGER, "pieces": INTEGER}),
        read_only=True,
    ),
    tool("withdraw_good", ONE_GOOD, schema({"withdrawn": {"type": "boolean"}})),
]


def goods(items: int) -> Bundle:
    """A shop whose goods, two toys to a tool, have a number of pieces that only a look at each of them shows."""
    names = {one.name for one in TOOLS}
    shop = tiny("goods", source=GOODS, definitions=TOOLS, items=items)
    return replace(shop, tools=[one for one in shop.tools if one.name in names])


@pytest_asyncio.fixture(scope="module")
async def maker(runtime: Runtime, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Maker]:
    shop = goods(24)
    async with gateway_of(tmp_path_factory.mktemp("author"), plain_words) as gateway:
        facts = analyze_tools(shop.tools_source, shop.schema_sql)
        yield Maker(gateway, runtime, AuthoringSettings(), shop, huts_graph(shop), facts)


async def drafts(maker: Maker, level: int, bundle: Bundle | None = None) -> list[Walked]:
    """Many tasks of one level, over several seeds."""
    found: list[Walked] = []
    for seed in range(4):
        afresh = replace(maker, bundle=bundle or maker.bundle, _known=set(), _states={})
        found += await afresh.drafts(Wanted(f"level_{level}", level, "initial"), seed)
    return found


@pytest.mark.parametrize(("level", "items", "least", "most"), [(6, 24, 10, 20), (7, 24, 21, 40), (8, 48, 41, 120)])
async def test_a_level_takes_as_many_calls_as_it_says(
    maker: Maker, level: int, items: int, least: int, most: int
) -> None:
    found = await drafts(maker, level, goods(items))
    assert found
    assert all(least <= walked.calls <= most for walked in found)


async def test_many_calls_are_one_wish(maker: Maker) -> None:
    for walked in [*await drafts(maker, 6), *await drafts(maker, 7)]:
        [wish] = context_of(maker.bundle, walked, "initial", obscured=False).wishes
        [thing] = wish.things if wish.telling is None else [wish.telling.thing]
        assert thing is not None and thing.every and thing.kind == "good"


async def test_something_is_found_out_of_all_or_done_to_each(maker: Maker) -> None:
    found = await drafts(maker, 7)
    assert {walked.loop.deed.tool for walked in found if walked.loop and walked.loop.deed} == {"withdraw_good"}
    assert {telling.about for walked in found for telling in walked.tellings} == {"The pieces of all goods together"}


async def test_what_the_list_shows_already_is_not_looked_up_one_by_one(maker: Maker) -> None:
    """Names, kinds and stocks stand in the list: a loop that asked for them would be longer than its task."""
    told = [telling.field for level in (6, 7) for walked in await drafts(maker, level) for telling in walked.tellings]
    assert set(told) == {"pieces"}


async def test_the_program_of_a_loop_makes_all_its_calls_and_finds_what_was_found(
    maker: Maker, runtime: Runtime
) -> None:
    shop = maker.bundle
    ground = StartRows(schema_of(shop.schema_sql), shop.states["initial"].image)
    for walked in [*await drafts(maker, 6), *await drafts(maker, 7)]:
        fields = fields_of(walked, shop, maker.facts, ground)
        task = Task(id="w", text="w", kind="action", state="initial")
        run = await run_solution(runtime, shop, task, program(walked, fields), form_of(fields))
        assert run.error is None and run.report is not None
        assert len(run.calls) == walked.calls
        assert run.report.answers == {one.field.name: one.value for one in fields}
        assert [call.arguments for call in run.calls if call.outcome != "ok"] == []


@pytest_asyncio.fixture(scope="module")
async def made(maker: Maker) -> list[MadeTask]:
    afresh = replace(maker, _known=set(), _states={})
    tasks: list[MadeTask] = []
    for wanted in (Wanted("six", 6, "initial"), Wanted("seven", 7, "initial")):
        tried = await afresh.make(wanted, [WalkDraft(one) for one in await afresh.drafts(wanted, 0)])
        assert tried.made is not None, tried.dropped
        tasks.append(tried.made)
    return tasks


def test_a_long_task_stands_the_trials_of_the_truth(made: list[MadeTask]) -> None:
    for one in made:
        assert one.verifier.gate.passed
        assert one.verifier.gate.kill_rate == one.verifier.gate.acceptance_rate == 1.0


def test_calls_are_counted_one_by_one_and_steps_of_the_graph_once(made: list[MadeTask]) -> None:
    six, seven = (one.difficulty for one in made)
    assert 10 <= six.calls <= 20 < seven.calls <= 40
    assert (seven.weak_edges, seven.independent_steps) == (0, 0)


async def test_where_no_list_is_long_enough_that_is_said(maker: Maker) -> None:
    afresh = replace(maker, bundle=goods(5), _known=set(), _states={})
    wanted = Wanted("too_long", 8, "initial")
    tried = await afresh.make(wanted, [WalkDraft(one) for one in await afresh.drafts(wanted, 0)])
    assert tried.made is None
    [dropped] = tried.dropped
    assert dropped.reason == "no list is long enough: going through one takes 6 calls at most, 41 are wanted"


def test_a_call_that_tells_nothing_new_is_not_counted(maker: Maker) -> None:
    def call(good: int, stock: int) -> TracedStep:
        return TracedStep(tool="get_good", arguments={"good_id": good}, outcome="ok", value={"stock": stock})

    measured = difficulty([call(1, 5), call(2, 5), call(1, 5), call(1, 4)], maker.facts)
    assert (measured.calls, measured.level) == (3, 2)
