"""Finding things and ordering them."""

from envfactory_dagster.language.embedded.kit import (
    Row,
    Tool,
    choice,
    ident,
    integer,
    many,
    optional,
    row_of,
    text,
)
from envfactory_dagster.language.embedded.world import View

STATUSES = ("draft", "placed", "shipped", "delivered", "cancelled")


def orderable(view: View) -> list[Row]:
    return view.select("item", lambda row: row["status"] == "available" and row["stock"] >= 5)


def my_order(view: View, status: str) -> Row:
    """The latest order of user 1 in a status; the generator makes one of each."""
    return view.mine("order", lambda row: row["status"] == status)[-1]


def not_in_draft(view: View) -> Row:
    """An item that the draft of user 1 lacks."""
    inside = {
        row["item_id"] for row in view.select("line", lambda row: row["order_id"] == my_order(view, "draft")["id"])
    }
    return next(item for item in orderable(view) if item["id"] not in inside)


FIND_MY_ORDER = """
            order = env.one(
                "SELECT id, status, total_cents, created_at, delivered_on FROM $orders WHERE id = ? AND $person_id = ?",
                [$order_id, env.user_id],
            )
            if order is None:
                raise env.Error(f"you have no $Order {$order_id}")
"""
_FIND_ITEM = """
            item = env.one("SELECT name, price_cents, stock, status FROM $items WHERE id = ?", [$item_id])
            if item is None:
                raise env.Error(f"there is no $Item {$item_id}")
            #: if order_discontinued
            if item["status"] != "available":
                raise env.Error(f"{item['name']} is discontinued")
            #: end
            #: if order_most_units
            if quantity > $mostunits:
                raise env.Error("at most $mostunits of one $Item can be ordered at a time")
            #: end
            if quantity > item["stock"]:
                raise env.Error(f"only {item['stock']} of {item['name']} are in stock")
            cost = quantity * item["price_cents"]
"""
_TAKE_STOCK = """
            env.execute("UPDATE $items SET stock = stock - ? WHERE id = ?", [quantity, $item_id])
"""
_WHAT = {"$item_id": ident("item"), "quantity": integer("How many.", 1, 50)}

_LOOKUPS = (
    Tool(
        name="list_$shelfs",
        about="List every $Shelf with the number of $Items available in it.",
        effect="read",
        params={},
        returns={"$shelfs": many(row_of("shelf", "id", "name", available=integer()))},
        code="""
            rows = env.query(
                "SELECT s.id, s.name, count(i.id) AS available FROM $shelfs s"
                " LEFT JOIN $items i ON i.$shelf_id = s.id AND i.status = 'available'"
                " GROUP BY s.id, s.name ORDER BY s.name",
                [],
            )
            return {"$shelfs": rows}
        """,
        good=lambda view: {},
    ),
    Tool(
        name="search_$items",
        about="Find $Items by words of their name, $Shelf and price; discontinued ones are shown as such.",
        effect="read",
        params={
            "words": optional(text("Part of the name, in any case.", 60)),
            "$shelf_id": optional(ident("shelf", "Only $Items of this $Shelf.")),
            "most_cents": optional(integer("Only $Items up to this price, in cents.", 1)),
            "order_by": {**choice("How to sort.", "name", "price"), "default": "name"},
        },
        returns={"$items": many(row_of("item", "id", "shelf_id", "name", "price_cents", "stock", "status"))},
        code="""
            rows = env.query(
                "SELECT id, $shelf_id, name, price_cents, stock, status FROM $items"
                " WHERE (:words IS NULL OR name LIKE '%' || :words || '%')"
                " AND (:shelf IS NULL OR $shelf_id = :shelf) AND (:most IS NULL OR price_cents <= :most)"
                " ORDER BY CASE WHEN :order_by = 'price' THEN price_cents ELSE 0 END, name",
                {"words": words, "shelf": $shelf_id, "most": most_cents, "order_by": order_by},
            )
            return {"$items": rows}
        """,
        good=lambda view: {"shelf_id": 1, "order_by": "price"},
    ),
    Tool(
        name="get_$item",
        about="Get one $Item with its $Shelf.",
        effect="read",
        params={"$item_id": ident("item")},
        returns={
            "$item": row_of(
                "item", "id", "name", "price_cents", "stock", "status", "vendor_id", **{"$shelf_name": text()}
            )
        },
        code="""
            row = env.one(
                "SELECT i.id, i.name, i.price_cents, i.stock, i.status, s.name AS $shelf_name"
                #: if full vendors
                ", i.$vendor_id"
                #: end
                " FROM $items i JOIN $shelfs s ON s.id = i.$shelf_id WHERE i.id = ?",
                [$item_id],
            )
            if row is None:
                raise env.Error(f"there is no $Item {$item_id}")
            return {"$item": row}
        """,
        good=lambda view: {"item_id": 2},
        bad=lambda view: {"item_id": view.missing("item")},
    ),
    Tool(
        name="list_my_$orders",
        about="List the signed-in $Person's $Orders, newest first, optionally of one status.",
        effect="read",
        params={"status": optional(choice("Only $Orders of this status.", *STATUSES))},
        returns={
            "$orders": many(row_of("order", "id", "status", "total_cents", "created_at", "item_id", "quantity")),
            "total": integer(),
        },
        code="""
            rows = env.query(
                "SELECT id, status, total_cents, created_at"
                #: if !multiline
                ", $item_id, quantity"
                #: end
                " FROM $orders WHERE $person_id = :me AND (:status IS NULL OR status = :status)"
                " ORDER BY created_at DESC, id DESC",
                {"me": env.user_id, "status": status},
            )
            return {"$orders": rows, "total": len(rows)}
        """,
        good=lambda view: {"status": "delivered"},
    ),
    Tool(
        name="get_$order",
        about="Get one of the signed-in $Person's $Orders with everything in it.",
        effect="read",
        params={"$order_id": ident("order")},
        returns={
            "$order": row_of("order", "id", "status", "total_cents", "created_at", "delivered_on"),
            "contents": many(row_of("item", "name", quantity=integer(), **{"$item_id": integer()})),
        },
        code=FIND_MY_ORDER
        + """
            contents = env.query(
                #: if multiline
                "SELECT l.$item_id, i.name, l.quantity FROM $lines l JOIN $items i ON i.id = l.$item_id"
                " WHERE l.$order_id = ? ORDER BY l.id",
                #: end
                #: if !multiline
                "SELECT o.$item_id, i.name, o.quantity FROM $orders o"
                " JOIN $items i ON i.id = o.$item_id WHERE o.id = ?",
                #: end
                [$order_id],
            )
            return {"$order": order, "contents": contents}
        """,
        good=lambda view: {"order_id": my_order(view, "placed")["id"]},
        bad=lambda view: {"order_id": view.need("order", lambda row: row["person_id"] != 1)["id"]},
    ),
)

_PLACING = (
    Tool(
        name="place_$order",
        about="Order some of one $Item for the signed-in $Person.",
        effect="create",
        when="!multiline !place",
        params=_WHAT,
        returns={"$order_id": integer(), "total_cents": integer()},
        code=_FIND_ITEM
        + """
            order_id = env.insert(
                "INSERT INTO $orders ($person_id, $item_id, quantity, status, total_cents, created_at)"
                " VALUES (?, ?, ?, 'placed', ?, ?)",
                [env.user_id, $item_id, quantity, cost, env.now],
            )
"""
        + _TAKE_STOCK
        + """
            return {"$order_id": order_id, "total_cents": cost}
        """,
        good=lambda view: {"item_id": orderable(view)[0]["id"], "quantity": 2},
        bad=lambda view: {"item_id": view.missing("item"), "quantity": 2},
    ),
    Tool(
        name="place_$order",
        about="Order some of one $Item, to be collected at $aPlace, for the signed-in $Person.",
        effect="create",
        when="!multiline place",
        params={**_WHAT, "$place_id": ident("place", "Id of the $Place where it is collected.")},
        returns={"$order_id": integer(), "total_cents": integer()},
        code=_FIND_ITEM
        + """
            if env.one("SELECT id FROM $places WHERE id = ?", [$place_id]) is None:
                raise env.Error(f"there is no $Place {$place_id}")
            order_id = env.insert(
                "INSERT INTO $orders ($person_id, $item_id, quantity, $place_id, status, total_cents, created_at)"
                " VALUES (?, ?, ?, ?, 'placed', ?, ?)",
                [env.user_id, $item_id, quantity, $place_id, cost, env.now],
            )
"""
        + _TAKE_STOCK
        + """
            return {"$order_id": order_id, "total_cents": cost}
        """,
        good=lambda view: {"item_id": orderable(view)[0]["id"], "quantity": 2, "place_id": 1},
        bad=lambda view: {"item_id": view.missing("item"), "quantity": 2, "place_id": 1},
    ),
    Tool(
        name="add_to_$order",
        about="Add some of one $Item to a draft $Order of the signed-in $Person.",
        effect="create",
        when="multiline",
        params={"$order_id": ident("order", "Id of the draft $Order."), **_WHAT},
        returns={"$line_id": integer(), "total_cents": integer()},
        code=FIND_MY_ORDER
        + """
            if order["status"] != "draft":
                raise env.Error(f"this $Order is {order['status']} already")
"""
        + _FIND_ITEM
        + """
            if env.one("SELECT id FROM $lines WHERE $order_id = ? AND $item_id = ?", [$order_id, $item_id]):
                raise env.Error(f"{item['name']} is in this $Order already")
            line_id = env.insert(
                "INSERT INTO $lines ($order_id, $item_id, quantity, unit_price_cents) VALUES (?, ?, ?, ?)",
                [$order_id, $item_id, quantity, item["price_cents"]],
            )
            env.execute("UPDATE $orders SET total_cents = total_cents + ? WHERE id = ?", [cost, $order_id])
"""
        + _TAKE_STOCK
        + """
            return {"$line_id": line_id, "total_cents": order["total_cents"] + cost}
        """,
        good=lambda view: {
            "order_id": my_order(view, "draft")["id"],
            "item_id": not_in_draft(view)["id"],
            "quantity": 2,
        },
        bad=lambda view: {"order_id": view.missing("order"), "item_id": 1, "quantity": 2},
    ),
    Tool(
        name="submit_$order",
        about="Place a draft $Order of the signed-in $Person.",
        effect="change",
        when="multiline",
        params={"$order_id": ident("order", "Id of the draft $Order.")},
        returns={"$order_id": integer(), "status": choice("", "placed"), "total_cents": integer()},
        code=FIND_MY_ORDER
        + """
            if order["status"] != "draft":
                raise env.Error(f"this $Order is {order['status']} already")
            if order["total_cents"] == 0:
                raise env.Error("this $Order is empty")
            env.execute("UPDATE $orders SET status = 'placed' WHERE id = ?", [$order_id])
            return {"$order_id": $order_id, "status": "placed", "total_cents": order["total_cents"]}
        """,
        good=lambda view: {"order_id": my_order(view, "draft")["id"]},
        bad=lambda view: {"order_id": my_order(view, "shipped")["id"]},
    ),
    Tool(
        name="cancel_$order",
        about="Cancel one of the signed-in $Person's $Orders.",
        effect="change",
        params={"$order_id": ident("order")},
        returns={"$order_id": integer(), "status": choice("", "cancelled")},
        code=FIND_MY_ORDER
        + """
            if order["status"] in ("cancelled", "delivered"):
                raise env.Error(f"this $Order is {order['status']} already")
            #: if order_cancel_early
            if order["status"] == "shipped":
                raise env.Error("this $Order is shipped already and cannot be cancelled")
            #: end
            env.execute("UPDATE $orders SET status = 'cancelled' WHERE id = ?", [$order_id])
            return {"$order_id": $order_id, "status": "cancelled"}
        """,
        good=lambda view: {"order_id": my_order(view, "placed")["id"]},
        bad=lambda view: {"order_id": my_order(view, "delivered")["id"]},
    ),
)

ORDERING = (*_LOOKUPS, *_PLACING)
