"""What a walk is asked for is as true in the end as at the start."""

from random import Random

import pytest

from envfactory_dagster.tasks.graph_tasks.asking import asked
from envfactory_dagster.tasks.graph_tasks.describing import context_of
from envfactory_dagster.tasks.graph_tasks.dial import Dial
from envfactory_dagster.tasks.graph_tasks.steps import Item, Sign, Walked, WalkStep, WantedAnswer
from tests.support.tiny import schema, tiny, tool


def piece(name: str, **more: str) -> dict[str, str]:
    return {"piece": name, **more}


def test_a_field_that_is_gone_in_the_end_is_not_asked_for() -> None:
    """The tool may leave `ready` out, and does so once the piece is taken."""
    before = [piece("map of the bay", ready="2026-05-04"), piece("school roll", ready="2026-05-09")]
    after = [piece("map of the bay"), piece("school roll")]
    for afterwards, is_asked_for in ((before, True), (after, False)):
        step = WalkStep(1, "list_items", {}, {"items": list(before)}, False, {"items": list(afterwards)})
        found = {
            telling.field
            for seed in range(40)
            for telling in asked(tiny(), [step], Dial(2, 2, 1, 9, 0.0), Random(seed)).tellings
            if telling.how == "value"
        }
        assert ("ready" in found) is is_asked_for


@pytest.mark.parametrize(("asked_for", "called"), [("day", ["Ada Moss"]), ("trader_name", [])])
def test_the_names_in_a_row_are_told_to_who_words_it_but_for_one_that_is_asked_for(
    asked_for: str, called: list[str]
) -> None:
    """A visit that is known by its code is somebody's."""
    visits = [
        {"code": "V-1", "trader_name": "Ada Moss", "day": "2026-05-04"},
        {"code": "V-2", "trader_name": "Rolf Ek", "day": "2026-05-09"},
    ]
    bundle = tiny(definitions=[tool("list_visits", schema({}), read_only=True)])
    item = Item(1, "visits", (Sign("code", "is", "V-1"),))
    value = next(value for name, value in visits[0].items() if name == asked_for)
    walked = Walked(
        (WalkStep(1, "list_visits", {}, {"visits": list(visits)}, False),),
        (WantedAnswer(1, "value", "visits", asked_for, item, value),),
    )
    [wish] = context_of(bundle, walked, "initial", obscured=False).wishes
    assert wish.telling is not None and wish.telling.thing is not None
    assert wish.telling.thing.called == called
