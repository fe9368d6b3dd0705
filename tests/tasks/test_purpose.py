"""Of a walk over the graph, the part that somebody would want as one thing."""

from random import Random

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.graph import GraphEdge, GraphParameter, GraphTool, ParameterLink, ToolGraph
from envfactory_dagster.runtime.facts import analyze_tools
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.tasks.graph_tasks.dial import Dial
from envfactory_dagster.tasks.graph_tasks.steps import Chosen, Item, KnownValue, Sign, WalkStep
from envfactory_dagster.tasks.graph_tasks.values import Values
from envfactory_dagster.tasks.graph_tasks.walking import WalkContext, of_one_purpose, walk
from envfactory_dagster.truth.start_rows import StartRows, schema_of
from tests.support.tiny import BOOLEAN, schema, tiny, tool

SHOP: Bundle = tiny()
LAMP = Item(1, "items", (Sign("name", "is", "lamp"),))
CHAIR = Item(1, "items", (Sign("name", "is", "chair"),))


def step(number: int, tool: str, *, changes: bool = False, item: Item | None = None) -> WalkStep:
    source = Chosen(item, "id", 1) if item is not None else KnownValue(1)
    return WalkStep(number, tool, {"item_id": source}, {}, changes)


def kept(*steps: WalkStep, most_ends: int = 1) -> list[int]:
    return [one.number for one in of_one_purpose(SHOP, steps, most_ends)]


def test_what_leads_to_the_end_is_kept_and_another_question_is_not() -> None:
    walk = step(1, "list_items"), step(2, "get_item"), step(3, "place_order", changes=True, item=LAMP)
    assert kept(*walk) == [1, 3]
    assert kept(*walk, most_ends=2) == [1, 3], "it has nothing to do with the lamp"


def test_a_second_end_is_kept_when_it_is_about_the_same_thing() -> None:
    listing, ordering = step(1, "list_items"), step(2, "place_order", changes=True, item=LAMP)
    asking, other = step(3, "get_item", item=LAMP), step(4, "get_item", item=CHAIR)
    assert kept(listing, ordering, asking, other, most_ends=2) == [1, 2, 3]
    assert kept(listing, ordering, other, most_ends=2) in ([1, 2], [1, 4])


def test_nothing_is_kept_of_nothing() -> None:
    assert kept() == []


RESTOCK = '''

def restock(env) -> dict:
    """Put one more of everything on the shelf."""
    env.execute("UPDATE items SET stock = stock + 1")
    return {"done": True}
'''


async def test_what_was_cut_away_is_not_seen_in_the_end(runtime: Runtime) -> None:
    """Whether a look-up shows the same in the end is asked of the steps that are left."""
    shop = tiny("restocked-shop", source=RESTOCK, definitions=[tool("restock", result=schema({"done": BOOLEAN}))])
    item_id = GraphParameter(name="item_id", required=True, internal=True)
    graph = ToolGraph(
        tools=[
            GraphTool(name="list_items", principal="assistant", read_only=True, parameters=[], outputs=["items[].id"]),
            GraphTool(name="get_item", principal="assistant", read_only=True, parameters=[item_id], outputs=["stock"]),
            GraphTool(name="restock", principal="assistant", read_only=False, parameters=[], outputs=["done"]),
        ],
        edges=[
            GraphEdge(
                source="list_items",
                target="get_item",
                weight=3,
                links=[ParameterLink(output="items[].id", parameter="item_id", evidence="lineage")],
            )
        ],
    )
    facts, start_rows = (
        analyze_tools(shop.tools_source, shop.schema_sql),
        StartRows(schema_of(SHOP.schema_sql), SHOP.states["initial"].image),
    )
    walk_context = WalkContext(runtime, shop, graph, Values(shop, facts, start_rows, "initial"), "initial")
    dial = Dial(2, sampled=3, least_calls=1, most_calls=3, optional=0.0)

    steps = await walk(walk_context, ("list_items", "get_item", "restock"), dial, Random(0))

    assert [one.tool for one in steps] == ["list_items", "get_item"], "putting things on the shelf is another wish"
    assert [one.afterwards for one in steps] == [one.result for one in steps]
