def _search_bookings_show(env, booking_id):
    return env.one(
        """SELECT b.id AS booking_id, b.code, b.station_id, s.code AS station_code, s.machine, b.kind,
                  b.starts_at, b.ends_at, b.price_cents,
                  COALESCE((SELECT SUM(-c.amount_cents) FROM credit_entries c
                            WHERE c.booking_id = b.id AND c.kind = 'use'), 0) AS credit_paid_cents,
                  b.status, b.induction_place_id, b.booked_at, b.delay_reported_at, b.swept_at,
                  b.cancelled_at, b.cancel_reason, b.refund_cents
           FROM bookings b JOIN stations s ON s.id = b.station_id
           WHERE b.id = ? AND b.member_id = ?""", [booking_id, env.user_id])


def get_booking(env, *, code: str) -> dict:
    """Shows one of the user's bookings by its code."""
    row = env.one("SELECT id FROM bookings WHERE code = ? AND member_id = ?", [code, env.user_id])
    if row is None:
        raise env.Error("you have no booking " + code)
    return {"booking": _search_bookings_show(env, row["id"])}
