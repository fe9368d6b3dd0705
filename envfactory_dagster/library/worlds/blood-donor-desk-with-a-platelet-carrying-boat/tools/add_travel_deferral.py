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


DESK_ACCENTED = "áéíóúüñ"
DESK_PLAIN = "aeiouun"


def _desk_fold(text):
    """A text in small letters without accents."""
    text = text.strip().lower()
    for i in range(len(DESK_ACCENTED)):
        text = text.replace(DESK_ACCENTED[i], DESK_PLAIN[i])
    return text


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


def add_travel_deferral(env, *, donor_id: int, place: str, risk: str, returned_on: str) -> dict:
    """Defer a donor for travel, counted from the day of return."""
    _desk_donor(env, donor_id)
    returned = _desk_date(env, returned_on)
    if returned > env.now[:10]:
        raise env.Error("the day of return lies in the future; enter it once the donor is back")
    if "robinson crusoe" in _desk_fold(place):
        raise env.Error("Robinson Crusoe is not travel")
    if risk == "malaria":
        until = _desk_plus_months(returned, 12)
    elif risk == "malaria_resident":
        until = _desk_plus_months(returned, 36)
    elif risk == "arbovirus":
        until = _desk_plus_days(returned, 30)
    else:
        until = None
    deferral_id = env.insert(
        "INSERT INTO deferrals (donor_id, cause, defers_whole_blood, defers_platelets, defers_plasma, "
        "defers_double_red, from_on, until_on, place, risk, returned_on, medicine, last_dose_on, note, status, "
        "created_at, recorded_by, lifted_at, lift_doctor, lift_reason) "
        "VALUES (?, 'travel', 1, 1, 1, 1, ?, ?, ?, ?, ?, NULL, NULL, NULL, 'active', ?, ?, NULL, NULL, NULL)",
        [donor_id, returned, until, place, risk, returned, env.now, env.user_id],
    )
    return _desk_deferral(env, deferral_id)
