import datetime

def _note_consent_day(env, day: str):
    try:
        return datetime.date.fromisoformat(day)
    except ValueError:
        raise env.Error(f"there is no such day as {day}")


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


BOOK_RECORDER_MOST_DAYS = 3


def book_recorder(env, *, first_day: str, last_day: str) -> dict:
    """Books the recorder for the user for up to three whole days in a row."""
    first = _note_consent_day(env, first_day)
    last = _note_consent_day(env, last_day)
    if last < first:
        raise env.Error("the last day lies before the first day")
    if (last - first).days + 1 > BOOK_RECORDER_MOST_DAYS:
        raise env.Error(f"the recorder goes out for up to {BOOK_RECORDER_MOST_DAYS} days")
    if first.isoformat() < env.now[:10]:
        raise env.Error("that day has passed")
    for other in env.files.records("data/bookings.csv", {"item": "recorder", "status": "booked"}):
        if other["first_day"] <= last.isoformat() and first.isoformat() <= other["last_day"]:
            raise env.Error(f"the recorder is out from {other['first_day']} to {other['last_day']}")
    booking_id = env.files.append("data/bookings.csv", {
        "volunteer_id": env.user_id,
        "item": "recorder",
        "first_day": first.isoformat(),
        "last_day": last.isoformat(),
        "from_time": "",
        "until_time": "",
        "status": "booked",
        "called_off_at": "",
    })
    return {"booking": _list_bookings_view(env, env.files.get("data/bookings.csv", booking_id))}
