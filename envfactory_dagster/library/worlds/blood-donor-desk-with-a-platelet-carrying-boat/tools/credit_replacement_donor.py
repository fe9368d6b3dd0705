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


def _desk_request_row(env, code):
    """A replacement request by its code, or a refusal."""
    row = env.one("SELECT * FROM replacement_requests WHERE code = ?", [code])
    if row is None:
        raise env.Error("there is no replacement request " + code)
    return row


def _desk_request(env, request_id):
    """A replacement request as the tools show it."""
    r = env.one(
        "SELECT r.*, h.hospital_code, h.name FROM replacement_requests r JOIN hospitals h ON h.id = r.hospital_id "
        "WHERE r.id = ?",
        [request_id],
    )
    credited = env.one(
        "SELECT COALESCE(SUM(donors_counted), 0) AS n FROM replacement_credits WHERE replacement_request_id = ?",
        [request_id],
    )["n"]
    return {
        "code": r["code"],
        "hospital": r["hospital_code"],
        "hospital_name": r["name"],
        "patient_initials": r["patient_initials"],
        "patient_birth_year": r["patient_birth_year"],
        "procedure": r["procedure"],
        "asked": r["asked"],
        "credited": credited,
        "still_asked": max(0, r["asked"] - credited),
        "open_until": r["open_until"],
    }


CREDIT_REPLACEMENT_DONOR_DAYS = 10


def credit_replacement_donor(env, *, code: str, appointment_id: int) -> dict:
    """Credit an appointment to a replacement request."""
    request = _desk_request_row(env, code)
    a = _desk_appointment_row(env, appointment_id)
    if request["open_until"] < env.now[:10]:
        raise env.Error("the replacement request " + code + " is no longer open")
    if a["state"] not in ("donated", "turned_away"):
        raise env.Error("only donors who gave or were turned away are credited; this appointment is " + a["state"])
    if _desk_plus_days(a["starts_at"], CREDIT_REPLACEMENT_DONOR_DAYS) < env.now[:10]:
        raise env.Error("this appointment was more than 10 days ago and is credited no longer")
    if env.one("SELECT id FROM replacement_credits WHERE appointment_id = ?", [appointment_id]):
        raise env.Error("this appointment is credited to a patient already")
    counted = 2 if a["kind"] == "platelets" and a["state"] == "donated" else 1
    env.insert(
        "INSERT INTO replacement_credits (replacement_request_id, appointment_id, donors_counted, credited_at, "
        "recorded_by) VALUES (?, ?, ?, ?, ?)",
        [request["id"], appointment_id, counted, env.now, env.user_id],
    )
    return _desk_request(env, request["id"])
