"""Looking up what can be booked and what was booked."""

from envfactory_dagster.language.embedded.kit import Tool, choice, day, ident, integer, many, optional, row_of, text
from envfactory_dagster.language.embedded.modules.bookings.fragments import FIND_MINE, MINE, SELECT_MINE, STATUSES

LOOKUPS = (
    Tool(
        name="list_$resources",
        about="List the $Resources that are open for booking, cheapest first.",
        effect="read",
        params={"least_capacity": integer("Only $Resources for at least so many people.", 1, 500, default=1)},
        returns={"$resources": many(row_of("resource", "id", "name", "capacity", "hourly_cents", "place_id"))},
        code="""
            rows = env.query(
                "SELECT id, name, capacity, hourly_cents"
                #: if place
                ", $place_id"
                #: end
                " FROM $resources WHERE status = 'open' AND capacity >= ? ORDER BY hourly_cents, id",
                [least_capacity],
            )
            return {"$resources": rows}
        """,
        good=lambda view: {"least_capacity": 1},
    ),
    Tool(
        name="search_$slots",
        about="Find $Slots to come that have places left, soonest first.",
        effect="read",
        when="scheduled",
        params={
            "on_day": optional(day("Only $Slots on this day, as YYYY-MM-DD.")),
            "$resource_id": optional(ident("resource", "Only $Slots of this $Resource.")),
            "least_places": integer("Only $Slots with at least so many places left.", 1, 20, default=1),
            "limit": integer("At most so many $Slots.", 1, 50, default=20),
        },
        returns={
            "$slots": many(
                row_of(
                    "slot",
                    "id",
                    "resource_id",
                    "host_id",
                    "starts_at",
                    "ends_at",
                    "price_cents",
                    places_left=integer(),
                    **{"$resource_name": text()},
                )
            )
        },
        code="""
            rows = env.query(
                "SELECT s.id, s.$resource_id, s.starts_at, s.ends_at, s.price_cents, r.name AS $resource_name,"
                #: if full hosts
                " s.$host_id,"
                #: end
                " s.seats - coalesce((SELECT sum(b.party_size) FROM $bookings b"
                " WHERE b.$slot_id = s.id AND b.status = 'confirmed'), 0) AS places_left"
                " FROM $slots s JOIN $resources r ON r.id = s.$resource_id"
                " WHERE s.status = 'open' AND s.starts_at > :now"
                " AND (:on_day IS NULL OR substr(s.starts_at, 1, 10) = :on_day)"
                " AND (:resource IS NULL OR s.$resource_id = :resource)"
                " ORDER BY s.starts_at, s.id",
                {"now": env.now, "on_day": on_day, "resource": $resource_id},
            )
            free = [row for row in rows if row["places_left"] >= least_places]
            return {"$slots": free[:limit]}
        """,
        good=lambda view: {"least_places": 2, "limit": 10},
    ),
    Tool(
        name="get_$resource_day",
        about="Show one $Resource on one day: what is booked, in order of time, and whether it is shut.",
        effect="read",
        when="!scheduled",
        params={"$resource_id": ident("resource"), "on_day": day("The day, as YYYY-MM-DD.")},
        returns={
            "name": text(),
            "capacity": integer(),
            "shut": {"type": "boolean"},
            "taken": many(row_of("booking", "starts_at", "ends_at")),
        },
        code="""
            resource = env.one("SELECT name, capacity, status FROM $resources WHERE id = ?", [$resource_id])
            if resource is None:
                raise env.Error(f"there is no $Resource {$resource_id}")
            shut = resource["status"] != "open"
            #: if full closures
            closure = env.one(
                "SELECT id FROM $closures WHERE $resource_id = ? AND starts_on <= ? AND ends_on >= ?",
                [$resource_id, on_day, on_day],
            )
            shut = shut or closure is not None
            #: end
            taken = env.query(
                "SELECT starts_at, ends_at FROM $bookings WHERE $resource_id = ? AND status = 'confirmed'"
                " AND substr(starts_at, 1, 10) = ? ORDER BY starts_at",
                [$resource_id, on_day],
            )
            return {"name": resource["name"], "capacity": resource["capacity"], "shut": shut, "taken": taken}
        """,
        good=lambda view: {"resource_id": 1, "on_day": view.day(3)},
        bad=lambda view: {"resource_id": view.missing("resource"), "on_day": view.day(3)},
    ),
    Tool(
        name="list_my_$bookings",
        about="List the signed-in $Person's $Bookings, latest start first, optionally of one status.",
        effect="read",
        params={"status": optional(choice("Only $Bookings of this status.", *STATUSES))},
        returns={"$bookings": many(MINE), "total": integer()},
        code="""
            rows = env.query("""
        + SELECT_MINE
        + """
                " WHERE b.$person_id = :me AND (:status IS NULL OR b.status = :status)"
                " ORDER BY starts_at DESC, b.id",
                {"me": env.user_id, "status": status},
            )
            return {"$bookings": rows, "total": len(rows)}
        """,
        good=lambda view: {"status": "confirmed"},
    ),
    Tool(
        name="get_$booking",
        about="Get one of the signed-in $Person's $Bookings.",
        effect="read",
        params={"$booking_id": ident("booking")},
        returns={"$booking": MINE},
        code=FIND_MINE + '            return {"$booking": row}\n',
        good=lambda view: {"booking_id": view.mine("booking")[0]["id"]},
        bad=lambda view: {"booking_id": view.need("booking", lambda row: row["person_id"] != 1)["id"]},
    ),
    Tool(
        name="summarize_my_$bookings",
        about="Count the signed-in $Person's $Bookings by status, with what they cost in cents altogether.",
        effect="read",
        when="full",
        params={},
        returns={"by_status": many(row_of("booking", "status", n=integer(), cents=integer()))},
        code="""
            rows = env.query(
                "SELECT status, count(*) AS n, sum(total_cents) AS cents FROM $bookings"
                " WHERE $person_id = ? GROUP BY status ORDER BY status",
                [env.user_id],
            )
            return {"by_status": rows}
        """,
        good=lambda view: {},
    ),
    Tool(
        name="list_$hosts",
        about="List the $Hosts, best rated first.",
        effect="read",
        when="full hosts",
        params={},
        returns={"$hosts": many(row_of("host", "id", "name", "speciality", "rating"))},
        code="""
            rows = env.query("SELECT id, name, speciality, rating FROM $hosts ORDER BY rating DESC, id", [])
            return {"$hosts": rows}
        """,
        good=lambda view: {},
    ),
    Tool(
        name="list_$closures",
        about="List the days on which $aResource is shut.",
        effect="read",
        when="full closures",
        params={"$resource_id": ident("resource")},
        returns={"$closures": many(row_of("closure", "id", "starts_on", "ends_on", "reason"))},
        code="""
            if env.one("SELECT id FROM $resources WHERE id = ?", [$resource_id]) is None:
                raise env.Error(f"there is no $Resource {$resource_id}")
            rows = env.query(
                "SELECT id, starts_on, ends_on, reason FROM $closures WHERE $resource_id = ? ORDER BY starts_on",
                [$resource_id],
            )
            return {"$closures": rows}
        """,
        good=lambda view: {"resource_id": 1},
        bad=lambda view: {"resource_id": view.missing("resource")},
    ),
)
