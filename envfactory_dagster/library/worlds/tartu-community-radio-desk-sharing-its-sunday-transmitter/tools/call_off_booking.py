def _list_bookings_view(env, booking: dict) -> dict:
    volunteer = env.files.get("data/volunteers.json", booking["volunteer_id"])
    return {
        "id": booking["id"],
        "volunteer_id": booking["volunteer_id"],
        "volunteer_name": volunteer["name"],
        "item": booking["item"],
        "first_day": booking["first_day"],
        "last_day": booking["last_day"],
        "from_time": booking["from_time"] or None,
        "until_time": booking["until_time"] or None,
        "status": booking["status"],
        "called_off_at": booking["called_off_at"] or None,
    }


def call_off_booking(env, *, booking_id: int) -> dict:
    """Calls off a booking of the user's own that has not begun yet."""
    booking = env.files.get("data/bookings.csv", booking_id)
    if booking is None or booking["volunteer_id"] != env.user_id:
        raise env.Error(f"you have no booking {booking_id}")
    if booking["status"] != "booked":
        raise env.Error("that booking has been called off already")
    if booking["item"] == "recorder":
        begins = booking["first_day"] + "T00:00:00"
    else:
        begins = booking["first_day"] + "T" + booking["from_time"] + ":00"
    if begins <= env.now:
        raise env.Error("that booking has begun already")
    env.files.update("data/bookings.csv", booking_id, {"status": "called_off", "called_off_at": env.now})
    return {"booking": _list_bookings_view(env, env.files.get("data/bookings.csv", booking_id))}
