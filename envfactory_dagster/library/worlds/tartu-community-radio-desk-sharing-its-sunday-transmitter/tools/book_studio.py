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


BOOK_STUDIO_MOST_AHEAD = 2


def book_studio(env, *, studio: int, day: str, from_time: str, until_time: str) -> dict:
    """Books a studio for the user on one day, in half hours."""
    me = env.files.get("data/volunteers.json", env.user_id)
    if me["studio_course"] != 1:
        raise env.Error("without the studio course you book no studio")
    if studio not in (1, 2):
        raise env.Error(f"there is no studio {studio}")
    wanted = _note_consent_day(env, day).isoformat()
    for moment in (from_time, until_time):
        if moment[2:] not in (":00", ":30"):
            raise env.Error("studios are booked in half hours")
    if until_time <= from_time:
        raise env.Error("a booking ends after it begins")
    if wanted + "T" + from_time + ":00" <= env.now:
        raise env.Error("that time has begun already")
    mine = env.files.records("data/bookings.csv", {"volunteer_id": env.user_id, "status": "booked"})
    ahead = [
        one for one in mine
        if one["item"] != "recorder" and one["first_day"] + "T" + one["from_time"] + ":00" > env.now
    ]
    if len(ahead) >= BOOK_STUDIO_MOST_AHEAD:
        raise env.Error(f"you hold {len(ahead)} studio bookings ahead already; {BOOK_STUDIO_MOST_AHEAD} is the most")
    item = "studio_1" if studio == 1 else "studio_2"
    for other in env.files.records("data/bookings.csv", {"item": item, "first_day": wanted, "status": "booked"}):
        if other["from_time"] < until_time and from_time < other["until_time"]:
            raise env.Error(f"studio {studio} is taken from {other['from_time']} to {other['until_time']} that day")
    booking_id = env.files.append("data/bookings.csv", {
        "volunteer_id": env.user_id,
        "item": item,
        "first_day": wanted,
        "last_day": wanted,
        "from_time": from_time,
        "until_time": until_time,
        "status": "booked",
        "called_off_at": "",
    })
    return {"booking": _list_bookings_view(env, env.files.get("data/bookings.csv", booking_id))}
