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


def lift_deferral(env, *, deferral_id: int, reason: str, doctor: str = "doctor on duty") -> dict:
    """End a deferral early, to which a doctor has agreed."""
    row = env.one("SELECT * FROM deferrals WHERE id = ?", [deferral_id])
    if row is None:
        raise env.Error("there is no deferral " + str(deferral_id))
    if row["status"] == "lifted":
        raise env.Error("this deferral is lifted already")
    if row["until_on"] is not None and row["until_on"] <= env.now[:10]:
        raise env.Error("this deferral is over already")
    if row["risk"] in ("malaria", "malaria_resident"):
        raise env.Error("malaria deferrals are not lifted early for anybody")
    if row["cause"] == "laboratory":
        raise env.Error("deferrals from the laboratory are not lifted here")
    if row["cause"] == "interview":
        raise env.Error("nobody turns the nurse's no from the interview into a yes here")
    if len(reason) < 10:
        raise env.Error("the reason must have at least 10 characters")
    env.execute(
        "UPDATE deferrals SET status = 'lifted', lifted_at = ?, lift_doctor = ?, lift_reason = ? WHERE id = ?",
        [env.now, doctor, reason, deferral_id],
    )
    return _desk_deferral(env, deferral_id)
