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


def _desk_no_shows(env, donor_id):
    """How often a donor did not come in the last 12 months."""
    since = _desk_plus_months(env.now[:10], -12)
    return env.one(
        "SELECT COUNT(*) AS n FROM appointments a JOIN slots s ON s.id = a.slot_id "
        "WHERE a.donor_id = ? AND a.state = 'no_show' AND substr(s.starts_at, 1, 10) > ?",
        [donor_id, since],
    )["n"]


def _desk_card(env, donor_id):
    """A donor card as the tools show it."""
    d = env.one("SELECT * FROM donors WHERE id = ?", [donor_id])
    weight = env.one(
        "SELECT kg, weighed_at FROM weighings WHERE donor_id = ? ORDER BY weighed_at DESC, id DESC LIMIT 1",
        [donor_id],
    )
    last = env.one(
        "SELECT MAX(given_on) AS day FROM donations WHERE donor_id = ? AND NOT (failed = 1 AND volume_ml < 50)",
        [donor_id],
    )
    return {
        "donor_id": d["id"],
        "run": d["run"],
        "passport": d["passport"],
        "given_names": d["given_names"],
        "surnames": d["surnames"],
        "born_on": d["born_on"],
        "sex": d["sex"],
        "blood_group": d["blood_group"],
        "phone": d["phone"],
        "email": d["email"],
        "address": d["address"],
        "call_preference": d["call_preference"],
        "form_r2_signed": bool(d["form_r2_signed"]),
        "doctor_ok": d["doctor_ok"],
        "parent_present": bool(d["parent_present"]),
        "last_weight_kg": weight["kg"] if weight else None,
        "last_weighed_on": weight["weighed_at"][:10] if weight else None,
        "last_donation_on": last["day"],
        "paper_donations": d["paper_donations"],
        "no_shows_12m": _desk_no_shows(env, donor_id),
    }


RECORD_WEIGHT_LEAST_PORTALES = 52


def record_weight(env, *, donor_id: int, kg: float, site_code: str) -> dict:
    """Record a weighing of a donor, made now."""
    _desk_donor(env, donor_id)
    site = env.one("SELECT id FROM sites WHERE site_code = ?", [site_code])
    if site is None:
        raise env.Error("there is no site " + site_code)
    kg = float(kg)
    if kg < 30 or kg > 250 or kg * 2 != int(kg * 2):
        raise env.Error("a weight is between 30 and 250 kg, in steps of half a kilo")
    if site_code == "um_portales" and kg < RECORD_WEIGHT_LEAST_PORTALES:
        raise env.Error("the scale at Portales is not trusted under 52 kg; send the donor to Casa Central")
    if env.one("SELECT id FROM weighings WHERE donor_id = ? AND weighed_at = ?", [donor_id, env.now]):
        raise env.Error("this donor has just been weighed")
    env.insert(
        "INSERT INTO weighings (donor_id, site_id, kg, weighed_at, recorded_by) VALUES (?, ?, ?, ?, ?)",
        [donor_id, site["id"], kg, env.now, env.user_id],
    )
    return _desk_card(env, donor_id)
