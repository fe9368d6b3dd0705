MAX_ACTIVE_RESERVATIONS = 4


def _reserve_plot_show(env, reservation_id):
    return env.one(
        """
        SELECT r.id, r.plot_id, p.bearing_degrees, p.distance_m, r.price_cents,
               r.upkeep_paid_until_year, r.status, r.reserved_at, r.released_at, r.used_at,
               r.lapsed_at, r.refund_cents
        FROM reservations r
        JOIN plots p ON p.id = r.plot_id
        WHERE r.id = ? AND r.family_contact_id = ?
        """,
        [reservation_id, env.user_id],
    )


def reserve_plot(env, *, plot_id: int) -> dict:
    """Reserve a free plot for the user at its present price."""
    plot = env.one("SELECT id, price_cents, status FROM plots WHERE id = ?", [plot_id])
    if plot is None:
        raise env.Error(f"there is no plot {plot_id}")
    if plot["status"] != "free":
        raise env.Error(f"only a free plot can be reserved; this one is {plot['status']}")
    holder = env.one(
        "SELECT id FROM reservations WHERE plot_id = ? AND status IN ('active', 'used')",
        [plot_id],
    )
    if holder is not None:
        raise env.Error("this plot is already held by a reservation")
    active = env.one(
        "SELECT COUNT(*) AS n FROM reservations WHERE family_contact_id = ? AND status = 'active'",
        [env.user_id],
    )["n"]
    if active >= MAX_ACTIVE_RESERVATIONS:
        raise env.Error(
            f"you already have {active} active reservations; a further plot can be reserved only "
            "with fewer than 4"
        )
    reservation_id = env.insert(
        """
        INSERT INTO reservations (family_contact_id, plot_id, price_cents, upkeep_paid_until_year,
                                  status, reserved_at, released_at, used_at, lapsed_at, refund_cents)
        VALUES (?, ?, ?, ?, 'active', ?, NULL, NULL, NULL, NULL)
        """,
        [env.user_id, plot_id, plot["price_cents"], int(env.now[:4]), env.now],
    )
    env.execute("UPDATE plots SET status = 'reserved' WHERE id = ?", [plot_id])
    return {"reservation": _reserve_plot_show(env, reservation_id)}
