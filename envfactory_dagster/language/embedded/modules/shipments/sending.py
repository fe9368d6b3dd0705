"""Finding a carrier, sending, following, redirecting and cancelling."""

from typing import Any

from envfactory_dagster.language.embedded.kit import Row, Tool, choice, ident, integer, many, optional, row_of, text
from envfactory_dagster.language.embedded.modules.shipments.rows import SERVICES
from envfactory_dagster.language.embedded.world import View

STATUSES = ("booked", "in_transit", "held", "delivered", "cancelled")


def my_shipments(view: View, status: str) -> list[Row]:
    """Shipments of user 1 in a status, oldest first; the generator makes at least one of each."""
    return view.mine("shipment", lambda row: row["status"] == status)


def redirectable(view: View) -> list[Row]:
    """Shipments of user 1 under way that may be sent elsewhere."""
    return [row for row in my_shipments(view, "in_transit") if row["redirects"] == 0]


FIND_MINE = """
            shipment = env.one(
                "SELECT id, status, redirects, total_cents, $carrier_id FROM $shipments"
                " WHERE id = ? AND $person_id = ?",
                [$shipment_id, env.user_id],
            )
            if shipment is None:
                raise env.Error(f"you have no $Shipment {$shipment_id}")
"""
_FIND_CARRIER = """
            carrier = env.one(
                "SELECT name, base_cents, per_kg_cents, most_grams, transit_days FROM $carriers WHERE id = ?",
                [$carrier_id],
            )
            if carrier is None:
                raise env.Error(f"there is no $Carrier {$carrier_id}")
            #: if full
            hub = env.one("SELECT status FROM $hubs WHERE id = ?", [$hub_id])
            if hub is None or hub["status"] != "open":
                raise env.Error(f"there is no open $Hub {$hub_id}")
            #: end
            due_on = (date.fromisoformat(env.now[:10]) + timedelta(days=carrier["transit_days"] + 1)).isoformat()
"""
_WITHIN_LIMIT = """
            #: if shipment_weight
            if weight_grams > carrier["most_grams"]:
                raise env.Error(f"{carrier['name']} takes at most {carrier['most_grams']} grams, this is too heavy")
            #: end
"""
_LOG = """
            env.insert(
                "INSERT INTO $events ($shipment_id, kind, happened_at) VALUES (?, '{kind}', ?)",
                [$shipment_id, env.now],
            )
"""
_WHERE_TO = {
    "$carrier_id": ident("carrier", "Id of the $Carrier that takes it."),
    "recipient": text("Who receives it.", 80),
    "address": text("Street, number and city.", 120),
}
_GRAMS = integer("Its weight in grams.", 1, 100000)
_SHIPMENT = row_of(
    "shipment", "id", "code", "recipient", "address", "contents", "weight_grams", "status", "total_cents", "due_on"
)


def to_somebody(view: View) -> dict[str, Any]:
    """Good arguments for a new shipment, apart from what is in it."""
    carrier = view.need("carrier", lambda row: row["most_grams"] >= 20_000)
    where = {"carrier_id": carrier["id"], "recipient": "Noor Kimani", "address": "4 Mill Lane, Northam"}
    return where | ({"hub_id": 1} if view.has("full") else {})


def sending_tool(when: str, hub: dict[str, Any]) -> Tool:
    """Booking a shipment; in full themes it is handed in at a hub."""
    return Tool(
        name="book_$shipment",
        about="Book $aShipment of one thing for the signed-in $Person.",
        effect="create",
        when=f"!pieces {when}",
        imports="from datetime import date, timedelta",
        params={**_WHERE_TO, **hub, "contents": text("What is in it.", 80), "weight_grams": _GRAMS},
        returns={"$shipment_id": integer(), "code": text(), "total_cents": integer(), "due_on": text()},
        code=_FIND_CARRIER
        + _WITHIN_LIMIT
        + """
            total_cents = carrier["base_cents"] + carrier["per_kg_cents"] * -(-weight_grams // 1000)
            code = env.new_id("SH")
            $shipment_id = env.insert(
                "INSERT INTO $shipments (code, $person_id, $carrier_id,"
                #: if full
                " $hub_id,"
                #: end
                " recipient, address, contents, weight_grams, total_cents, status, redirects, booked_at, due_on)"
                #: if full
                " VALUES (:code, :me, :carrier, :hub, :recipient, :address, :contents, :grams, :cents, 'booked', 0,"
                #: end
                #: if !full
                " VALUES (:code, :me, :carrier, :recipient, :address, :contents, :grams, :cents, 'booked', 0,"
                #: end
                " :now, :due)",
                {
                    "code": code,
                    "me": env.user_id,
                    "carrier": $carrier_id,
                    #: if full
                    "hub": $hub_id,
                    #: end
                    "recipient": recipient,
                    "address": address,
                    "contents": contents,
                    "grams": weight_grams,
                    "cents": total_cents,
                    "now": env.now,
                    "due": due_on,
                },
            )
"""
        + _LOG.format(kind="booked")
        + """
            return {"$shipment_id": $shipment_id, "code": code, "total_cents": total_cents, "due_on": due_on}
        """,
        good=lambda view: {**to_somebody(view), "contents": "tea", "weight_grams": 900},
        bad=lambda view: {
            **to_somebody(view),
            "contents": "tea",
            "weight_grams": 900,
            "carrier_id": view.missing("carrier"),
        },
    )


def opening_tool(when: str, hub: dict[str, Any]) -> Tool:
    """Opening a shipment that pieces are then added to."""
    return Tool(
        name="open_$shipment",
        about="Book $aShipment without $Pieces for the signed-in $Person; they are added one by one.",
        effect="create",
        when=f"pieces {when}",
        imports="from datetime import date, timedelta",
        params={**_WHERE_TO, **hub},
        returns={"$shipment_id": integer(), "code": text(), "due_on": text()},
        code=_FIND_CARRIER
        + """
            code = env.new_id("SH")
            $shipment_id = env.insert(
                #: if full
                "INSERT INTO $shipments (code, $person_id, $carrier_id, $hub_id, recipient, address, total_cents,"
                " status, redirects, booked_at, due_on) VALUES (?, ?, ?, ?, ?, ?, ?, 'booked', 0, ?, ?)",
                [
                    code, env.user_id, $carrier_id, $hub_id, recipient, address,
                    carrier["base_cents"], env.now, due_on,
                ],
                #: end
                #: if !full
                "INSERT INTO $shipments (code, $person_id, $carrier_id, recipient, address, total_cents,"
                " status, redirects, booked_at, due_on) VALUES (?, ?, ?, ?, ?, ?, 'booked', 0, ?, ?)",
                [code, env.user_id, $carrier_id, recipient, address, carrier["base_cents"], env.now, due_on],
                #: end
            )
"""
        + _LOG.format(kind="booked")
        + """
            return {"$shipment_id": $shipment_id, "code": code, "due_on": due_on}
        """,
        good=to_somebody,
        bad=lambda view: {**to_somebody(view), "carrier_id": view.missing("carrier")},
    )


_HUB = {"$hub_id": ident("hub", "Id of the $Hub where it is handed in.")}

_LOOKUPS = (
    Tool(
        name="search_$carriers",
        about="Find $Carriers by service, speed and the weight they take, cheapest first. `cost_cents` is the price of "
        "one $Shipment of the given weight; without a weight it is the base price.",
        effect="read",
        params={
            "weight_grams": optional(integer("Only $Carriers that take this weight, in grams.", 1, 100000)),
            "service": optional(choice("Only this service.", *SERVICES)),
            "most_days": optional(integer("Only those at most so many days under way.", 1, 30)),
        },
        returns={
            "$carriers": many(
                row_of("carrier", "id", "name", "service", "most_grams", "transit_days", cost_cents=integer())
            )
        },
        code="""
            rows = env.query(
                "SELECT id, name, service, most_grams, transit_days,"
                " base_cents + per_kg_cents * ((coalesce(:grams, 0) + 999) / 1000) AS cost_cents FROM $carriers"
                " WHERE (:grams IS NULL OR most_grams >= :grams) AND (:service IS NULL OR service = :service)"
                " AND (:days IS NULL OR transit_days <= :days) ORDER BY cost_cents, id",
                {"grams": weight_grams, "service": service, "days": most_days},
            )
            return {"$carriers": rows}
        """,
        good=lambda view: {"weight_grams": 3_000},
    ),
    Tool(
        name="list_my_$shipments",
        about="List the signed-in $Person's $Shipments, newest first, optionally of one status.",
        effect="read",
        params={"status": optional(choice("Only $Shipments of this status.", *STATUSES))},
        returns={
            "$shipments": many(row_of("shipment", "id", "code", "recipient", "status", "total_cents", "due_on")),
            "total": integer(),
        },
        code="""
            rows = env.query(
                "SELECT id, code, recipient, status, total_cents, due_on FROM $shipments"
                " WHERE $person_id = :me AND (:status IS NULL OR status = :status) ORDER BY booked_at DESC, id DESC",
                {"me": env.user_id, "status": status},
            )
            return {"$shipments": rows, "total": len(rows)}
        """,
        good=lambda view: {"status": "delivered"},
    ),
    Tool(
        name="track_$shipment",
        about="Find one of the signed-in $Person's $Shipments by its code, with every $Event so far, latest first.",
        effect="read",
        params={"code": text("The code on the label, such as TR-20455.", 20)},
        returns={"$shipment": _SHIPMENT, "$events": many(row_of("event", "kind", "happened_at", "hub_id"))},
        code="""
            row = env.one(
                "SELECT id, code, recipient, address, status, total_cents, due_on"
                #: if !pieces
                ", contents, weight_grams"
                #: end
                " FROM $shipments WHERE code = ? AND $person_id = ?",
                [code, env.user_id],
            )
            if row is None:
                raise env.Error(f"you have no $Shipment with the code {code}")
            events = env.query(
                "SELECT kind, happened_at"
                #: if full
                ", $hub_id"
                #: end
                " FROM $events WHERE $shipment_id = ? ORDER BY happened_at DESC, id DESC",
                [row["id"]],
            )
            return {"$shipment": row, "$events": events}
        """,
        good=lambda view: {"code": my_shipments(view, "in_transit")[0]["code"]},
        bad=lambda view: {"code": view.need("shipment", lambda row: row["person_id"] != 1)["code"]},
    ),
)

_CHANGES = (
    Tool(
        name="add_$piece",
        about="Put $aPiece into one of the signed-in $Person's booked $Shipments; its weight is charged.",
        effect="create",
        when="pieces",
        params={
            "$shipment_id": ident("shipment"),
            "contents": text("What is in it.", 80),
            "weight_grams": _GRAMS,
            "fragile": {"type": "boolean", "description": "Whether it breaks easily.", "default": False},
        },
        returns={"$piece_id": integer(), "total_cents": integer()},
        code=FIND_MINE
        + """
            if shipment["status"] != "booked":
                raise env.Error(f"this $Shipment is {shipment['status']}, nothing can be added")
            carrier = env.one(
                "SELECT name, per_kg_cents, most_grams FROM $carriers WHERE id = ?", [shipment["$carrier_id"]]
            )
            #: if shipment_weight
            inside = env.one(
                "SELECT coalesce(sum(weight_grams), 0) AS grams FROM $pieces WHERE $shipment_id = ?", [$shipment_id]
            )
            if inside["grams"] + weight_grams > carrier["most_grams"]:
                raise env.Error(f"{carrier['name']} takes at most {carrier['most_grams']} grams, this is too heavy")
            #: end
            total_cents = shipment["total_cents"] + carrier["per_kg_cents"] * -(-weight_grams // 1000)
            piece_id = env.insert(
                "INSERT INTO $pieces ($shipment_id, contents, weight_grams, fragile) VALUES (?, ?, ?, ?)",
                [$shipment_id, contents, weight_grams, int(fragile)],
            )
            env.execute("UPDATE $shipments SET total_cents = ? WHERE id = ?", [total_cents, $shipment_id])
            return {"$piece_id": piece_id, "total_cents": total_cents}
        """,
        good=lambda view: {
            "shipment_id": my_shipments(view, "booked")[0]["id"],
            "contents": "tea",
            "weight_grams": 700,
        },
        bad=lambda view: {
            "shipment_id": my_shipments(view, "delivered")[0]["id"],
            "contents": "tea",
            "weight_grams": 700,
        },
    ),
    Tool(
        name="redirect_$shipment",
        about="Send one of the signed-in $Person's $Shipments that has not arrived to another address.",
        effect="change",
        params={"$shipment_id": ident("shipment"), "address": text("The new street, number and city.", 120)},
        returns={"$shipment_id": integer(), "address": text(), "redirects": integer()},
        code=FIND_MINE
        + """
            if shipment["status"] in ("delivered", "cancelled"):
                raise env.Error(f"this $Shipment is {shipment['status']} already")
            #: if shipment_redirects
            if shipment["redirects"] >= $mostredirects:
                raise env.Error("this $Shipment has been redirected as often as is allowed: $mostredirects")
            #: end
            redirects = shipment["redirects"] + 1
            env.execute(
                "UPDATE $shipments SET address = ?, redirects = ? WHERE id = ?", [address, redirects, $shipment_id]
            )
"""
        + _LOG.format(kind="redirected")
        + """
            return {"$shipment_id": $shipment_id, "address": address, "redirects": redirects}
        """,
        good=lambda view: {"shipment_id": redirectable(view)[0]["id"], "address": "9 Park Terrace, Eastmere"},
        bad=lambda view: {
            "shipment_id": my_shipments(view, "delivered")[0]["id"],
            "address": "9 Park Terrace, Eastmere",
        },
    ),
    Tool(
        name="cancel_$shipment",
        about="Cancel one of the signed-in $Person's $Shipments.",
        effect="change",
        params={"$shipment_id": ident("shipment")},
        returns={"$shipment_id": integer(), "status": choice("", "cancelled")},
        code=FIND_MINE
        + """
            if shipment["status"] in ("delivered", "cancelled"):
                raise env.Error(f"this $Shipment is {shipment['status']} already")
            #: if shipment_cancel_booked
            if shipment["status"] != "booked":
                raise env.Error("this $Shipment is under way already and cannot be cancelled")
            #: end
            env.execute("UPDATE $shipments SET status = 'cancelled' WHERE id = ?", [$shipment_id])
"""
        + _LOG.format(kind="cancelled")
        + """
            return {"$shipment_id": $shipment_id, "status": "cancelled"}
        """,
        good=lambda view: {"shipment_id": my_shipments(view, "booked")[0]["id"]},
        bad=lambda view: {"shipment_id": my_shipments(view, "cancelled")[0]["id"]},
    ),
)

SENDING = (
    *_LOOKUPS,
    sending_tool("!full", {}),
    sending_tool("full", _HUB),
    opening_tool("!full", {}),
    opening_tool("full", _HUB),
    *_CHANGES,
)
