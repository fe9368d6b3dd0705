def _buy_tickets_euro(cents):
    return "€" + str(cents // 100) + "." + str(cents % 100).zfill(2)


def _confirm_hall_booking_row(env, hall_booking_id):
    booking = env.one(
        "SELECT id, hall_id, starts_at, hall_cents, licence_cents, deposit_cents, deposit_payment_id, option_until, status FROM hall_bookings WHERE id = ? AND account_id = ?",
        [hall_booking_id, env.user_id],
    )
    if booking is None:
        raise env.Error("You have no hall booking " + str(hall_booking_id) + ".")
    return booking


def _confirm_hall_booking_running(env, booking):
    if booking["status"] != "option":
        raise env.Error("Hall booking " + str(booking["id"]) + " is no option any more; it is " + booking["status"] + ".")
    if booking["option_until"] < env.now:
        raise env.Error("That option lapsed on " + booking["option_until"].replace("T", " ")[:16] + ".")


def confirm_hall_booking(env, *, hall_booking_id: int) -> dict:
    """Turns a running option with a paid deposit into a confirmed booking."""
    booking = _confirm_hall_booking_row(env, hall_booking_id)
    _confirm_hall_booking_running(env, booking)
    if booking["deposit_payment_id"] is None:
        raise env.Error("The deposit of " + _buy_tickets_euro(booking["deposit_cents"]) + " has to be paid first.")
    env.execute("UPDATE hall_bookings SET status = 'confirmed' WHERE id = ?", [hall_booking_id])
    return {"hall_booking_id": hall_booking_id, "status": "confirmed"}
