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


def block_slot(env, *, slot_id: str, reason: str, note: str = None) -> dict:
    """Block a slot by hand."""
    slot = _desk_slot_row(env, slot_id)
    if slot["state"] == "blocked":
        raise env.Error("the slot " + slot_id + " is blocked already")
    if slot["starts_at"] <= env.now:
        raise env.Error("the slot " + slot_id + " has begun already")
    if env.one(
        "SELECT id FROM appointments WHERE slot_id = ? AND state IN ('booked', 'checked_in') LIMIT 1", [slot["id"]]
    ):
        raise env.Error("there are people in the slot " + slot_id + "; move them first")
    env.execute(
        "UPDATE slots SET state = 'blocked', block_reason = ?, block_note = ?, blocked_at = ?, blocked_by = ? "
        "WHERE id = ?",
        [reason, note, env.now, env.user_id, slot["id"]],
    )
    return _desk_slot(env, _desk_slot_row(env, slot_id))
