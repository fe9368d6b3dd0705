"""What people want done about stock that a rule forbids."""

from envfactory_dagster.language.embedded.kit import Ask, Step, attempt
from envfactory_dagster.language.embedded.modules.inventory.fragments import addable, my_transfer, possible_move
from envfactory_dagster.language.embedded.modules.inventory.rows import CONTROLLED, level_of
from envfactory_dagster.language.embedded.world import View


def _refused_move(view: View, sku: int, origin: int, target: int, quantity: int, reason: tuple[str, ...]) -> Step:
    """A transfer that may not be, by itself or as part of the draft of user 1."""
    values = {
        "quantity": quantity,
        "sku": view.row("sku", sku)["name"],
        "origin": view.row("depot", origin)["name"],
        "target": view.row("depot", target)["name"],
    }
    if view.has("manifest"):
        return Step(
            text="add {quantity} of {sku} to my draft $Transfer from {origin} to {target}",
            values=values,
            solve=attempt(
                'tools.add_to_$transfer($transfer_id=draft["id"], $sku_id=wanted["id"], quantity=quantity)',
                first="""
                    wanted = next(s for s in tools.search_$skus(words=sku)["$skus"] if s["name"] == sku)
                    tools.list_$levels_of_$sku($sku_id=wanted["id"])
                    draft = tools.list_my_$transfers(status="draft")["$transfers"][0]
                """,
            ),
        )
    return Step(
        text="have {quantity} of {sku} moved from {origin} to {target}",
        values=values,
        solve=attempt(
            'tools.request_$transfer($sku_id=wanted["id"], quantity=quantity,'
            " from_$depot_id=depots[origin], to_$depot_id=depots[target])",
            first="""
                depots = {d["name"]: d["id"] for d in tools.list_$depots()["$depots"]}
                wanted = next(s for s in tools.search_$skus(words=sku)["$skus"] if s["name"] == sku)
                tools.list_$levels_of_$sku($sku_id=wanted["id"])
            """,
        ),
    )


def refuse_emptying(view: View) -> Step | None:
    move = addable(view) if view.has("manifest") else possible_move(view)
    level = level_of(view, move.origin, move.sku)
    quantity = level["on_hand"] - level["reserved"] - view.rng.randint(1, 5)
    return _refused_move(view, move.sku, move.origin, move.target, quantity, ("spare", "reorder", "only"))


def refuse_unlicensed(view: View) -> Step | None:
    draft = my_transfer(view, "draft") if view.has("manifest") else {"from_depot_id": 1, "to_depot_id": 3}
    origin, target = draft["from_depot_id"], draft["to_depot_id"]
    plenty = [sku for sku in CONTROLLED if (origin + sku) % 4]
    if view.row("depot", target)["licence"] or not plenty:
        return None
    return _refused_move(view, plenty[0], origin, target, 2, ("controlled", "licence", "licensed"))


def refuse_cancelling_under_way(view: View) -> Step | None:
    return Step(
        text="cancel the $Transfer of mine that is under way",
        values={},
        solve=attempt(
            'tools.cancel_$transfer($transfer_id=transfer["id"])',
            first='transfer = tools.list_my_$transfers(status="dispatched")["$transfers"][0]',
        ),
    )


def refuse_second_supply(view: View) -> Step | None:
    supply = view.row("supply", 1)
    return Step(
        text="order another {quantity} of {sku} for {depot}",
        values={
            "quantity": view.rng.randrange(20, 65, 5),
            "sku": view.row("sku", supply["sku_id"])["name"],
            "depot": view.row("depot", supply["depot_id"])["name"],
        },
        solve=attempt(
            'tools.order_$supply($depot_id=there["id"], $sku_id=wanted["id"], quantity=quantity)',
            first="""
                there = next(d for d in tools.list_$depots()["$depots"] if d["name"] == depot)
                wanted = next(s for s in tools.search_$skus(words=sku)["$skus"] if s["name"] == sku)
                tools.list_$supplys($depot_id=there["id"])
            """,
        ),
    )


REFUSALS = (
    Ask("empty_a_level", refuse_emptying, rule="stock_reorder_point"),
    Ask("unlicensed_transfer", refuse_unlicensed, rule="stock_licence"),
    Ask("cancel_transfer_under_way", refuse_cancelling_under_way, rule="stock_under_way"),
    Ask("second_supply", refuse_second_supply, rule="stock_supply_once", when="full"),
)
