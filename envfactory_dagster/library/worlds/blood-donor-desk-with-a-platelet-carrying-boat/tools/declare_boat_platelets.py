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


def declare_boat_platelets(env, *, sailing_date: str, units: int, ordered_by: str = None) -> dict:
    """Enter how many units of platelets the boat of a Thursday must carry."""
    sailing = _desk_sailing_row(env, sailing_date)
    day = sailing["sailing_date"]
    if units < 0 or units > 6:
        raise env.Error("the boat carries at most 6 units of platelets")
    if units > 0:
        if sailing["state"] in ("no_boat", "port_closed"):
            raise env.Error("there is no boat to carry platelets on " + day)
        if env.now > _desk_plus_days(day, -1) + "T16:00:00":
            raise env.Error("platelets for the boat of " + day + " had to be declared by Wednesday 16:00")
        slot = env.one(
            "SELECT s.id, s.block_reason FROM slots s JOIN sites t ON t.id = s.site_id "
            "WHERE t.site_code = 'um_portales' AND substr(s.starts_at, 1, 10) = ? "
            "AND substr(s.starts_at, 12, 5) = '12:20'",
            [sailing_date],
        )
        if slot is None:
            raise env.Error("the 12:20 at Portales on " + day + " is not open yet")
        blocked = slot["id"]
    else:
        if sailing["units"] > 0 and env.now >= day + "T09:00:00":
            raise env.Error("from 09:00 on that Thursday the platelets cannot be set back to 0")
        if sailing["blocked_slot_id"] is not None:
            env.execute(
                "UPDATE slots SET state = 'free', block_reason = NULL, block_note = NULL, blocked_at = NULL, "
                "blocked_by = NULL WHERE id = ?",
                [sailing["blocked_slot_id"]],
            )
        blocked = None
    env.execute(
        "UPDATE boat_sailings SET units = ?, ordered_by = COALESCE(?, ordered_by), blocked_slot_id = ?, "
        "declared_at = ?, recorded_by = ? WHERE id = ?",
        [units, ordered_by, blocked, env.now, env.user_id, sailing["id"]],
    )
    if units > 0 and slot["block_reason"] != "boat":
        env.execute(
            "UPDATE slots SET state = 'blocked', block_reason = 'boat', block_note = NULL, blocked_at = :now, "
            "blocked_by = :user WHERE id = (SELECT blocked_slot_id FROM boat_sailings WHERE sailing_date = :day)",
            {"now": env.now, "user": env.user_id, "day": sailing_date},
        )
    return _desk_sailing(env, sailing["id"])
