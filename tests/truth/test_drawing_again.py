"""A task of which the first draw makes too few ends is drawn again before it is given up."""

from collections import Counter
from dataclasses import replace

import pytest

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.truth import TaskGate, Verifier
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.truth.gate import LEAST_MUTANTS, LEAST_VARIANTS, STRAY, try_verifier
from envfactory_dagster.truth.verifiers import problems_of
from tests.support.reports import RETURNED
from tests.support.tiny import tiny, tool
from tests.truth.references import reference

ORDERING = Task(id="two_of_them", text="Please order two of the first item for me.", kind="action")
ORDERS = """
def guard_reports_it_as_done(world):
    return world.report.outcome in (None, "done")


def goal_two_are_ordered(world):
    orders = world.final.query("SELECT * FROM orders")
    return [(o["user_id"], o["item_id"], o["quantity"]) for o in orders] == [(1, 1, 2)]


def guard_nothing_else(world):
    return len(world.changes) <= 2 and all(
        c["before"] is None or (c["table"], c["key"], c["after"]) == ("items", [1], {**c["before"], "stock": 9998})
        for c in world.changes
    )
"""


def shop(*tools: str, items: int = 60) -> Bundle:
    whole = tiny(items=items)
    return replace(
        whole,
        tools=[tool for tool in whole.tools if tool.name in tools],
        tasks=[ORDERING],
        solutions={
            ORDERING.id: f"def solve(tools):\n    tools.place_order(item_id=1, quantity=2)\n    return {RETURNED}\n"
        },
    )


async def tried(runtime: Runtime, bundle: Bundle, task: Task, source: str) -> TaskGate:
    gold = await reference(runtime, bundle, task)
    return await try_verifier(runtime, bundle, task, gold, Verifier(task=task.id, source=source))


def counted(gate: TaskGate) -> tuple[int, int]:
    kinds = Counter(trial.kind for trial in gate.trials if trial.operator != STRAY)
    return kinds["mutant"], kinds["variant"]


@pytest.mark.parametrize(
    "bundle",
    [shop("place_order"), shop("place_order", "get_item", "list_items", items=1)],
    ids=["nothing can be looked up", "there is one item"],
)
async def test_more_ends_are_looked_for_where_the_first_draw_made_too_few(runtime: Runtime, bundle: Bundle) -> None:
    gate = await tried(runtime, bundle, ORDERING, ORDERS)
    assert problems_of(gate) == []
    assert gate.passed
    drawn, variants = counted(gate)
    assert drawn >= LEAST_MUTANTS
    assert variants >= LEAST_VARIANTS
    assert await tried(runtime, bundle, ORDERING, ORDERS) == gate


RESTOCKING = Task(id="fill_up", text="Please fill the shelf of the first item up.", kind="action")
RESTOCK = '''
def restock(env) -> dict:
    """Fill the shelf up."""
    env.execute("UPDATE items SET stock = 20000 WHERE id = 1")
    return {}
'''
RESTOCKED = """
def guard_reports_it_as_done(world):
    return world.report.outcome in (None, "done")


def goal_full(world):
    return world.final.one("SELECT stock FROM items WHERE id = 1")["stock"] == 20000


def guard_nothing_else(world):
    return all((c["table"], c["key"]) == ("items", [1]) for c in world.changes) and not [
        c for c in world.changes if c["after"] != {**c["before"], "stock": 20000}
    ]
"""


async def test_a_task_with_nothing_to_do_wrongly_is_given_up_after_the_second_draw(runtime: Runtime) -> None:
    bundle = replace(
        tiny(source=RESTOCK),
        tools=[tool("restock")],
        tasks=[RESTOCKING],
        solutions={RESTOCKING.id: f"def solve(tools):\n    tools.restock()\n    return {RETURNED}\n"},
    )
    gate = await tried(runtime, bundle, RESTOCKING, RESTOCKED)
    assert not gate.passed
    assert gate.refused + gate.survivors == []
    [problem] = problems_of(gate)
    assert not problem.mendable
    drawn, variants = counted(gate)
    assert drawn < LEAST_MUTANTS
    assert variants >= LEAST_VARIANTS
