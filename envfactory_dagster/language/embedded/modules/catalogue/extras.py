"""What comes before and after an order: wishes, vendors, spending, receipt, giving back."""

from envfactory_dagster.language.embedded.kit import Tool, choice, ident, integer, many, row_of, text
from envfactory_dagster.language.embedded.modules.catalogue.ordering import FIND_MY_ORDER, my_order
from envfactory_dagster.language.embedded.modules.catalogue.rows import REASONS
from envfactory_dagster.language.embedded.world import View


def unwished(view: View) -> int:
    wished = {row["item_id"] for row in view.mine("wish")}
    return next(int(item["id"]) for item in view.rows("item") if item["id"] not in wished)


EXTRAS = (
    Tool(
        name="summarize_my_$orders",
        about="Count the signed-in $Person's $Orders by status, with their value in cents.",
        effect="read",
        when="full",
        params={},
        returns={"by_status": many(row_of("order", "status", n=integer(), cents=integer()))},
        code="""
            rows = env.query(
                "SELECT status, count(*) AS n, sum(total_cents) AS cents FROM $orders"
                " WHERE $person_id = ? GROUP BY status ORDER BY status",
                [env.user_id],
            )
            return {"by_status": rows}
        """,
        good=lambda view: {},
    ),
    Tool(
        name="confirm_$order_receipt",
        about="Confirm that one's own shipped $Order has arrived today.",
        effect="change",
        principal="user",
        params={"$order_id": ident("order")},
        returns={"$order_id": integer(), "delivered_on": text()},
        code=FIND_MY_ORDER
        + """
            if order["status"] != "shipped":
                raise env.Error(f"this $Order is {order['status']}, not under way")
            env.execute(
                "UPDATE $orders SET status = 'delivered', delivered_on = ? WHERE id = ?", [env.now[:10], $order_id]
            )
            return {"$order_id": $order_id, "delivered_on": env.now[:10]}
        """,
        good=lambda view: {"order_id": my_order(view, "shipped")["id"]},
        bad=lambda view: {"order_id": my_order(view, "placed")["id"]},
    ),
    Tool(
        name="get_$vendor",
        about="Get $aVendor with the number of $Items it offers.",
        effect="read",
        when="full vendors",
        params={"$vendor_id": ident("vendor")},
        returns={"$vendor": row_of("vendor", "id", "name", "city", "lead_days"), "offers": integer()},
        code="""
            row = env.one("SELECT id, name, city, lead_days FROM $vendors WHERE id = ?", [$vendor_id])
            if row is None:
                raise env.Error(f"there is no $Vendor {$vendor_id}")
            offers = env.one("SELECT count(*) AS n FROM $items WHERE $vendor_id = ?", [$vendor_id])
            return {"$vendor": row, "offers": offers["n"]}
        """,
        good=lambda view: {"vendor_id": 1},
        bad=lambda view: {"vendor_id": view.missing("vendor")},
    ),
    Tool(
        name="list_my_$wishs",
        about="List what the signed-in $Person has saved, newest first.",
        effect="read",
        when="full wishes",
        params={},
        returns={"$wishs": many(row_of("wish", "id", "item_id", "added_at", name=text(), price_cents=integer()))},
        code="""
            rows = env.query(
                "SELECT w.id, w.$item_id, w.added_at, i.name, i.price_cents FROM $wishs w"
                " JOIN $items i ON i.id = w.$item_id WHERE w.$person_id = ? ORDER BY w.added_at DESC, w.id",
                [env.user_id],
            )
            return {"$wishs": rows}
        """,
        good=lambda view: {},
    ),
    Tool(
        name="add_$wish",
        about="Save $aItem for the signed-in $Person.",
        effect="create",
        when="full wishes",
        params={"$item_id": ident("item")},
        returns={"$wish_id": integer()},
        code="""
            if env.one("SELECT id FROM $items WHERE id = ?", [$item_id]) is None:
                raise env.Error(f"there is no $Item {$item_id}")
            if env.one("SELECT id FROM $wishs WHERE $person_id = ? AND $item_id = ?", [env.user_id, $item_id]):
                raise env.Error("this $Item is saved already")
            wish_id = env.insert(
                "INSERT INTO $wishs ($person_id, $item_id, added_at) VALUES (?, ?, ?)",
                [env.user_id, $item_id, env.now],
            )
            return {"$wish_id": wish_id}
        """,
        good=lambda view: {"item_id": unwished(view)},
        bad=lambda view: {"item_id": view.missing("item")},
    ),
    Tool(
        name="remove_$wish",
        about="Forget something the signed-in $Person has saved.",
        effect="delete",
        when="full wishes",
        params={"$wish_id": ident("wish")},
        returns={"removed": integer()},
        code="""
            removed = env.execute("DELETE FROM $wishs WHERE id = ? AND $person_id = ?", [$wish_id, env.user_id])
            if removed == 0:
                raise env.Error(f"you have no $Wish {$wish_id}")
            return {"removed": removed}
        """,
        good=lambda view: {"wish_id": view.mine("wish")[0]["id"]},
        bad=lambda view: {"wish_id": view.need("wish", lambda row: row["person_id"] != 1)["id"]},
    ),
    Tool(
        name="list_my_$givebacks",
        about="List the signed-in $Person's $Givebacks, newest first.",
        effect="read",
        when="full givebacks",
        params={},
        returns={"$givebacks": many(row_of("giveback", "id", "order_id", "reason", "status", "requested_at"))},
        code="""
            rows = env.query(
                "SELECT g.id, g.$order_id, g.reason, g.status, g.requested_at FROM $givebacks g"
                " JOIN $orders o ON o.id = g.$order_id WHERE o.$person_id = ? ORDER BY g.requested_at DESC, g.id",
                [env.user_id],
            )
            return {"$givebacks": rows}
        """,
        good=lambda view: {},
    ),
    Tool(
        name="request_$giveback",
        about="Ask to give back one of the signed-in $Person's delivered $Orders.",
        effect="create",
        when="full givebacks",
        imports="from datetime import date",
        params={"$order_id": ident("order"), "reason": choice("Why it is given back.", *REASONS)},
        returns={"$giveback_id": integer()},
        code=FIND_MY_ORDER
        + """
            if order["status"] != "delivered":
                raise env.Error(f"this $Order is {order['status']}, not delivered")
            #: if order_return_days
            days = (date.fromisoformat(env.now[:10]) - date.fromisoformat(order["delivered_on"])).days
            if days > $returndays:
                raise env.Error(f"this $Order was delivered {days} days ago, more than the $returndays allowed")
            #: end
            if env.one("SELECT id FROM $givebacks WHERE $order_id = ?", [$order_id]):
                raise env.Error("this was asked for already")
            giveback_id = env.insert(
                "INSERT INTO $givebacks ($order_id, reason, status, requested_at) VALUES (?, ?, 'requested', ?)",
                [$order_id, reason, env.now],
            )
            return {"$giveback_id": giveback_id}
        """,
        good=lambda view: {"order_id": my_order(view, "delivered")["id"], "reason": "damaged"},
        bad=lambda view: {"order_id": my_order(view, "placed")["id"], "reason": "damaged"},
    ),
)
