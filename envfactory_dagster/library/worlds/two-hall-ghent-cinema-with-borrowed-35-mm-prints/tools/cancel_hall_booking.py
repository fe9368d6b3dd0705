from datetime import date


def _buy_tickets_euro(cents):
    return "€" + str(cents // 100) + "." + str(cents % 100).zfill(2)


def _list_my_hall_bookings_fee(booking, now):
    """What cancelling a hall booking costs now, or None when it can no longer be cancelled."""
    if booking["status"] == "option":
        return 0 if booking["option_until"] >= now else None
    if booking["status"] != "confirmed" or booking["starts_at"] <= now:
        return None
    days = (date.fromisoformat(booking["starts_at"][:10]) - date.fromisoformat(now[:10])).days
    if days > 30:
        return 2500
    if days >= 11:
        return booking["deposit_cents"]
    return booking["hall_cents"] + booking["licence_cents"]


def _confirm_hall_booking_row(env, hall_booking_id):
    booking = env.one(
        "SELECT id, hall_id, starts_at, hall_cents, licence_cents, deposit_cents, deposit_payment_id, option_until, status FROM hall_bookings WHERE id = ? AND account_id = ?",
        [hall_booking_id, env.user_id],
    )
    if booking is None:
        raise env.Error("You have no hall booking " + str(hall_booking_id) + ".")
    return booking


def cancel_hall_booking(env, *, hall_booking_id: int, fee_cents: int) -> dict:
    """Cancels an option or a coming booking for the fee that is due now."""
    booking = _confirm_hall_booking_row(env, hall_booking_id)
    fee = _list_my_hall_bookings_fee(booking, env.now)
    if fee is None:
        raise env.Error("Hall booking " + str(hall_booking_id) + " can no longer be cancelled.")
    if fee_cents != fee:
        raise env.Error("Cancelling costs " + _buy_tickets_euro(fee) + " now, not " + _buy_tickets_euro(fee_cents) + ".")
    refunded = 0
    if booking["deposit_payment_id"] is not None:
        refunded = max(0, booking["deposit_cents"] - fee)
        if refunded > 0:
            env.execute("UPDATE payments SET refunded_cents = refunded_cents + ? WHERE id = ?", [refunded, booking["deposit_payment_id"]])
    env.execute(
        "UPDATE hall_bookings SET status = 'cancelled', cancelled_at = ?, cancellation_fee_cents = ? WHERE id = ?",
        [env.now, fee, hall_booking_id],
    )
    return {"hall_booking_id": hall_booking_id, "status": "cancelled", "cancellation_fee_cents": fee, "refunded_cents": refunded}
