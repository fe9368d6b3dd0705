def _undo_put_out_booking(env, booking):
    edition = env.files.get("data/editions.csv", booking["edition_id"])
    work = env.files.get("data/works.yaml", edition["work_id"])
    return {
        "id": booking["id"],
        "edition_id": booking["edition_id"],
        "composer": work["composer"],
        "title": work["title"],
        "publisher": edition["publisher"],
        "copies": booking["copies"],
        "wanted_from": booking["wanted_from"],
        "concert_date": booking["concert_date"],
        "booked_on": booking["booked_on"],
        "status": booking["status"],
        "cancelled_on": booking["cancelled_on"] or None,
    }


def cancel_booking(env, *, booking_id: int) -> dict:
    """Cancels an open booking of the choir."""
    booking = env.files.get("data/bookings.csv", booking_id)
    if booking is None or booking["choir_id"] != env.user_id:
        raise env.Error(f"you have no booking {booking_id}")
    if booking["status"] != "open":
        raise env.Error(f"that booking is {booking['status']} already")
    env.files.update("data/bookings.csv", booking_id, {"status": "cancelled", "cancelled_on": env.now[:10]})
    return {"booking": _undo_put_out_booking(env, env.files.get("data/bookings.csv", booking_id))}
