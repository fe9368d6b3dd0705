import datetime
def _check_availability_sets(env, edition_id, booking_id, today):
    """All loans out and open bookings of an edition, one booking left out, with their first and last days."""
    sets = []
    for one in env.files.records("data/loans.csv", {"edition_id": edition_id, "status": "out"}):
        sets.append({
            "kind": "loan", "id": one["id"], "choir_id": one["choir_id"], "copies": one["copies"],
            "first_day": one["out_on"], "last_day": max(one["due_on"], today),
        })
    for one in env.files.records("data/bookings.csv", {"edition_id": edition_id, "status": "open"}):
        if one["id"] != booking_id:
            last = datetime.date.fromisoformat(one["concert_date"]) + datetime.timedelta(days=14)
            sets.append({
                "kind": "booking", "id": one["id"], "choir_id": one["choir_id"], "copies": one["copies"],
                "first_day": one["wanted_from"], "last_day": last.isoformat(),
            })
    return sets


def _check_availability_peak(sets, first_day, last_day):
    """The most copies that these sets take on any day from first_day to last_day."""
    days = [first_day] + [one["first_day"] for one in sets if first_day < one["first_day"] <= last_day]
    return max(
        sum(one["copies"] for one in sets if one["first_day"] <= day <= one["last_day"]) for day in days
    )


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


def _book_edition_check_copies(env, edition_id, copies, first_day, last_day, booking_id, today):
    """Refuses where a set of these days would break the rule on copies of a work."""
    work_id = env.files.get("data/editions.csv", edition_id)["work_id"]
    most = env.files.get("data/choirs.csv", env.user_id)["singers"] + 3
    total = copies
    for edition in env.files.records("data/editions.csv", {"work_id": work_id}):
        for one in _check_availability_sets(env, edition["id"], booking_id, today):
            if one["choir_id"] == env.user_id and one["first_day"] <= last_day and one["last_day"] >= first_day:
                if edition["id"] != edition_id:
                    raise env.Error(f"you have the {edition['publisher']} edition of that work at that time, and all your copies of a work must be of one edition")
                total += one["copies"]
    if total > most:
        raise env.Error(f"that makes {total} copies of the work at a time; your choir may have at most {most}, its singers plus 3")


def _book_edition_check_free(env, edition_id, copies, first_day, last_day, booking_id, today):
    """Refuses where so many copies are not free on every one of these days."""
    owned = env.files.get("data/editions.csv", edition_id)["copies_owned"]
    sets = _check_availability_sets(env, edition_id, booking_id, today)
    free = max(0, owned - _check_availability_peak(sets, first_day, last_day))
    if copies > free:
        raise env.Error(f"only {free} copies of that edition are free from {first_day} to {last_day}")


def _book_edition_last_day(env, concert_date):
    """The day until which a set for that concert is kept or out: 14 days after it."""
    if concert_date > "9999-11-30":
        raise env.Error("that concert is too far off")
    return (datetime.date.fromisoformat(concert_date) + datetime.timedelta(days=14)).isoformat()


def change_booking(
    env, *, booking_id: int, copies: int | None = None, wanted_from: str | None = None, concert_date: str | None = None
) -> dict:
    """Changes copies, day wanted from or concert of an open booking."""
    booking = env.files.get("data/bookings.csv", booking_id)
    if booking is None or booking["choir_id"] != env.user_id:
        raise env.Error(f"you have no booking {booking_id}")
    if booking["status"] != "open":
        raise env.Error(f"that booking is {booking['status']}")
    if copies is None and wanted_from is None and concert_date is None:
        raise env.Error("say what is to be changed: the copies, the day wanted from or the concert")
    today = env.now[:10]
    if copies is not None and copies < 1:
        raise env.Error("book one copy at least")
    if wanted_from is not None and wanted_from < today:
        raise env.Error(f"the day wanted from is over; today is {today}")
    if concert_date is not None and concert_date < today:
        raise env.Error(f"that concert is over; today is {today}")
    new_copies = booking["copies"] if copies is None else copies
    new_from = booking["wanted_from"] if wanted_from is None else wanted_from
    new_concert = booking["concert_date"] if concert_date is None else concert_date
    if new_concert < new_from:
        raise env.Error("the concert is before the day from which you want the copies")
    last_day = _book_edition_last_day(env, new_concert)
    _book_edition_check_copies(env, booking["edition_id"], new_copies, new_from, last_day, booking_id, today)
    first_day = max(new_from, today)
    if first_day <= last_day:
        _book_edition_check_free(env, booking["edition_id"], new_copies, first_day, last_day, booking_id, today)
    env.files.update("data/bookings.csv", booking_id, {
        "copies": new_copies, "wanted_from": new_from, "concert_date": new_concert,
    })
    return {"booking": _undo_put_out_booking(env, env.files.get("data/bookings.csv", booking_id))}
