def goal_has_the_nearest_fitting_plot(world) -> bool:
    """User 1 holds one active reservation of the nearest free loam plot within the bearings, distance and price."""
    plot = world.initial.one(
        "SELECT p.id, p.price_cents FROM plots p JOIN soils s ON s.id = p.soil_id"
        " WHERE p.status = 'free' AND s.name = 'loam' AND p.bearing_degrees BETWEEN ? AND ?"
        " AND p.distance_m <= ? AND p.price_cents < ? ORDER BY p.distance_m LIMIT 1",
        [100, 130, 40, 90000],
    )
    row = world.final.one(
        "SELECT count(*) AS n FROM reservations r JOIN plots p ON p.id = r.plot_id"
        " WHERE r.family_contact_id = 1 AND r.plot_id = ? AND r.status = 'active' AND r.price_cents = ?"
        " AND r.upkeep_paid_until_year = ? AND p.status = 'reserved'",
        [plot["id"], plot["price_cents"], 2026],
    )
    return row["n"] == 1


def goal_says_the_price(world) -> bool:
    """Has told what the plot costs."""
    plot = world.initial.one(
        "SELECT p.id, p.price_cents FROM plots p JOIN soils s ON s.id = p.soil_id"
        " WHERE p.status = 'free' AND s.name = 'loam' AND p.bearing_degrees BETWEEN ? AND ?"
        " AND p.distance_m <= ? AND p.price_cents < ? ORDER BY p.distance_m LIMIT 1",
        [100, 130, 40, 90000],
    )
    return world.report.says("price", plot["price_cents"])


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, and no rule against it."""
    return world.report.outcome is None or (world.report.outcome == "done" and world.report.reason is None)


def guard_changes_nothing_else(world) -> bool:
    """Touched nothing but one new reservation of that plot for user 1 and the state of the plot."""
    plot = world.initial.one(
        "SELECT p.id, p.price_cents FROM plots p JOIN soils s ON s.id = p.soil_id"
        " WHERE p.status = 'free' AND s.name = 'loam' AND p.bearing_degrees BETWEEN ? AND ?"
        " AND p.distance_m <= ? AND p.price_cents < ? ORDER BY p.distance_m LIMIT 1",
        [100, 130, 40, 90000],
    )
    new = 0
    for change in world.changes:
        before, after = change["before"], change["after"]
        if after is None:
            return False
        if change["table"] == "reservations" and before is None:
            new += 1
            row = {column: value for column, value in after.items() if column not in ("id", "reserved_at")}
            if row != {
                "family_contact_id": 1,
                "plot_id": plot["id"],
                "price_cents": plot["price_cents"],
                "upkeep_paid_until_year": 2026,
                "status": "active",
                "released_at": None,
                "used_at": None,
                "lapsed_at": None,
                "refund_cents": None,
            }:
                return False
        elif change["table"] == "plots" and before is not None and before["id"] == plot["id"]:
            if after != {**before, "status": "reserved"}:
                return False
        else:
            return False
    return new <= 1
