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


def _desk_donor(env, donor_id):
    """The row of a donor, or a refusal."""
    row = env.one("SELECT * FROM donors WHERE id = ?", [donor_id])
    if row is None:
        raise env.Error("there is no donor with card number " + str(donor_id))
    return row


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


def _desk_appointment_row(env, appointment_id):
    """An appointment with its slot, or a refusal."""
    row = env.one(
        "SELECT a.*, s.slot_code, s.starts_at, s.state AS slot_state, s.block_reason, t.site_code "
        "FROM appointments a JOIN slots s ON s.id = a.slot_id JOIN sites t ON t.id = s.site_id WHERE a.id = ?",
        [appointment_id],
    )
    if row is None:
        raise env.Error("there is no appointment " + str(appointment_id))
    return row


def _desk_own_moves(env, appointment_id):
    """How often an appointment was moved, the boat left out."""
    return env.one(
        "SELECT COUNT(*) AS n FROM appointment_moves WHERE appointment_id = ? AND because_of_boat = 0",
        [appointment_id],
    )["n"]


def _desk_appointment(env, appointment_id):
    """An appointment as the tools show it."""
    a = _desk_appointment_row(env, appointment_id)
    donor = env.one("SELECT given_names || ' ' || surnames AS name FROM donors WHERE id = ?", [a["donor_id"]])
    request = env.one("SELECT code FROM replacement_requests WHERE id = ?", [a["replacement_request_id"]])
    voucher = env.one("SELECT amount_clp, wait_until FROM breakfast_vouchers WHERE appointment_id = ?", [a["id"]])
    return {
        "appointment_id": a["id"],
        "donor_id": a["donor_id"],
        "donor_name": donor["name"],
        "slot_id": a["slot_code"],
        "site_code": a["site_code"],
        "starts_at": a["starts_at"],
        "kind": a["kind"],
        "state": a["state"],
        "moves": _desk_own_moves(env, a["id"]),
        "replacement_code": request["code"] if request else None,
        "booked_at": a["booked_at"],
        "checked_in_at": a["checked_in_at"],
        "cancelled_at": a["cancelled_at"],
        "cancel_reason": a["cancel_reason"],
        "voucher_amount_clp": voucher["amount_clp"] if voucher else None,
        "wait_until": voucher["wait_until"] if voucher else None,
    }


def list_appointments(
    env,
    *,
    donor_id: int = None,
    slot_id: str = None,
    site_code: str = None,
    first_day: str = None,
    last_day: str = None,
    state: str = None,
    limit: int = 50,
) -> dict:
    """List appointments by time."""
    if donor_id is not None:
        _desk_donor(env, donor_id)
    if slot_id is not None:
        _desk_slot_row(env, slot_id)
    first = None if first_day is None else _desk_date(env, first_day)
    last = None if last_day is None else _desk_date(env, last_day)
    rows = env.query(
        "SELECT a.id FROM appointments a JOIN slots s ON s.id = a.slot_id JOIN sites t ON t.id = s.site_id "
        "WHERE (:donor IS NULL OR a.donor_id = :donor) AND (:slot IS NULL OR s.slot_code = :slot) "
        "AND (:site IS NULL OR t.site_code = :site) AND (:first IS NULL OR substr(s.starts_at, 1, 10) >= :first) "
        "AND (:last IS NULL OR substr(s.starts_at, 1, 10) <= :last) AND (:state IS NULL OR a.state = :state) "
        "ORDER BY s.starts_at, a.id LIMIT :limit",
        {
            "donor": donor_id,
            "slot": slot_id,
            "site": site_code,
            "first": first,
            "last": last,
            "state": state,
            "limit": limit,
        },
    )
    return {"appointments": [_desk_appointment(env, row["id"]) for row in rows]}
