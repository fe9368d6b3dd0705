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


def check_availability(env, *, edition_id: int, first_day: str, last_day: str) -> dict:
    """Tells how many copies of an edition are free throughout a stretch of days."""
    edition = env.files.get("data/editions.csv", edition_id)
    if edition is None:
        raise env.Error(f"there is no edition {edition_id}")
    today = env.now[:10]
    if first_day < today:
        raise env.Error(f"the first day is over; ask from {today} on")
    if last_day < first_day:
        raise env.Error("the last day is before the first")
    sets = _check_availability_sets(env, edition_id, None, today)
    met = [one for one in sets if one["first_day"] <= last_day and one["last_day"] >= first_day]
    return {
        "edition_id": edition_id,
        "first_day": first_day,
        "last_day": last_day,
        "copies_owned": edition["copies_owned"],
        "copies_free": max(0, edition["copies_owned"] - _check_availability_peak(met, first_day, last_day)),
        "taken": [
            {
                "kind": one["kind"],
                "own": one["choir_id"] == env.user_id,
                "copies": one["copies"],
                "first_day": one["first_day"],
                "last_day": one["last_day"],
            }
            for one in sorted(met, key=lambda one: (one["first_day"], one["kind"], one["id"]))
        ],
    }
