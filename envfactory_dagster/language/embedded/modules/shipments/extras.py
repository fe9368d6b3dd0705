"""Around a shipment: hubs, legs, attempts to bring it, customs, receipt, totals."""

from envfactory_dagster.language.embedded.kit import (
    Row,
    Tool,
    choice,
    day,
    ident,
    integer,
    many,
    optional,
    row_of,
    text,
)
from envfactory_dagster.language.embedded.modules.shipments.rows import DAYPARTS, PURPOSES
from envfactory_dagster.language.embedded.modules.shipments.sending import FIND_MINE, my_shipments
from envfactory_dagster.language.embedded.world import View


def carried_charges(view: View) -> list[Row]:
    """Shipments of user 1 that belong to a charge."""
    return view.mine("shipment", lambda row: row["charge_id"] is not None)


EXTRAS = (
    Tool(
        name="list_$hubs",
        about="List the $Hubs with their city, optionally those of one city; closed ones are shown as such.",
        effect="read",
        when="full",
        params={"city": optional(text("Only $Hubs in this city.", 60))},
        returns={"$hubs": many(row_of("hub", "id", "name", "city", "status"))},
        code="""
            rows = env.query(
                "SELECT id, name, city, status FROM $hubs WHERE (:city IS NULL OR city = :city) ORDER BY name",
                {"city": city},
            )
            return {"$hubs": rows}
        """,
        good=lambda view: {"city": view.row("hub", 1)["city"]},
    ),
    Tool(
        name="get_$hub",
        about="Get one $Hub with the number of $Shipments that were handed in there.",
        effect="read",
        when="full",
        params={"$hub_id": ident("hub")},
        returns={"$hub": row_of("hub", "id", "name", "city", "status"), "handed_in": integer()},
        code="""
            row = env.one("SELECT id, name, city, status FROM $hubs WHERE id = ?", [$hub_id])
            if row is None:
                raise env.Error(f"there is no $Hub {$hub_id}")
            counted = env.one("SELECT count(*) AS n FROM $shipments WHERE $hub_id = ?", [$hub_id])
            return {"$hub": row, "handed_in": counted["n"]}
        """,
        good=lambda view: {"hub_id": 2},
        bad=lambda view: {"hub_id": view.missing("hub")},
    ),
    Tool(
        name="list_$shipment_$pieces",
        about="List the $Pieces of one of the signed-in $Person's $Shipments.",
        effect="read",
        when="full pieces",
        params={"$shipment_id": ident("shipment")},
        returns={"$pieces": many(row_of("piece", "id", "contents", "weight_grams", "fragile")), "grams": integer()},
        code=FIND_MINE
        + """
            rows = env.query(
                "SELECT id, contents, weight_grams, fragile FROM $pieces WHERE $shipment_id = ? ORDER BY id",
                [$shipment_id],
            )
            return {"$pieces": rows, "grams": sum(row["weight_grams"] for row in rows)}
        """,
        good=lambda view: {"shipment_id": my_shipments(view, "booked")[0]["id"]},
        bad=lambda view: {"shipment_id": view.missing("shipment")},
    ),
    Tool(
        name="list_$legs",
        about="List the $Legs of one of the signed-in $Person's $Shipments in order, with the $Hub each ends at.",
        effect="read",
        when="full legs",
        params={"$shipment_id": ident("shipment")},
        returns={"$legs": many(row_of("leg", "number", "hub_id", "arrives_on", "status", **{"$hub_name": text()}))},
        code=FIND_MINE
        + """
            rows = env.query(
                "SELECT l.number, l.$hub_id, l.arrives_on, l.status, h.name AS $hub_name FROM $legs l"
                " JOIN $hubs h ON h.id = l.$hub_id WHERE l.$shipment_id = ? ORDER BY l.number",
                [$shipment_id],
            )
            return {"$legs": rows}
        """,
        good=lambda view: {"shipment_id": my_shipments(view, "in_transit")[0]["id"]},
        bad=lambda view: {"shipment_id": view.missing("shipment")},
    ),
    Tool(
        name="list_$attempts",
        about="List when one of the signed-in $Person's $Shipments was or will be brought.",
        effect="read",
        when="full attempts",
        params={"$shipment_id": ident("shipment")},
        returns={"$attempts": many(row_of("attempt", "number", "planned_on", "daypart", "outcome"))},
        code=FIND_MINE
        + """
            rows = env.query(
                "SELECT number, planned_on, daypart, outcome FROM $attempts WHERE $shipment_id = ? ORDER BY number",
                [$shipment_id],
            )
            return {"$attempts": rows}
        """,
        good=lambda view: {"shipment_id": my_shipments(view, "held")[0]["id"]},
        bad=lambda view: {"shipment_id": view.missing("shipment")},
    ),
    Tool(
        name="plan_$attempt",
        about="Have a held $Shipment of the signed-in $Person brought again on one of the coming days.",
        effect="create",
        when="full attempts",
        imports="from datetime import date",
        params={
            "$shipment_id": ident("shipment"),
            "planned_on": day("The day, as YYYY-MM-DD, from tomorrow on."),
            "daypart": choice("When on that day.", *DAYPARTS),
        },
        returns={"$attempt_id": integer(), "number": integer()},
        code=FIND_MINE
        + """
            if shipment["status"] != "held":
                raise env.Error(f"this $Shipment is {shipment['status']}, not held")
            days = (date.fromisoformat(planned_on) - date.fromisoformat(env.now[:10])).days
            if not 1 <= days <= $keepdays:
                raise env.Error("it can be brought from tomorrow on, within $keepdays days")
            so_far = env.one(
                "SELECT count(*) AS n, coalesce(sum(outcome = 'planned'), 0) AS planned FROM $attempts"
                " WHERE $shipment_id = ?",
                [$shipment_id],
            )
            if so_far["planned"]:
                raise env.Error("$aAttempt is planned already")
            #: if shipment_attempts
            if so_far["n"] >= $mosttries:
                raise env.Error("this $Shipment was brought $mosttries times, the most allowed; it must be collected")
            #: end
            attempt_id = env.insert(
                "INSERT INTO $attempts ($shipment_id, number, planned_on, daypart, outcome)"
                " VALUES (?, ?, ?, ?, 'planned')",
                [$shipment_id, so_far["n"] + 1, planned_on, daypart],
            )
            return {"$attempt_id": attempt_id, "number": so_far["n"] + 1}
        """,
        good=lambda view: {
            "shipment_id": my_shipments(view, "held")[0]["id"],
            "planned_on": view.day(3),
            "daypart": "evening",
        },
        bad=lambda view: {
            "shipment_id": my_shipments(view, "delivered")[0]["id"],
            "planned_on": view.day(3),
            "daypart": "evening",
        },
    ),
    Tool(
        name="file_$declaration",
        about="File the $Declaration of one of the signed-in $Person's booked $Shipments.",
        effect="create",
        when="full declarations",
        params={
            "$shipment_id": ident("shipment"),
            "goods": text("What it contains.", 80),
            "value_cents": integer("What it is worth, in cents.", 1),
            "purpose": choice("Why it is sent.", *PURPOSES),
        },
        returns={"$declaration_id": integer()},
        code=FIND_MINE
        + """
            if shipment["status"] != "booked":
                raise env.Error(f"this $Shipment is {shipment['status']}, it is too late for $aDeclaration")
            if env.one("SELECT id FROM $declarations WHERE $shipment_id = ?", [$shipment_id]):
                raise env.Error("this $Shipment has $aDeclaration already")
            declaration_id = env.insert(
                "INSERT INTO $declarations ($shipment_id, goods, value_cents, purpose, status, filed_at)"
                " VALUES (?, ?, ?, ?, 'filed', ?)",
                [$shipment_id, goods, value_cents, purpose, env.now],
            )
            return {"$declaration_id": declaration_id}
        """,
        good=lambda view: {
            "shipment_id": my_shipments(view, "booked")[0]["id"],
            "goods": "pottery",
            "value_cents": 8_000,
            "purpose": "gift",
        },
        bad=lambda view: {
            "shipment_id": my_shipments(view, "delivered")[0]["id"],
            "goods": "pottery",
            "value_cents": 8_000,
            "purpose": "gift",
        },
    ),
    Tool(
        name="get_$declaration",
        about="Get the $Declaration of one of the signed-in $Person's $Shipments.",
        effect="read",
        when="full declarations",
        params={"$shipment_id": ident("shipment")},
        returns={"$declaration": row_of("declaration", "id", "goods", "value_cents", "purpose", "status", "filed_at")},
        code=FIND_MINE
        + """
            row = env.one(
                "SELECT id, goods, value_cents, purpose, status, filed_at FROM $declarations WHERE $shipment_id = ?",
                [$shipment_id],
            )
            if row is None:
                raise env.Error("this $Shipment has no $Declaration")
            return {"$declaration": row}
        """,
        good=lambda view: {"shipment_id": my_shipments(view, "delivered")[0]["id"]},
        bad=lambda view: {"shipment_id": my_shipments(view, "booked")[0]["id"]},
    ),
    Tool(
        name="find_$charge_$shipment",
        about="Find the newest of the signed-in $Person's $Shipments that belongs to one $Charge.",
        effect="read",
        when="full charge",
        params={"$charge_id": ident("charge")},
        returns={"$shipment": row_of("shipment", "id", "code", "recipient", "status", "due_on")},
        code="""
            row = env.one(
                "SELECT id, code, recipient, status, due_on FROM $shipments"
                " WHERE $charge_id = ? AND $person_id = ? ORDER BY id DESC",
                [$charge_id, env.user_id],
            )
            if row is None:
                raise env.Error(f"no $Shipment of yours belongs to $Charge {$charge_id}")
            return {"$shipment": row}
        """,
        good=lambda view: {"charge_id": carried_charges(view)[0]["charge_id"]},
        bad=lambda view: {"charge_id": view.missing("charge")},
    ),
    Tool(
        name="summarize_my_$shipments",
        about="Count the signed-in $Person's $Shipments by status, with what they cost in cents altogether.",
        effect="read",
        when="full",
        params={},
        returns={"by_status": many(row_of("shipment", "status", n=integer(), cents=integer()))},
        code="""
            rows = env.query(
                "SELECT status, count(*) AS n, sum(total_cents) AS cents FROM $shipments"
                " WHERE $person_id = ? GROUP BY status ORDER BY status",
                [env.user_id],
            )
            return {"by_status": rows}
        """,
        good=lambda view: {},
    ),
    Tool(
        name="confirm_$shipment_receipt",
        about="Confirm that one's own $Shipment has arrived today.",
        effect="change",
        when="full",
        principal="user",
        params={"$shipment_id": ident("shipment")},
        returns={"$shipment_id": integer(), "delivered_on": text()},
        code=FIND_MINE
        + """
            if shipment["status"] not in ("in_transit", "held"):
                raise env.Error(f"this $Shipment is {shipment['status']}, not under way")
            env.execute(
                "UPDATE $shipments SET status = 'delivered', delivered_on = ? WHERE id = ?",
                [env.now[:10], $shipment_id],
            )
            env.insert(
                "INSERT INTO $events ($shipment_id, kind, happened_at) VALUES (?, 'delivered', ?)",
                [$shipment_id, env.now],
            )
            return {"$shipment_id": $shipment_id, "delivered_on": env.now[:10]}
        """,
        good=lambda view: {"shipment_id": my_shipments(view, "in_transit")[0]["id"]},
        bad=lambda view: {"shipment_id": my_shipments(view, "booked")[0]["id"]},
    ),
)
