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


DESK_CALL_REST_DAYS = 21
DESK_REFUSAL_REST_MONTHS = 6


def _desk_rare_entry(env, entry_id):
    """An entry of a rare list as the tools show it."""
    entry = env.one("SELECT * FROM rare_list_entries WHERE id = ?", [entry_id])
    donor = env.one("SELECT * FROM donors WHERE id = ?", [entry["donor_id"]])
    calls = env.query(
        "SELECT c.called_at, c.outcome FROM rare_calls c JOIN rare_list_entries e ON e.id = c.rare_list_entry_id "
        "WHERE e.donor_id = ? ORDER BY c.called_at, c.id",
        [entry["donor_id"]],
    )
    next_call = None
    before = None
    for call in calls:
        free = _desk_plus_days(call["called_at"], DESK_CALL_REST_DAYS)
        if call["outcome"] == "refused" and before == "refused":
            free = _desk_plus_months(call["called_at"], DESK_REFUSAL_REST_MONTHS)
        next_call = free if next_call is None else max(next_call, free)
        before = call["outcome"]
    return {
        "donor_id": donor["id"],
        "name": donor["given_names"] + " " + donor["surnames"],
        "phone": donor["phone"],
        "comuna": entry["comuna"],
        "eligible_today": _desk_eligibility(env, donor, "whole_blood", env.now[:10])["answer"] == "yes",
        "last_called_at": calls[-1]["called_at"] if calls else None,
        "next_call_from": next_call,
    }


LOG_RARE_CALL_FARE_CLP = 15000
LOG_RARE_CALL_FAR_FARE_CLP = 40000


def log_rare_call(
    env, *, list_code: str, donor_id: int, outcome: str, urgent: bool = False, doctor: str = None
) -> dict:
    """Log a call just made to a donor on a rare list."""
    donor = _desk_donor(env, donor_id)
    entry = env.one("SELECT * FROM rare_list_entries WHERE list_code = ? AND donor_id = ?", [list_code, donor_id])
    if entry is None:
        raise env.Error(donor["given_names"] + " " + donor["surnames"] + " is not on the list " + list_code)
    if urgent and not (doctor or "").strip():
        raise env.Error("an urgent call needs the name of the doctor")
    hour = env.now[11:16]
    if not urgent and (hour >= "22:00" or hour < "07:30"):
        raise env.Error("no calls between 22:00 and 07:30 unless urgent")
    call_id = env.insert(
        "INSERT INTO rare_calls (rare_list_entry_id, called_at, outcome, urgent, doctor, recorded_by) "
        "VALUES (?, ?, ?, ?, ?, ?)",
        [entry["id"], env.now, outcome, 1 if urgent else 0, doctor, env.user_id],
    )
    ceiling = None
    if outcome == "coming":
        ceiling = LOG_RARE_CALL_FAR_FARE_CLP if entry["beyond_fare_line"] else LOG_RARE_CALL_FARE_CLP
        env.insert(
            "INSERT INTO fare_refunds (rare_call_id, ceiling_clp, status, paid_clp, paid_at) "
            "VALUES (?, ?, 'promised', NULL, NULL)",
            [call_id, ceiling],
        )
    shown = _desk_rare_entry(env, entry["id"])
    return {
        "rare_call_id": call_id,
        "donor_id": shown["donor_id"],
        "name": shown["name"],
        "phone": shown["phone"],
        "comuna": shown["comuna"],
        "eligible_today": shown["eligible_today"],
        "last_called_at": shown["last_called_at"],
        "next_call_from": shown["next_call_from"],
        "fare_ceiling_clp": ceiling,
    }
