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


def _desk_slot_row(env, slot_id):
    """A slot by its code with its site, or a refusal."""
    row = env.one(
        "SELECT s.*, t.site_code, t.mobile FROM slots s JOIN sites t ON t.id = s.site_id WHERE s.slot_code = ?",
        [slot_id],
    )
    if row is None:
        raise env.Error("there is no slot " + slot_id)
    return row


def _desk_kept(env, slot):
    """Whether a slot is still kept for replacement donors: until 18:00 on the day before."""
    return slot["state"] == "kept" and env.now < _desk_plus_days(slot["starts_at"], -1) + "T18:00:00"


def _desk_slot(env, slot):
    """A slot as the tools show it."""
    taken = env.one(
        "SELECT COUNT(*) AS n FROM appointments WHERE slot_id = ? AND cancelled_at IS NULL", [slot["id"]]
    )["n"]
    left = max(0, slot["places"] - taken)
    state = "free"
    if slot["state"] == "blocked":
        state = "blocked"
        left = 0
    elif left == 0:
        state = "full"
    elif _desk_kept(env, slot):
        state = "kept"
    kinds = []
    if slot["takes_whole_blood"]:
        kinds.append("whole_blood")
    if slot["takes_platelets"]:
        kinds.append("platelets")
    if slot["takes_plasma"]:
        kinds.append("plasma")
    if slot["takes_double_red"]:
        kinds.append("double_red")
    return {
        "slot_id": slot["slot_code"],
        "site_code": slot["site_code"],
        "starts_at": slot["starts_at"],
        "kinds": kinds,
        "places_left": left,
        "state": state,
        "block_reason": slot["block_reason"],
        "block_note": slot["block_note"],
    }


LIST_SLOTS_DAYS_AHEAD = 28


def list_slots(env, *, site_code: str, date: str, kind: str = None, free_only: bool = True) -> dict:
    """List the slots of a site on a day, by time."""
    if env.one("SELECT id FROM sites WHERE site_code = ?", [site_code]) is None:
        raise env.Error("there is no site " + site_code)
    day = _desk_date(env, date)
    if day > _desk_plus_days(env.now, LIST_SLOTS_DAYS_AHEAD):
        raise env.Error("slots open 28 days ahead; those of " + day + " are not open yet")
    rows = env.query(
        "SELECT s.*, t.site_code FROM slots s JOIN sites t ON t.id = s.site_id WHERE t.site_code = ? "
        "AND substr(s.starts_at, 1, 10) = ? ORDER BY s.starts_at, s.id",
        [site_code, day],
    )
    result = []
    for row in rows:
        shown = _desk_slot(env, row)
        if kind is not None and kind not in shown["kinds"]:
            continue
        if free_only and (shown["state"] != "free" or shown["starts_at"] <= env.now):
            continue
        result.append(shown)
    return {"result": result}
