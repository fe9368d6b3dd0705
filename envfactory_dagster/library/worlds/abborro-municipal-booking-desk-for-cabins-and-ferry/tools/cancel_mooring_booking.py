def _book_mooring_row(env, mooring_booking_id):
    """A mooring booking of the household as the tools show it."""
    row = env.one(
        "SELECT b.id AS mooring_booking_id, b.code, b.mooring_id, m.island_id, m.number, b.boat_name, b.boat_length_m,"
        " b.arrives_on, b.leaves_on, b.price_cents, b.status, b.booked_at, b.cancelled_at FROM mooring_bookings b"
        " JOIN moorings m ON m.id = b.mooring_id WHERE b.id = ? AND b.household_id = ?",
        [mooring_booking_id, env.user_id])
    if row is None:
        raise env.Error(f"You have no mooring booking {mooring_booking_id}.")
    return row


def cancel_mooring_booking(env, *, mooring_booking_id: int) -> dict:
    """Cancels a mooring booking before its day of arrival and gives back what was paid."""
    booking = _book_mooring_row(env, mooring_booking_id)
    if booking["status"] != "booked":
        raise env.Error(f"Mooring booking {booking['code']} is cancelled already.")
    if booking["arrives_on"] <= env.now[:10]:
        raise env.Error("A mooring can be cancelled only before the day of arrival.")
    env.execute("UPDATE mooring_bookings SET status = 'cancelled', cancelled_at = ? WHERE id = ? AND household_id = ?",
                [env.now, mooring_booking_id, env.user_id])
    back = env.one("SELECT COALESCE(SUM(CASE WHEN kind = 'refund' THEN -amount_cents ELSE amount_cents END), 0) AS n"
                   " FROM payments WHERE mooring_booking_id = ?", [mooring_booking_id])["n"]
    if back > 0:
        env.insert(
            "INSERT INTO payments (household_id, stay_id, crossing_id, sauna_turn_id, mooring_booking_id, kind, method,"
            " amount_cents, paid_at) VALUES (?, NULL, NULL, NULL, ?, 'refund', 'card', ?, ?)",
            [env.user_id, mooring_booking_id, back, env.now])
    return {"mooring_booking": _book_mooring_row(env, mooring_booking_id), "refund_cents": max(0, back)}
