"""Moving stock between depots, and ordering new stock."""

from typing import Any

from envfactory_dagster.language.embedded.kit import Tool, choice, ident, integer, many, optional, row_of, text
from envfactory_dagster.language.embedded.modules.inventory.fragments import (
    FIND_MY_TRANSFER,
    FROM_TO,
    MAY_MOVE,
    RESERVE,
    TRANSFER,
    WHAT,
    addable,
    my_transfer,
    possible_move,
)
from envfactory_dagster.language.embedded.modules.inventory.rows import STATUSES
from envfactory_dagster.language.embedded.world import View

_WHERE = """
            if from_$depot_id == to_$depot_id:
                raise env.Error("$aTransfer goes from one $Depot to another")
            if env.one("SELECT id FROM $depots WHERE id = ?", [from_$depot_id]) is None:
                raise env.Error(f"there is no $Depot {from_$depot_id}")
            if env.one("SELECT id FROM $depots WHERE id = ?", [to_$depot_id]) is None:
                raise env.Error(f"there is no $Depot {to_$depot_id}")
"""
# The goods of a transfer: one, or as many as were added to it.
_CONTENTS = """
            contents = env.query(
                #: if manifest
                "SELECT $sku_id, quantity FROM $pieces WHERE $transfer_id = ?",
                #: end
                #: if !manifest
                "SELECT $sku_id, quantity FROM $transfers WHERE id = ?",
                #: end
                [$transfer_id],
            )
"""


def supply_wanted(view: View) -> dict[str, Any]:
    """A depot and a good on offer with nothing on order for it."""
    taken = {(row["depot_id"], row["sku_id"]) for row in view.rows("supply") if row["status"] == "ordered"}
    free = next(
        (depot["id"], sku["id"])
        for depot in view.rows("depot")
        for sku in view.rows("sku")
        if sku["status"] == "active" and (depot["id"], sku["id"]) not in taken
    )
    return {"depot_id": free[0], "sku_id": free[1], "quantity": 25}


def _move_call(view: View) -> dict[str, Any]:
    move = possible_move(view)
    return {
        "sku_id": move.sku,
        "quantity": move.quantity,
        "from_depot_id": move.origin,
        "to_depot_id": move.target,
    }


def _add_call(view: View) -> dict[str, Any]:
    move = addable(view)
    return {"transfer_id": my_transfer(view, "draft")["id"], "sku_id": move.sku, "quantity": move.quantity}


_TRANSFERS = (
    Tool(
        name="list_my_$transfers",
        about="List the $Transfers the signed-in $Person asked for, newest first, optionally of one status.",
        effect="read",
        params={"status": optional(choice("Only $Transfers of this status.", *STATUSES))},
        returns={"$transfers": many(TRANSFER)},
        code="""
            rows = env.query(
                "SELECT t.id, t.from_$depot_id, t.to_$depot_id, t.status, t.created_at, t.received_on,"
                #: if !manifest
                " t.$sku_id, t.quantity,"
                #: end
                " a.name AS from_$depot_name, b.name AS to_$depot_name FROM $transfers t"
                " JOIN $depots a ON a.id = t.from_$depot_id JOIN $depots b ON b.id = t.to_$depot_id"
                " WHERE t.$person_id = :me AND (:status IS NULL OR t.status = :status)"
                " ORDER BY t.created_at DESC, t.id",
                {"me": env.user_id, "status": status},
            )
            return {"$transfers": rows}
        """,
        good=lambda view: {"status": "requested"},
    ),
    Tool(
        name="list_$pieces",
        about="List what one of the signed-in $Person's $Transfers consists of.",
        effect="read",
        when="manifest",
        params={"$transfer_id": ident("transfer")},
        returns={"$pieces": many(row_of("piece", "id", "sku_id", "quantity", **{"$sku_name": text()}))},
        code=FIND_MY_TRANSFER
        + """
            rows = env.query(
                "SELECT p.id, p.$sku_id, p.quantity, s.name AS $sku_name FROM $pieces p"
                " JOIN $skus s ON s.id = p.$sku_id WHERE p.$transfer_id = ? ORDER BY p.id",
                [$transfer_id],
            )
            return {"$pieces": rows}
        """,
        good=lambda view: {"transfer_id": my_transfer(view, "draft")["id"]},
        bad=lambda view: {"transfer_id": view.need("transfer", lambda row: row["person_id"] != 1)["id"]},
    ),
    Tool(
        name="request_$transfer",
        about="Ask for some of $aSku to be moved from one $Depot to another; it is reserved until then.",
        effect="create",
        when="!manifest",
        params={**WHAT, **FROM_TO},
        returns={"$transfer_id": integer(), "status": choice("", "requested")},
        code=_WHERE
        + """
            origin, target = from_$depot_id, to_$depot_id
"""
        + MAY_MOVE
        + """
            transfer_id = env.insert(
                "INSERT INTO $transfers ($person_id, from_$depot_id, to_$depot_id, $sku_id, quantity, status,"
                " created_at) VALUES (?, ?, ?, ?, ?, 'requested', ?)",
                [env.user_id, from_$depot_id, to_$depot_id, $sku_id, quantity, env.now],
            )
"""
        + RESERVE
        + """
            return {"$transfer_id": transfer_id, "status": "requested"}
        """,
        good=_move_call,
        bad=lambda view: _move_call(view) | {"sku_id": view.missing("sku")},
    ),
    Tool(
        name="start_$transfer",
        about="Begin $aTransfer from one $Depot to another, as an empty draft.",
        effect="create",
        when="manifest",
        params=FROM_TO,
        returns={"$transfer_id": integer(), "status": choice("", "draft")},
        code=_WHERE
        + """
            transfer_id = env.insert(
                "INSERT INTO $transfers ($person_id, from_$depot_id, to_$depot_id, status, created_at)"
                " VALUES (?, ?, ?, 'draft', ?)",
                [env.user_id, from_$depot_id, to_$depot_id, env.now],
            )
            return {"$transfer_id": transfer_id, "status": "draft"}
        """,
        good=lambda view: {"from_depot_id": 1, "to_depot_id": 2},
        bad=lambda view: {"from_depot_id": 1, "to_depot_id": 1},
    ),
    Tool(
        name="add_to_$transfer",
        about="Add some of $aSku to a draft $Transfer of the signed-in $Person; it is reserved from then on.",
        effect="create",
        when="manifest",
        params={"$transfer_id": ident("transfer", "Id of the draft $Transfer."), **WHAT},
        returns={"$piece_id": integer(), "quantity": integer()},
        code=FIND_MY_TRANSFER
        + """
            if transfer["status"] != "draft":
                raise env.Error(f"this $Transfer is {transfer['status']} already")
            if env.one("SELECT id FROM $pieces WHERE $transfer_id = ? AND $sku_id = ?", [$transfer_id, $sku_id]):
                raise env.Error("this $Sku is in the $Transfer already")
            origin, target = transfer["from_$depot_id"], transfer["to_$depot_id"]
"""
        + MAY_MOVE
        + """
            piece_id = env.insert(
                "INSERT INTO $pieces ($transfer_id, $sku_id, quantity) VALUES (?, ?, ?)",
                [$transfer_id, $sku_id, quantity],
            )
"""
        + RESERVE
        + """
            return {"$piece_id": piece_id, "quantity": quantity}
        """,
        good=_add_call,
        bad=lambda view: _add_call(view) | {"transfer_id": my_transfer(view, "dispatched")["id"]},
    ),
    Tool(
        name="submit_$transfer",
        about="Ask for a draft $Transfer of the signed-in $Person to be carried out.",
        effect="change",
        when="manifest",
        params={"$transfer_id": ident("transfer", "Id of the draft $Transfer.")},
        returns={"$transfer_id": integer(), "status": choice("", "requested")},
        code=FIND_MY_TRANSFER
        + """
            if transfer["status"] != "draft":
                raise env.Error(f"this $Transfer is {transfer['status']} already")
            if env.one("SELECT id FROM $pieces WHERE $transfer_id = ?", [$transfer_id]) is None:
                raise env.Error("this $Transfer is empty")
            env.execute("UPDATE $transfers SET status = 'requested' WHERE id = ?", [$transfer_id])
            return {"$transfer_id": $transfer_id, "status": "requested"}
        """,
        good=lambda view: {"transfer_id": my_transfer(view, "draft")["id"]},
        bad=lambda view: {"transfer_id": my_transfer(view, "dispatched")["id"]},
    ),
    Tool(
        name="cancel_$transfer",
        about="Cancel one of the signed-in $Person's $Transfers; what it reserved is free again.",
        effect="change",
        params={"$transfer_id": ident("transfer")},
        returns={"$transfer_id": integer(), "status": choice("", "cancelled")},
        code=FIND_MY_TRANSFER
        + """
            if transfer["status"] in ("received", "cancelled"):
                raise env.Error(f"this $Transfer is {transfer['status']} already")
            #: if stock_under_way
            if transfer["status"] == "dispatched":
                raise env.Error("this $Transfer is dispatched already and cannot be cancelled")
            #: end
"""
        + _CONTENTS
        + """
            for item in contents:
                env.execute(
                    "UPDATE $levels SET reserved = reserved - ? WHERE $depot_id = ? AND $sku_id = ?",
                    [item["quantity"], transfer["from_$depot_id"], item["$sku_id"]],
                )
            env.execute("UPDATE $transfers SET status = 'cancelled' WHERE id = ?", [$transfer_id])
            return {"$transfer_id": $transfer_id, "status": "cancelled"}
        """,
        good=lambda view: {"transfer_id": my_transfer(view, "requested")["id"]},
        bad=lambda view: {"transfer_id": my_transfer(view, "received")["id"]},
    ),
    Tool(
        name="receive_$transfer",
        about="Confirm that one's own dispatched $Transfer has arrived today, which moves the stock.",
        effect="change",
        principal="user",
        when="full",
        params={"$transfer_id": ident("transfer")},
        returns={"$transfer_id": integer(), "received_on": text()},
        code=FIND_MY_TRANSFER
        + """
            if transfer["status"] != "dispatched":
                raise env.Error(f"this $Transfer is {transfer['status']}, not under way")
"""
        + _CONTENTS
        + """
            for item in contents:
                env.execute(
                    "UPDATE $levels SET on_hand = on_hand - ?, reserved = reserved - ?"
                    " WHERE $depot_id = ? AND $sku_id = ?",
                    [item["quantity"], item["quantity"], transfer["from_$depot_id"], item["$sku_id"]],
                )
                env.execute(
                    "UPDATE $levels SET on_hand = on_hand + ? WHERE $depot_id = ? AND $sku_id = ?",
                    [item["quantity"], transfer["to_$depot_id"], item["$sku_id"]],
                )
            env.execute(
                "UPDATE $transfers SET status = 'received', received_on = ? WHERE id = ?",
                [env.now[:10], $transfer_id],
            )
            return {"$transfer_id": $transfer_id, "received_on": env.now[:10]}
        """,
        good=lambda view: {"transfer_id": my_transfer(view, "dispatched")["id"]},
        bad=lambda view: {"transfer_id": my_transfer(view, "requested")["id"]},
    ),
)

_SUPPLIES = (
    Tool(
        name="list_$supplys",
        about="List every $Supply for one $Depot, newest first, and whether the signed-in $Person ordered it.",
        effect="read",
        when="full",
        params={"$depot_id": ident("depot")},
        returns={
            "$supplys": many(row_of("supply", "id", "sku_id", "quantity", "status", "ordered_on", mine=integer()))
        },
        code="""
            if env.one("SELECT id FROM $depots WHERE id = ?", [$depot_id]) is None:
                raise env.Error(f"there is no $Depot {$depot_id}")
            rows = env.query(
                "SELECT id, $sku_id, quantity, status, ordered_on, ($person_id = ?) AS mine FROM $supplys"
                " WHERE $depot_id = ? ORDER BY ordered_on DESC, id",
                [env.user_id, $depot_id],
            )
            return {"$supplys": rows}
        """,
        good=lambda view: {"depot_id": 1},
        bad=lambda view: {"depot_id": view.missing("depot")},
    ),
    Tool(
        name="order_$supply",
        about="Order new stock of $aSku for $aDepot in the signed-in $Person's name.",
        effect="create",
        when="full",
        params={"$depot_id": ident("depot"), **WHAT},
        returns={"$supply_id": integer(), "status": choice("", "ordered")},
        code="""
            sku = env.one("SELECT name, status FROM $skus WHERE id = ?", [$sku_id])
            if sku is None or env.one("SELECT id FROM $depots WHERE id = ?", [$depot_id]) is None:
                raise env.Error(f"there is no $Sku {$sku_id} or no $Depot {$depot_id}")
            if sku["status"] != "active":
                raise env.Error(f"{sku['name']} is phased out")
            #: if stock_supply_once
            waiting = env.one(
                "SELECT ordered_on FROM $supplys WHERE $depot_id = ? AND $sku_id = ? AND status = 'ordered'",
                [$depot_id, $sku_id],
            )
            if waiting is not None:
                raise env.Error(f"some was ordered already on {waiting['ordered_on']} and has not come yet")
            #: end
            supply_id = env.insert(
                "INSERT INTO $supplys ($person_id, $depot_id, $sku_id, quantity, status, ordered_on)"
                " VALUES (?, ?, ?, ?, 'ordered', ?)",
                [env.user_id, $depot_id, $sku_id, quantity, env.now[:10]],
            )
            return {"$supply_id": supply_id, "status": "ordered"}
        """,
        good=supply_wanted,
        bad=lambda view: supply_wanted(view) | {"sku_id": view.missing("sku")},
    ),
    Tool(
        name="cancel_$supply",
        about="Cancel $aSupply that the signed-in $Person ordered and that has not come yet.",
        effect="change",
        when="full",
        params={"$supply_id": ident("supply")},
        returns={"$supply_id": integer(), "status": choice("", "cancelled")},
        code="""
            changed = env.execute(
                "UPDATE $supplys SET status = 'cancelled' WHERE id = ? AND $person_id = ? AND status = 'ordered'",
                [$supply_id, env.user_id],
            )
            if changed == 0:
                raise env.Error(f"you have no $Supply {$supply_id} on order")
            return {"$supply_id": $supply_id, "status": "cancelled"}
        """,
        good=lambda view: {"supply_id": 1},
        bad=lambda view: {"supply_id": view.missing("supply")},
    ),
)

MOVING = (*_TRANSFERS, *_SUPPLIES)
