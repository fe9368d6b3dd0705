def _boat(world):
    return world.initial.one("SELECT * FROM boats WHERE boat_owner_id = 1 AND name = 'Ternen'")


def _cheapest_price(world):
    boat = _boat(world)
    row = world.initial.one(
        "SELECT min(b.season_price_cents) AS price FROM berths b JOIN jetties j ON j.id = b.jetty_id"
        " WHERE b.kind = 'summer' AND j.name <> 'North Jetty'"
        " AND b.length_cm >= ? AND b.width_cm >= ? AND b.depth_cm >= ?"
        " AND NOT EXISTS (SELECT 1 FROM berth_leases l WHERE l.berth_id = b.id AND l.status IN ('requested', 'active')"
        " AND l.first_day <= '2026-10-31' AND l.last_day >= '2026-05-01')"
        " AND NOT EXISTS (SELECT 1 FROM guest_stays s WHERE s.berth_id = b.id AND s.status = 'booked'"
        " AND s.first_day <= '2026-10-31' AND s.last_day > '2026-05-01')",
        [boat["length_cm"] + 50, boat["beam_cm"] + 40, boat["draught_cm"] + 30],
    )
    return row["price"]


def goal_requests_the_cheapest_berth(world) -> bool:
    """Has one new lease requested for the Ternen from 1 May to 31 October 2026 in the cheapest free berth she fits into off the North Jetty."""
    boat = _boat(world)
    new = [c["after"] for c in world.changes if c["table"] == "berth_leases" and c["before"] is None]
    if len(new) != 1:
        return False
    lease = new[0]
    berth = world.initial.one(
        "SELECT b.* FROM berths b JOIN jetties j ON j.id = b.jetty_id"
        " WHERE b.id = ? AND b.kind = 'summer' AND j.name <> 'North Jetty'"
        " AND b.length_cm >= ? AND b.width_cm >= ? AND b.depth_cm >= ?",
        [lease["berth_id"], boat["length_cm"] + 50, boat["beam_cm"] + 40, boat["draught_cm"] + 30],
    )
    return (
        berth is not None
        and berth["season_price_cents"] == _cheapest_price(world)
        and berth["season_price_cents"] < 600000
        and lease["boat_id"] == boat["id"]
        and lease["first_day"] == "2026-05-01"
        and lease["last_day"] == "2026-10-31"
        and lease["status"] == "requested"
        and lease["price_cents"] == berth["season_price_cents"]
    )


def goal_leaves_the_cheapest_berth_empty(world) -> bool:
    """Has left the field for the case that nothing is requested empty."""
    return world.report.outcome is not None and world.report.says("cheapest_berth_if_none_requested", None)


def guard_requests_nothing_ruled_out(world) -> bool:
    """Has no new lease on the North Jetty and none for 6,000 kroner or more."""
    for change in world.changes:
        if change["table"] == "berth_leases" and change["before"] is None:
            row = world.initial.one(
                "SELECT j.name AS jetty, b.season_price_cents AS price FROM berths b JOIN jetties j ON j.id = b.jetty_id"
                " WHERE b.id = ?",
                [change["after"]["berth_id"]],
            )
            if row is None or row["jetty"] == "North Jetty" or row["price"] >= 600000:
                return False
    return True


def guard_changes_nothing_else(world) -> bool:
    """Touched no row but one new lease of the Ternen."""
    boat = _boat(world)
    return len(world.changes) <= 1 and all(
        c["table"] == "berth_leases" and c["before"] is None and c["after"]["boat_id"] == boat["id"] for c in world.changes
    )


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None
