import datetime

def _desk_donor(env, donor_id):
    """The row of a donor, or a refusal."""
    row = env.one("SELECT * FROM donors WHERE id = ?", [donor_id])
    if row is None:
        raise env.Error("there is no donor with card number " + str(donor_id))
    return row


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


CHECK_IN_APPOINTMENT_EARLY = 30
CHECK_IN_APPOINTMENT_LATE = 15
CHECK_IN_APPOINTMENT_LATE_PORTALES = 25
CHECK_IN_APPOINTMENT_VOUCHER_CLP = 3200
CHECK_IN_APPOINTMENT_WAIT = 30


def check_in_appointment(env, *, appointment_id: int, document_seen: str, has_eaten: bool) -> dict:
    """Check in a booked donor who is at the desk."""
    a = _desk_appointment_row(env, appointment_id)
    if a["state"] != "booked":
        raise env.Error("only a booked appointment can be checked in; this one is " + a["state"].replace("_", " "))
    if a["slot_state"] == "blocked":
        raise env.Error("the slot of this appointment is blocked; move the donor first")
    start = datetime.datetime.fromisoformat(a["starts_at"])
    late = CHECK_IN_APPOINTMENT_LATE
    if a["site_code"] == "um_portales":
        late = CHECK_IN_APPOINTMENT_LATE_PORTALES
    if env.now < (start - datetime.timedelta(minutes=CHECK_IN_APPOINTMENT_EARLY)).isoformat():
        raise env.Error("it is too early: check-in begins 30 minutes before " + a["starts_at"])
    if env.now > (start + datetime.timedelta(minutes=late)).isoformat():
        raise env.Error("it is too late: check-in ended " + str(late) + " minutes after " + a["starts_at"])
    donor = _desk_donor(env, a["donor_id"])
    if document_seen == "cedula" and donor["run"] is None:
        raise env.Error("there is no RUN on the card, so it cannot be a cedula; see the passport")
    if document_seen == "passport" and donor["passport"] is None:
        raise env.Error("there is no passport on the card; see the cedula")
    env.execute(
        "UPDATE appointments SET state = 'checked_in', checked_in_at = ?, document_seen = ?, has_eaten = ? "
        "WHERE id = ?",
        [env.now, document_seen, 1 if has_eaten else 0, appointment_id],
    )
    if not has_eaten:
        now = datetime.datetime.fromisoformat(env.now)
        env.insert(
            "INSERT INTO breakfast_vouchers (appointment_id, amount_clp, issued_at, wait_until) VALUES (?, ?, ?, ?)",
            [
                appointment_id,
                CHECK_IN_APPOINTMENT_VOUCHER_CLP,
                env.now,
                (now + datetime.timedelta(minutes=CHECK_IN_APPOINTMENT_WAIT)).isoformat(),
            ],
        )
    return _desk_appointment(env, appointment_id)
