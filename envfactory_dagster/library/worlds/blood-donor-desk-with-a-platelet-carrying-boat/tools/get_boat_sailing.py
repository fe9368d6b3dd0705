import datetime

def _desk_date(env, text):
    """The day a text names, or a refusal."""
    try:
        return datetime.date.fromisoformat(text).isoformat()
    except ValueError:
        raise env.Error("there is no day " + str(text))


def _desk_plus_days(day, days):
    """The day so many days later (or earlier, if negative)."""
    return (datetime.date.fromisoformat(day[:10]) + datetime.timedelta(days=days)).isoformat()


def _desk_plus_months(day, months):
    """The same day so many months later (or earlier), or the last of that month."""
    year, month = divmod(int(day[:4]) * 12 + int(day[5:7]) - 1 + months, 12)
    last = 31
    while True:
        try:
            return datetime.date(year, month + 1, min(int(day[8:10]), last)).isoformat()
        except ValueError:
            last -= 1


def _desk_sailing_row(env, sailing_date):
    """The sailing of a Thursday, or a refusal."""
    day = _desk_date(env, sailing_date)
    if datetime.date.fromisoformat(day).weekday() != 3:
        raise env.Error(day + " is not a Thursday")
    row = env.one("SELECT * FROM boat_sailings WHERE sailing_date = ?", [day])
    if row is None:
        raise env.Error("no sailing is on record for " + day)
    return row


def _desk_sailing(env, sailing_id):
    """A sailing as the tools show it."""
    b = env.one(
        "SELECT b.*, s.slot_code FROM boat_sailings b LEFT JOIN slots s ON s.id = b.blocked_slot_id WHERE b.id = ?",
        [sailing_id],
    )
    moved = env.query(
        "SELECT DISTINCT appointment_id FROM appointment_moves WHERE boat_sailing_id = ? ORDER BY appointment_id",
        [sailing_id],
    )
    waiting = env.query(
        "SELECT id FROM appointments WHERE slot_id = ? AND state IN ('booked', 'checked_in') ORDER BY id",
        [b["blocked_slot_id"]],
    )
    return {
        "sailing_date": b["sailing_date"],
        "state": b["state"],
        "units": b["units"],
        "ordered_by": b["ordered_by"],
        "blocked_slot_id": b["slot_code"],
        "moved_appointments": [row["appointment_id"] for row in moved],
        "appointments_to_move": [row["id"] for row in waiting],
    }


def get_boat_sailing(env, *, sailing_date: str) -> dict:
    """Show whether the boat of a Thursday sails and carries platelets."""
    return _desk_sailing(env, _desk_sailing_row(env, sailing_date)["id"])
