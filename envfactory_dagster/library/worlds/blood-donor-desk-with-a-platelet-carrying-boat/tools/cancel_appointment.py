import datetime

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


CANCEL_APPOINTMENT_PLATELET_HOURS = 3


def cancel_appointment(env, *, appointment_id: int, reason: str = "donor") -> dict:
    """Cancel a booked appointment before its hour."""
    a = _desk_appointment_row(env, appointment_id)
    if a["state"] != "booked":
        raise env.Error("only a booked appointment can be cancelled; this one is " + a["state"].replace("_", " "))
    if a["starts_at"] <= env.now:
        raise env.Error("the hour of this appointment has come; it can no longer be cancelled")
    mounted = datetime.datetime.fromisoformat(a["starts_at"]) - datetime.timedelta(
        hours=CANCEL_APPOINTMENT_PLATELET_HOURS
    )
    state = "cancelled"
    if a["kind"] == "platelets" and env.now > mounted.isoformat():
        state = "no_show"
    env.execute(
        "UPDATE appointments SET state = ?, cancelled_at = ?, cancel_reason = ? WHERE id = ?",
        [state, env.now, reason, appointment_id],
    )
    return _desk_appointment(env, appointment_id)
