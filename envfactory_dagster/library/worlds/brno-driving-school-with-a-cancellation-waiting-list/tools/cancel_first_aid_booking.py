import datetime


def cancel_first_aid_booking(env, *, first_aid_booking_id: int) -> dict:
    """Cancels a first aid booking in time."""
    booking = env.one(
        "SELECT b.status, d.calendar_day FROM first_aid_bookings b JOIN first_aid_days d ON d.id = b.first_aid_day_id"
        " WHERE b.id = ? AND b.pupil_id = ?", [first_aid_booking_id, env.user_id])
    if booking is None:
        raise env.Error(f"you have no first aid booking {first_aid_booking_id}")
    if booking["status"] != "booked":
        raise env.Error(f"this booking cannot be cancelled, it is {booking['status']}")
    thursday = datetime.date.fromisoformat(booking["calendar_day"]) - datetime.timedelta(days=2)
    if env.now > thursday.isoformat() + "T12:00:00":
        raise env.Error("a first aid booking can be cancelled until 12:00 on the Thursday before")
    env.execute("UPDATE first_aid_bookings SET status = 'cancelled', cancelled_at = ? WHERE id = ?", [env.now, first_aid_booking_id])
    env.execute(
        "UPDATE charges SET credited_cents = amount_cents, credited_at = ?, credit_reason = 'cancelled_in_time'"
        " WHERE first_aid_booking_id = ? AND credited_cents < amount_cents", [env.now, first_aid_booking_id])
    return {"first_aid_booking": env.one(
        "SELECT id, first_aid_day_id, status, booked_at, cancelled_at FROM first_aid_bookings WHERE id = ?", [first_aid_booking_id])}
