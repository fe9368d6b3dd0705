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


DESK_KINDS = ("whole_blood", "platelets", "plasma", "double_red")
DESK_LEAST_KG = (50, 55, 55, 68)
DESK_WEIGHT_DAYS = 180


def _desk_gap(last_kind, kind, sex):
    """Days that must lie between two donations."""
    if last_kind == "double_red":
        return 60 if kind == "plasma" else 180
    if last_kind == "whole_blood":
        if kind == "whole_blood":
            return 90 if sex == "M" else 120
        return 30 if kind in ("platelets", "plasma") else 0
    if kind == "whole_blood":
        return 14
    if last_kind == kind:
        return 14 if kind == "platelets" else 28
    return 0


def _desk_blocks(env, donor, kind, on):
    """What keeps a donor from giving on a day, weight and age aside: (reason, first day after it or None)."""
    given = env.query(
        "SELECT kind, given_on FROM donations WHERE donor_id = ? AND given_on <= ? "
        "AND NOT (failed = 1 AND volume_ml < 50) ORDER BY given_on DESC, id DESC",
        [donor["id"], on],
    )
    found = []
    for row in given:
        gap = _desk_gap(row["kind"], kind, donor["sex"])
        free_from = _desk_plus_days(row["given_on"], gap)
        if free_from > on:
            found.append(("interval", free_from))
    most = 0
    if kind == "whole_blood":
        most = 4 if donor["sex"] == "M" else 3
    elif kind == "platelets":
        most = 18
    same = [row["given_on"] for row in given if row["kind"] == kind]
    if most and len(same) >= most:
        free_from = _desk_plus_months(same[most - 1], 12)
        if free_from > on:
            found.append(("yearly_maximum", free_from))
    deferred = env.query(
        "SELECT cause, until_on FROM deferrals WHERE donor_id = :donor AND status = 'active' AND from_on <= :day "
        "AND (until_on IS NULL OR until_on > :day) AND CASE :kind WHEN 'whole_blood' THEN defers_whole_blood "
        "WHEN 'platelets' THEN defers_platelets WHEN 'plasma' THEN defers_plasma ELSE defers_double_red END = 1 "
        "ORDER BY id",
        {"donor": donor["id"], "day": on, "kind": kind},
    )
    for row in deferred:
        found.append((row["cause"], row["until_on"]))
    return found


def _desk_eligibility(env, donor, kind, on, with_weight=True):
    """Whether a donor may give a kind on a day: answer, next date and reasons."""
    reasons = []
    certain = False
    held = False
    blocks = _desk_blocks(env, donor, kind, on)
    for name in ("interval", "yearly_maximum"):
        if any(b[0] == name for b in blocks):
            reasons.append(name)
            certain = True
    weigh = False
    if with_weight:
        weight = env.one(
            "SELECT kg, weighed_at FROM weighings WHERE donor_id = ? ORDER BY weighed_at DESC, id DESC LIMIT 1",
            [donor["id"]],
        )
        if weight is None or _desk_plus_days(weight["weighed_at"], DESK_WEIGHT_DAYS) < on:
            reasons.append("weight")
            weigh = True
        elif weight["kg"] < DESK_LEAST_KG[DESK_KINDS.index(kind)]:
            reasons.append("weight")
            certain = True
    age = _desk_age(donor["born_on"], on)
    too_old_or_young = age < 17 or age > 65 or (age == 17 and kind != "whole_blood")
    if too_old_or_young:
        reasons.append("age")
        certain = True
    for name in ("travel", "medication", "laboratory", "interview"):
        for block in blocks:
            if block[0] == name:
                if name not in reasons:
                    reasons.append(name)
                if block[1] is None:
                    held = True
                else:
                    certain = True
    answer = "no" if certain else "ask_doctor" if held else "weigh_first" if weigh else "yes"
    next_date = None
    if not held and not too_old_or_young:
        next_date = on
        left = blocks
        while left and next_date is not None:
            days = [b[1] for b in left]
            next_date = None if None in days else max(days)
            left = _desk_blocks(env, donor, kind, next_date) if next_date else []
    return {"answer": answer, "next_date": next_date, "reasons": reasons}


def _desk_slot_row(env, slot_id):
    """A slot by its code with its site, or a refusal."""
    row = env.one(
        "SELECT s.*, t.site_code, t.mobile FROM slots s JOIN sites t ON t.id = s.site_id WHERE s.slot_code = ?",
        [slot_id],
    )
    if row is None:
        raise env.Error("there is no slot " + slot_id)
    return row


def _desk_kept(env, slot):
    """Whether a slot is still kept for replacement donors: until 18:00 on the day before."""
    return slot["state"] == "kept" and env.now < _desk_plus_days(slot["starts_at"], -1) + "T18:00:00"


def _desk_slot(env, slot):
    """A slot as the tools show it."""
    taken = env.one(
        "SELECT COUNT(*) AS n FROM appointments WHERE slot_id = ? AND cancelled_at IS NULL", [slot["id"]]
    )["n"]
    left = max(0, slot["places"] - taken)
    state = "free"
    if slot["state"] == "blocked":
        state = "blocked"
        left = 0
    elif left == 0:
        state = "full"
    elif _desk_kept(env, slot):
        state = "kept"
    kinds = []
    if slot["takes_whole_blood"]:
        kinds.append("whole_blood")
    if slot["takes_platelets"]:
        kinds.append("platelets")
    if slot["takes_plasma"]:
        kinds.append("plasma")
    if slot["takes_double_red"]:
        kinds.append("double_red")
    return {
        "slot_id": slot["slot_code"],
        "site_code": slot["site_code"],
        "starts_at": slot["starts_at"],
        "kinds": kinds,
        "places_left": left,
        "state": state,
        "block_reason": slot["block_reason"],
        "block_note": slot["block_note"],
    }


DESK_CLOSING_HOURS = 2


def _desk_check_slot(env, slot, kind, donor, has_code):
    """Refuse a slot that cannot be booked or moved to."""
    code = slot["slot_code"]
    if slot["starts_at"] <= env.now:
        raise env.Error("the slot " + code + " has begun already")
    shown = _desk_slot(env, slot)
    at_portales = slot["site_code"] == "um_portales"
    platelets = at_portales and slot["starts_at"][11:16] == "12:20" and env.one(
        "SELECT id FROM boat_sailings WHERE sailing_date = ? AND units > 0", [slot["starts_at"][:10]]
    )
    if platelets or slot["block_reason"] == "boat":
        raise env.Error("the slot " + code + " is blocked: the boat of that Thursday carries platelets")
    if shown["state"] == "blocked":
        raise env.Error("the slot " + code + " is blocked")
    if kind not in shown["kinds"]:
        raise env.Error("the slot " + code + " does not take " + kind.replace("_", " "))
    if shown["state"] == "full":
        raise env.Error("the slot " + code + " is full")
    if shown["state"] == "kept" and not has_code:
        raise env.Error("the slot " + code + " is kept for replacement donors until 18:00 on the day before")
    closing = datetime.datetime.fromisoformat(slot["starts_at"]) - datetime.timedelta(hours=DESK_CLOSING_HOURS)
    if not at_portales and env.now > closing.isoformat():
        raise env.Error("the slot " + code + " begins in less than 2 hours")
    if slot["mobile"] and _desk_age(donor["born_on"], slot["starts_at"][:10]) < 18:
        raise env.Error("17-year-olds are taken at fixed sites only")


def _desk_check_donor(env, donor, kind, day, with_weight):
    """Refuse a donor who may not give a kind on a day."""
    found = _desk_eligibility(env, donor, kind, day, with_weight)
    if found["answer"] == "yes":
        return
    if found["answer"] == "weigh_first":
        raise env.Error("the donor must be weighed first: the latest weight is more than 180 days old on " + day)
    text = "the donor may not give " + kind.replace("_", " ") + " on " + day + " because of "
    text = text + ", ".join(reason.replace("_", " ") for reason in found["reasons"])
    if found["next_date"] is not None and found["next_date"] > day:
        text = text + "; the first day is " + found["next_date"]
    raise env.Error(text)


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


BOOK_APPOINTMENT_MOST_NO_SHOWS = 3


def book_appointment(
    env, *, donor_id: int, slot_id: str, kind: str, replacement_code: str = None, by_telephone: bool = False
) -> dict:
    """Book a donor into a slot."""
    donor = _desk_donor(env, donor_id)
    slot = _desk_slot_row(env, slot_id)
    request_id = None
    if replacement_code is not None:
        request = env.one("SELECT id, open_until FROM replacement_requests WHERE code = ?", [replacement_code])
        if request is None:
            raise env.Error("there is no replacement request " + replacement_code)
        if request["open_until"] < env.now[:10]:
            raise env.Error("the replacement request " + replacement_code + " is no longer open")
        request_id = request["id"]
    if env.one("SELECT id FROM appointments WHERE donor_id = ? AND state IN ('booked', 'checked_in')", [donor_id]):
        raise env.Error("this donor has an open appointment already")
    if not by_telephone and _desk_no_shows(env, donor_id) >= BOOK_APPOINTMENT_MOST_NO_SHOWS:
        raise env.Error("after 3 no-shows in 12 months this donor books by telephone only")
    _desk_check_slot(env, slot, kind, donor, request_id is not None)
    _desk_check_donor(env, donor, kind, slot["starts_at"][:10], True)
    appointment_id = env.insert(
        "INSERT INTO appointments (donor_id, slot_id, kind, state, replacement_request_id, booked_at, recorded_by, "
        "checked_in_at, document_seen, has_eaten, cancelled_at, cancel_reason) "
        "VALUES (?, ?, ?, 'booked', ?, ?, ?, NULL, NULL, NULL, NULL, NULL)",
        [donor_id, slot["id"], kind, request_id, env.now, env.user_id],
    )
    return _desk_appointment(env, appointment_id)
