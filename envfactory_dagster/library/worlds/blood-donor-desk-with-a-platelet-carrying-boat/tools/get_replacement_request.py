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


def get_replacement_request(env, *, code: str) -> dict:
    """Show a replacement request and how many donors are still asked for."""
    return _desk_request(env, _desk_request_row(env, code)["id"])
