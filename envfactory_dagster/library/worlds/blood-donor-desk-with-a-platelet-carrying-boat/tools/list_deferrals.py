def _desk_donor(env, donor_id):
    """The row of a donor, or a refusal."""
    row = env.one("SELECT * FROM donors WHERE id = ?", [donor_id])
    if row is None:
        raise env.Error("there is no donor with card number " + str(donor_id))
    return row


def _desk_deferral(env, deferral_id):
    """A deferral as the tools show it."""
    d = env.one("SELECT * FROM deferrals WHERE id = ?", [deferral_id])
    kinds = []
    if d["defers_whole_blood"]:
        kinds.append("whole_blood")
    if d["defers_platelets"]:
        kinds.append("platelets")
    if d["defers_plasma"]:
        kinds.append("plasma")
    if d["defers_double_red"]:
        kinds.append("double_red")
    return {
        "deferral_id": d["id"],
        "donor_id": d["donor_id"],
        "cause": d["cause"],
        "kinds": kinds,
        "from": d["from_on"],
        "until": d["until_on"],
        "place": d["place"],
        "risk": d["risk"],
        "medicine": d["medicine"],
        "note": d["note"],
        "status": d["status"],
        "lift_doctor": d["lift_doctor"],
        "lift_reason": d["lift_reason"],
    }


def list_deferrals(env, *, donor_id: int, include_ended: bool = False) -> dict:
    """List the deferrals of a donor, the latest first."""
    _desk_donor(env, donor_id)
    rows = env.query(
        "SELECT id FROM deferrals WHERE donor_id = :donor AND (:ended = 1 OR (status = 'active' "
        "AND (until_on IS NULL OR until_on > :today))) ORDER BY from_on DESC, id DESC",
        {"donor": donor_id, "ended": 1 if include_ended else 0, "today": env.now[:10]},
    )
    return {"result": [_desk_deferral(env, row["id"]) for row in rows]}
