from datetime import datetime, timedelta

MIN_DAYS_HELD = 90


def _release_reservation_show(env, reservation_id):
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


def release_reservation(env, *, reservation_id: int) -> dict:
    """Release the user's own active reservation and refund part of its price."""
    reservation = env.one(
        """
        SELECT r.id, r.plot_id, r.status, r.price_cents, r.upkeep_paid_until_year, r.reserved_at,
               p.refund_cents AS plot_refund_cents
        FROM reservations r
        JOIN plots p ON p.id = r.plot_id
        WHERE r.id = ? AND r.family_contact_id = ?
        """,
        [reservation_id, env.user_id],
    )
    if reservation is None:
        raise env.Error(f"you have no reservation {reservation_id}")
    if reservation["status"] != "active":
        raise env.Error(
            f"only an active reservation can be released; this one is {reservation['status']}"
        )
    if reservation["upkeep_paid_until_year"] < int(env.now[:4]):
        raise env.Error(
            "the upkeep is paid only up to "
            f"{reservation['upkeep_paid_until_year']}; it must be paid for the current year first"
        )
    earliest = datetime.fromisoformat(reservation["reserved_at"]) + timedelta(days=MIN_DAYS_HELD)
    if datetime.fromisoformat(env.now) < earliest:
        raise env.Error("a reservation can be released only 90 days or more after it was made")
    refund = min(reservation["plot_refund_cents"], reservation["price_cents"])
    env.execute(
        """
        UPDATE reservations SET status = 'released', released_at = ?, refund_cents = ?
        WHERE id = ? AND family_contact_id = ?
        """,
        [env.now, refund, reservation_id, env.user_id],
    )
    env.execute("UPDATE plots SET status = 'free' WHERE id = ?", [reservation["plot_id"]])
    return {"reservation": _release_reservation_show(env, reservation_id)}
