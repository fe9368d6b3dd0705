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


def list_replacement_requests(
    env, *, hospital: str = None, patient_initials: str = None, open_only: bool = True
) -> dict:
    """List replacement requests, the latest first."""
    rows = env.query(
        "SELECT r.id FROM replacement_requests r JOIN hospitals h ON h.id = r.hospital_id "
        "WHERE (:hospital IS NULL OR h.hospital_code = :hospital) "
        "AND (:initials IS NULL OR upper(r.patient_initials) = upper(:initials)) "
        "AND (:open = 0 OR r.open_until >= :today) ORDER BY r.opened_at DESC, r.id DESC",
        {
            "hospital": hospital,
            "initials": patient_initials,
            "open": 1 if open_only else 0,
            "today": env.now[:10],
        },
    )
    return {"requests": [_desk_request(env, row["id"]) for row in rows]}
