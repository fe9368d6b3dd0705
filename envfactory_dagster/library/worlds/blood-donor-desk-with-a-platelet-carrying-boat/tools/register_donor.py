import datetime

def _desk_age(born_on, on):
    """Whole years of age on a day."""
    years = int(on[:4]) - int(born_on[:4])
    return years - (1 if on[5:10] < born_on[5:10] else 0)


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


def register_donor(env, *, body: dict) -> dict:
    """Open a card for a new donor."""
    run = body.get("run")
    passport = body.get("passport")
    if run is None and passport is None:
        raise env.Error("a card needs a RUN or a passport number")
    if run is not None and env.one("SELECT id FROM donors WHERE run = ?", [run]):
        raise env.Error("the RUN " + run + " has a card already")
    if passport is not None and env.one("SELECT id FROM donors WHERE passport = ?", [passport]):
        raise env.Error("the passport " + passport + " has a card already")
    today = env.now[:10]
    born_on = _desk_date(env, body["born_on"])
    age = _desk_age(born_on, today)
    if born_on > today or age < 17:
        raise env.Error("nobody under 17 is taken as a donor")
    if age > 65:
        raise env.Error("nobody over 65 is taken as a new donor")
    if age == 17 and not body.get("parent_present", False):
        raise env.Error("a 17-year-old needs a parent present")
    if age >= 61 and body.get("doctor_ok") is None:
        raise env.Error("a first donation after 60 needs the doctor on duty to agree")
    donor_id = env.insert(
        "INSERT INTO donors (run, passport, given_names, surnames, born_on, sex, blood_group, phone, email, address, "
        "call_preference, form_r2_signed, doctor_ok, parent_present, paper_donations, registered_at, recorded_by) "
        "VALUES (?, ?, ?, ?, ?, ?, NULL, ?, ?, ?, ?, 0, ?, ?, 0, ?, ?)",
        [
            run,
            passport,
            body["given_names"],
            body["surnames"],
            born_on,
            body["sex"],
            body.get("phone"),
            body.get("email"),
            body.get("address"),
            body.get("call_preference", "call"),
            body.get("doctor_ok"),
            1 if body.get("parent_present", False) else 0,
            env.now,
            env.user_id,
        ],
    )
    return _desk_card(env, donor_id)
