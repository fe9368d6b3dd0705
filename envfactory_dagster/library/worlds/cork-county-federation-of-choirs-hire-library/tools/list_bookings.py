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


def list_bookings(env, *, status: str | None = None) -> dict:
    """Lists the choir's bookings."""
    found = [
        one for one in env.files.records("data/bookings.csv", {"choir_id": env.user_id})
        if status is None or one["status"] == status
    ]
    return {
        "bookings": [
            _undo_put_out_booking(env, one) for one in sorted(found, key=lambda one: (one["wanted_from"], one["id"]))
        ]
    }
