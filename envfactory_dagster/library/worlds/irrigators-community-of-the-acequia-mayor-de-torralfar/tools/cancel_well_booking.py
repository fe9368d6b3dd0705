import datetime

CANCEL_WELL_BOOKING_HOURS = 12


def cancel_well_booking(env, *, well_booking_id: int) -> dict:
    """Cancels a booking of the member whole."""
    row = env.one(
        "SELECT id, code, starts_at, price_cents, status FROM well_bookings WHERE id = ? AND member_id = ?",
        [well_booking_id, env.user_id],
    )
    if row is None:
        raise env.Error("You have no booking of the well " + str(well_booking_id) + ".")
    if row["status"] == "cancelled":
        raise env.Error(row["code"] + " is cancelled already.")
    if row["status"] == "used" or env.now >= row["starts_at"]:
        raise env.Error(row["code"] + " has begun; it can no longer be cancelled.")
    left = datetime.datetime.fromisoformat(row["starts_at"]) - datetime.datetime.fromisoformat(env.now)
    kept = 0 if left >= datetime.timedelta(hours=CANCEL_WELL_BOOKING_HOURS) else row["price_cents"] // 2
    env.execute(
        "UPDATE well_bookings SET status = 'cancelled', cancelled_at = :now, kept_cents = :kept WHERE id = :booking",
        {"now": env.now, "kept": kept, "booking": well_booking_id},
    )
    return {
        "well_booking_id": well_booking_id,
        "code": row["code"],
        "status": "cancelled",
        "cancelled_at": env.now,
        "price_cents": row["price_cents"],
        "kept_cents": kept,
        "returned_cents": row["price_cents"] - kept,
    }
