"""A workspace of two small shops with a task family across them, and a home in which it is released.

Belongs here: what tests of rooms above share. Does not: the shops (`support.workspaces`).
"""

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.families import TaskFamily
from envfactory_dagster.contracts.records import StageRecord
from envfactory_dagster.contracts.synthesis import Release
from envfactory_dagster.contracts.workspace import Workspace
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.bundles import BundleStore
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.memo import run_stage
from envfactory_dagster.store.records import RecordStore
from envfactory_dagster.tasks.workspaces import WorkspaceRelease
from tests.support.workspaces import SHOPS, workspace
from tests.tasks.family_kit import family

AS_MANY = '''
def _loaves(world, p):
    return world.one("SELECT count(*) AS n FROM bread_items WHERE price <= ?", [p["most"]])["n"]


def instances(world, rng):
    items = world.query("SELECT id, name FROM beer_items ORDER BY id")
    while True:
        item = rng.choice(items)
        order = {"id": 7, "code": "ORD-00007", "user_id": 1, "item_id": item["id"], "quantity": rng.randint(2, 9),
                 "created_at": "2026-03-01T10:00:00", "confirmed": 0}
        yield {
            "p": {"item": item["name"], "most": rng.randint(12, 60), "id": item["id"]},
            "given": {"beer_orders": [order]},
        }


def solve(tools, p):
    loaves = len(tools.bread_list_items(most=p["most"])["items"])
    item = next(one for one in tools.beer_list_items()["items"] if one["name"] == p["item"])
    tools.beer_place_order(item_id=item["id"], quantity=loaves)
    return {
        "outcome": "done",
        "answers": {"loaves": loaves},
        "reason": None,
        "message": f"There are {loaves} kinds of bread, and I have ordered as many.",
    }


def goal_has_ordered_as_many_as_there_are_loaves(world, p):
    """Has one new order at the brewer's, of as many as the baker has kinds of bread."""
    new = [c["after"] for c in world.changes if c["table"] == "beer_orders" and c["before"] is None]
    return [(row["item_id"], row["quantity"]) for row in new] == [(p["id"], _loaves(world.initial, p))]


def goal_says_how_many_loaves(world, p):
    """Says how many kinds of bread there are."""
    return world.report.says("loaves", _loaves(world.initial, p))


def guard_orders_once_and_leaves_the_baker_alone(world, p):
    """Changed nothing but one new order and the stock at the brewer's."""
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] == "beer_orders" and before is None:
            if after["user_id"] != 1 or after["confirmed"] or after["item_id"] != p["id"]:
                return False
        elif change["table"] != "beer_items" or before is None or after is None or before["id"] != p["id"]:
            return False
        elif after != {**before, "stock": before["stock"] - _loaves(world.initial, p)}:
            return False
    return True


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")
'''


def across() -> TaskFamily:
    return family(
        AS_MANY,
        name="as_many_as_loaves",
        wordings=[
            "See how many breads the baker has at {most} euros or less, and order as many of {item} at the brewer's.",
            "Please order {item} from the brewery, one for each bread of {most} euros or less at the bakery.",
            "How many breads are there up to {most} euros? Get me that many of {item} from the brewer.",
        ],
        answer_form=[{"name": "loaves", "type": "integer", "description": "How many kinds of bread.", "unit": "kinds"}],
    )


class Site:
    """A home with a released workspace."""

    def __init__(self, home: Home, record: StageRecord) -> None:
        self.home, self.record = home, record
        self.release = Release.model_validate(record.artifact)
        self.bundle: Bundle = BundleStore(home).load(record.partition, self.release.version)


def stage(runtime: Runtime, home: Home, joint: Workspace, *families: TaskFamily) -> WorkspaceRelease:
    return WorkspaceRelease(runtime, BundleStore(home), joint, families, SHOPS, 10)


async def released_site(runtime: Runtime, home: Home) -> Site:
    release = stage(runtime, home, workspace(), across())
    return Site(home, await run_stage(RecordStore(home), release, workspace().key))
