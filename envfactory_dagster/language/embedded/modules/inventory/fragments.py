"""Pieces that several tools of this module share: finding rows of a world, and fragments of code."""

from dataclasses import dataclass

from envfactory_dagster.language.embedded.kit import Row, ident, integer, row_of, text
from envfactory_dagster.language.embedded.modules.inventory.rows import level_of, plentiful
from envfactory_dagster.language.embedded.world import View


@dataclass(frozen=True)
class Move:
    """Some of a good that can be moved between two depots."""

    sku: int
    origin: int
    target: int
    quantity: int


def my_transfer(view: View, status: str) -> Row:
    """The latest transfer of user 1 in a status; the generator makes one of each."""
    return view.mine("transfer", lambda row: row["status"] == status)[-1]


def possible_move(view: View) -> Move:
    origin, target = view.rng.sample([row["id"] for row in view.rows("depot")], 2)
    return Move(view.rng.choice(plentiful(view, origin)), origin, target, view.rng.randint(7, 14))


def addable(view: View) -> Move:
    """What can be added to the draft of user 1."""
    draft = my_transfer(view, "draft")
    inside = {row["sku_id"] for row in view.rows("piece") if row["transfer_id"] == draft["id"]}
    skus = [sku for sku in plentiful(view, draft["from_depot_id"]) if sku not in inside]
    return Move(view.rng.choice(skus), draft["from_depot_id"], draft["to_depot_id"], view.rng.randint(7, 14))


def level_id(view: View, depot_id: int, sku_id: int) -> int:
    found: int = level_of(view, depot_id, sku_id)["id"]
    return found


FIND_MY_TRANSFER = """
            transfer = env.one(
                "SELECT id, status, from_$depot_id, to_$depot_id, created_at, received_on"
                #: if !manifest
                ", $sku_id, quantity"
                #: end
                " FROM $transfers WHERE id = ? AND $person_id = ?",
                [$transfer_id, env.user_id],
            )
            if transfer is None:
                raise env.Error(f"you have no $Transfer {$transfer_id}")
"""
# Needs origin, target, $sku_id and quantity.
MAY_MOVE = """
            sku = env.one("SELECT name, controlled FROM $skus WHERE id = ?", [$sku_id])
            if sku is None:
                raise env.Error(f"there is no $Sku {$sku_id}")
            #: if stock_licence
            receiver = env.one("SELECT licence FROM $depots WHERE id = ?", [target])
            if sku["controlled"] and not receiver["licence"]:
                raise env.Error(f"{sku['name']} is controlled and that $Depot has no licence for that")
            #: end
            level = env.one(
                "SELECT id, on_hand - reserved AS free, reorder_point FROM $levels"
                " WHERE $depot_id = ? AND $sku_id = ?",
                [origin, $sku_id],
            )
            spare = 0 if level is None else level["free"]
            #: if stock_reorder_point
            spare = 0 if level is None else max(0, level["free"] - level["reorder_point"])
            #: end
            if quantity > spare:
                raise env.Error(f"that $Depot can spare only {spare} of {sku['name']}")
"""
RESERVE = """
            env.execute("UPDATE $levels SET reserved = reserved + ? WHERE id = ?", [quantity, level["id"]])
"""
FIND_LEVEL = """
            level = env.one(
                "SELECT id, on_hand, reorder_point FROM $levels WHERE $depot_id = ? AND $sku_id = ?",
                [$depot_id, $sku_id],
            )
            if level is None:
                raise env.Error(f"there is no $Sku {$sku_id} in $aDepot {$depot_id}")
"""
TRANSFER = row_of(
    "transfer",
    "id",
    "from_depot_id",
    "to_depot_id",
    "sku_id",
    "quantity",
    "status",
    "created_at",
    "received_on",
    **{"from_$depot_name": text(), "to_$depot_name": text()},
)
WHAT = {"$sku_id": ident("sku"), "quantity": integer("How many units.", 1, 10_000)}
FROM_TO = {
    "from_$depot_id": ident("depot", "Id of the $Depot it comes from."),
    "to_$depot_id": ident("depot", "Id of the $Depot it goes to."),
}
