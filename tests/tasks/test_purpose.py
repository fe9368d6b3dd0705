"""Of a walk over the graph, the part that somebody would want as one thing."""

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.tasks.graph_tasks.purpose import of_one_purpose
from envfactory_dagster.tasks.graph_tasks.steps import Chosen, Item, Said, Sign, Step
from tests.support.tiny import tiny

SHOP: Bundle = tiny()
LAMP = Item(1, "items", (Sign("name", "is", "lamp"),))
CHAIR = Item(1, "items", (Sign("name", "is", "chair"),))


def step(number: int, tool: str, *, changes: bool = False, item: Item | None = None) -> Step:
    source = Chosen(item, "id", 1) if item is not None else Said(1)
    return Step(number, tool, {"item_id": source}, {}, changes)


def kept(*steps: Step, most_ends: int = 1) -> list[int]:
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
