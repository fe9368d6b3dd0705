FIRST_YEAR = 1990
LAST_YEAR = 2199


def _pay_upkeep_show(env, reservation_id):
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


def pay_upkeep(env, *, reservation_id: int, until_year: int) -> dict:
    """Pay the yearly upkeep of a plot the user holds, up to and including the given year."""
    reservation = env.one(
        """
        SELECT r.id, r.status, r.upkeep_paid_until_year, p.upkeep_cents
        FROM reservations r
        JOIN plots p ON p.id = r.plot_id
        WHERE r.id = ? AND r.family_contact_id = ?
        """,
        [reservation_id, env.user_id],
    )
    if reservation is None:
        raise env.Error(f"you have no reservation {reservation_id}")
    if reservation["status"] not in ("active", "used"):
        raise env.Error(f"upkeep cannot be paid for a reservation that is {reservation['status']}")
    if until_year < FIRST_YEAR or until_year > LAST_YEAR:
        raise env.Error("the year must lie between 1990 and 2199")
    paid_until = reservation["upkeep_paid_until_year"]
    if until_year <= paid_until:
        raise env.Error(f"the upkeep is already paid up to and including {paid_until}")
    years = until_year - paid_until
    env.execute(
        "UPDATE reservations SET upkeep_paid_until_year = ? WHERE id = ? AND family_contact_id = ?",
        [until_year, reservation_id, env.user_id],
    )
    return {
        "reservation": _pay_upkeep_show(env, reservation_id),
        "years_paid": years,
        "paid_cents": years * reservation["upkeep_cents"],
    }
