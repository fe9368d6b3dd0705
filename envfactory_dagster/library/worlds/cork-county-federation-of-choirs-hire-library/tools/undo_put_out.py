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


def undo_put_out(env, *, loan_id: int) -> dict:
    """Strikes out a loan put out today, and opens its booking again."""
    loan = env.files.get("data/loans.csv", loan_id)
    if loan is None or loan["choir_id"] != env.user_id:
        raise env.Error(f"you have no loan {loan_id}")
    if loan["out_on"] != env.now[:10]:
        raise env.Error(f"that set went out on {loan['out_on']}; a loan is struck out only on its own day")
    if loan["status"] != "out":
        raise env.Error("that set is back already")
    if loan["extended"]:
        raise env.Error("that loan was extended already")
    charges = env.files.records("data/charges.csv", {"loan_id": loan_id})
    if any(one["status"] == "paid" for one in charges):
        raise env.Error("the hire of that loan is paid already")
    booked = env.files.records("data/bookings.csv", {
        "choir_id": env.user_id, "edition_id": loan["edition_id"], "copies": loan["copies"],
        "concert_date": loan["concert_date"], "status": "collected",
    })
    for one in charges:
        env.files.remove("data/charges.csv", one["id"])
    env.files.remove("data/loans.csv", loan_id)
    bookings = []
    if booked:
        booking_id = max(one["id"] for one in booked)
        env.files.update("data/bookings.csv", booking_id, {"status": "open"})
        bookings.append(_undo_put_out_booking(env, env.files.get("data/bookings.csv", booking_id)))
    return {"loan_id": loan_id, "bookings": bookings}
