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


def add_medication_deferral(env, *, donor_id: int, medicine: str, last_dose_on: str, note: str = None) -> dict:
    """Defer a donor for a medicine, counted from the last dose."""
    _desk_donor(env, donor_id)
    last_dose = _desk_date(env, last_dose_on)
    if last_dose > env.now[:10]:
        raise env.Error("the last dose lies in the future")
    if medicine == "other" and not (note or "").strip():
        raise env.Error("for another medicine write down the name on the box")
    if note is not None and len(note) > 200:
        raise env.Error("a note has at most 200 characters")
    if medicine == "anti_inflammatory":
        until = _desk_plus_days(last_dose, 3)
    elif medicine == "antibiotic":
        until = _desk_plus_days(last_dose, 14)
    elif medicine in ("isotretinoin", "finasteride"):
        until = _desk_plus_days(last_dose, 30)
    elif medicine == "dutasteride":
        until = _desk_plus_months(last_dose, 6)
    elif medicine == "anticoagulant":
        until = _desk_plus_days(last_dose, 7)
    elif medicine == "acitretin":
        until = _desk_plus_months(last_dose, 36)
    elif medicine == "prep":
        until = _desk_plus_months(last_dose, 4)
    else:
        until = None
    others = 0 if medicine == "anti_inflammatory" else 1
    deferral_id = env.insert(
        "INSERT INTO deferrals (donor_id, cause, defers_whole_blood, defers_platelets, defers_plasma, "
        "defers_double_red, from_on, until_on, place, risk, returned_on, medicine, last_dose_on, note, status, "
        "created_at, recorded_by, lifted_at, lift_doctor, lift_reason) "
        "VALUES (?, 'medication', ?, 1, ?, ?, ?, ?, NULL, NULL, NULL, ?, ?, ?, 'active', ?, ?, NULL, NULL, NULL)",
        [donor_id, others, others, others, last_dose, until, medicine, last_dose, note, env.now, env.user_id],
    )
    return _desk_deferral(env, deferral_id)
