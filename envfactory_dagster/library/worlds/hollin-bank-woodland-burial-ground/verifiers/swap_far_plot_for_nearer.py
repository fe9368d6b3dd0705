def goal_has_released_the_farther_plot(world) -> bool:
    """The reservation of the farther of the two plots is released with its refund, and the plot is free."""
    far = world.initial.one(
        "SELECT r.id, r.plot_id, p.refund_cents FROM reservations r JOIN plots p ON p.id = r.plot_id"
        " WHERE r.family_contact_id = 1 AND r.status = 'active' AND p.bearing_degrees IN (?, ?)"
        " AND substr(r.reserved_at, 1, 4) = ? ORDER BY p.distance_m DESC LIMIT 1",
        [205, 219, "2019"],
    )
    row = world.final.one(
        "SELECT count(*) AS n FROM reservations r JOIN plots p ON p.id = r.plot_id"
        " WHERE r.id = ? AND r.family_contact_id = 1 AND r.status = 'released' AND r.refund_cents = ?"
        " AND p.status = 'free'",
        [far["id"], far["refund_cents"]],
    )
    return row["n"] == 1


def goal_has_the_cheapest_near_plot(world) -> bool:
    """User 1 holds one active reservation of the cheapest free plot within 25 metres and under 1,000 euros."""
    near = world.initial.one(
        "SELECT id, price_cents FROM plots WHERE status = 'free' AND distance_m <= ? AND price_cents < ?"
        " ORDER BY price_cents LIMIT 1",
        [25, 100000],
    )
    row = world.final.one(
        "SELECT count(*) AS n FROM reservations r JOIN plots p ON p.id = r.plot_id"
        " WHERE r.family_contact_id = 1 AND r.plot_id = ? AND r.status = 'active' AND r.price_cents = ?"
        " AND r.upkeep_paid_until_year = ? AND p.status = 'reserved'",
        [near["id"], near["price_cents"], 2027],
    )
    return row["n"] == 1


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, and no rule against it."""
    return world.report.outcome is None or (world.report.outcome == "done" and world.report.reason is None)


def guard_changes_nothing_else(world) -> bool:
    """Touched nothing but the released reservation, one new reservation, and the states of their two plots."""
    far = world.initial.one(
        "SELECT r.id, r.plot_id, p.refund_cents FROM reservations r JOIN plots p ON p.id = r.plot_id"
        " WHERE r.family_contact_id = 1 AND r.status = 'active' AND p.bearing_degrees IN (?, ?)"
        " AND substr(r.reserved_at, 1, 4) = ? ORDER BY p.distance_m DESC LIMIT 1",
        [205, 219, "2019"],
    )
    near = world.initial.one(
        "SELECT id, price_cents FROM plots WHERE status = 'free' AND distance_m <= ? AND price_cents < ?"
        " ORDER BY price_cents LIMIT 1",
        [25, 100000],
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
                "plot_id": near["id"],
                "price_cents": near["price_cents"],
                "upkeep_paid_until_year": 2027,
                "status": "active",
                "released_at": None,
                "used_at": None,
                "lapsed_at": None,
                "refund_cents": None,
            }:
                return False
        elif change["table"] == "reservations" and before["id"] == far["id"]:
            if after != {
                **before,
                "status": "released",
                "released_at": after["released_at"],
                "refund_cents": far["refund_cents"],
            }:
                return False
        elif change["table"] == "plots" and before is not None and before["id"] == far["plot_id"]:
            if after != {**before, "status": "free"}:
                return False
        elif change["table"] == "plots" and before is not None and before["id"] == near["id"]:
            if after != {**before, "status": "reserved"}:
                return False
        else:
            return False
    return new <= 1
