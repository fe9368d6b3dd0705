from datetime import datetime, timedelta


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


def _cancel_booking_row(env, booking_id):
    row = env.one("SELECT * FROM bookings WHERE id = ? AND member_id = ?", [booking_id, env.user_id])
    if row is None:
        raise env.Error("you have no booking with the id " + str(booking_id))
    return row


def report_delay(env, *, booking_id: int) -> dict:
    """Reports that the user will be late for a booking."""
    booking = _cancel_booking_row(env, booking_id)
    if booking["status"] != "confirmed":
        raise env.Error("only for a confirmed booking can a delay be reported")
    if booking["starts_at"][:10] != env.now[:10]:
        raise env.Error("a delay is reported on the day of the booking")
    if datetime.fromisoformat(env.now) > datetime.fromisoformat(booking["starts_at"]) + timedelta(minutes=20):
        raise env.Error("a delay is reported at the latest 20 minutes after the start")
    if booking["delay_reported_at"] is not None:
        raise env.Error("you have already reported a delay for that booking")
    env.execute("UPDATE bookings SET delay_reported_at = ? WHERE id = ?", [env.now, booking_id])
    return {"booking": _search_bookings_show(env, booking_id)}
