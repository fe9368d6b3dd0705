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


def list_appointment_moves(env, *, appointment_id: int) -> dict:
    """List the moves of an appointment in order."""
    _desk_appointment_row(env, appointment_id)
    rows = env.query(
        "SELECT f.slot_code AS from_code, t.slot_code AS to_code, m.because_of_boat, b.sailing_date, m.moved_at, "
        "d.full_name FROM appointment_moves m JOIN slots f ON f.id = m.from_slot_id "
        "JOIN slots t ON t.id = m.to_slot_id JOIN desk_staff d ON d.id = m.recorded_by "
        "LEFT JOIN boat_sailings b ON b.id = m.boat_sailing_id WHERE m.appointment_id = ? ORDER BY m.moved_at, m.id",
        [appointment_id],
    )
    return {
        "moves": [
            {
                "from_slot_id": row["from_code"],
                "to_slot_id": row["to_code"],
                "because_of_boat": bool(row["because_of_boat"]),
                "sailing_date": row["sailing_date"],
                "moved_at": row["moved_at"],
                "recorded_by_name": row["full_name"],
            }
            for row in rows
        ]
    }
