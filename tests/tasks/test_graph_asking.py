"""What a walk is asked for is as true in the end as at the start."""

from random import Random

from envfactory_dagster.tasks.graph_tasks.asking import asked
from envfactory_dagster.tasks.graph_tasks.dial import Dial
from envfactory_dagster.tasks.graph_tasks.steps import Step
from tests.support.tiny import tiny


def piece(name: str, **more: str) -> dict[str, str]:
    return {"piece": name, **more}


def test_a_field_that_is_gone_in_the_end_is_not_asked_for() -> None:
    """The tool may leave `ready` out, and does so once the piece is taken."""
    before = [piece("map of the bay", ready="2026-05-04"), piece("school roll", ready="2026-05-09")]
    after = [piece("map of the bay"), piece("school roll")]
    for afterwards, is_asked_for in ((before, True), (after, False)):
        step = Step(1, "list_items", {}, {"items": list(before)}, False, {"items": list(afterwards)})
        found = {
            telling.field
            for seed in range(40)
            for telling in asked(tiny(), [step], Dial(2, 2, 1, 9, 0.0), Random(seed)).tellings
            if telling.how == "value"
        }
        assert ("ready" in found) is is_asked_for
