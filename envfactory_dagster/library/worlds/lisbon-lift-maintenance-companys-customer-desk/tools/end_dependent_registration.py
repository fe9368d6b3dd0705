import re
from datetime import date, datetime, timedelta

LONG_STOP_MINUTES = 240
NOTICE_HOURS = 48

def _code(prefix, number):
    return None if number is None else f"{prefix}-{number:06d}"


def _number(env, code, prefix, thing):
    match = re.fullmatch(prefix + r"-([0-9]{6})", code or "")
    if not match:
        raise env.Error(f"{code} is no number of {thing}; such numbers look like {prefix}-000012.")
    return int(match.group(1))


def _day(env, text):
    try:
        return date.fromisoformat(text).isoformat()
    except (TypeError, ValueError):
        raise env.Error(f"{text} is not a day such as 2026-03-02.")


def _add_days(day, days):
    return (date.fromisoformat(day[:10]) + timedelta(days=days)).isoformat()


def _working_day(env, day, municipality_id):
    if date.fromisoformat(day).weekday() >= 5:
        return False
    return env.one(
        "SELECT id FROM holidays WHERE holiday_date = :day"
        " AND (municipality_id IS NULL OR municipality_id = :municipality)",
        {"day": day, "municipality": municipality_id},
    ) is None


def _lift(env, lift_id):
    number = _number(env, lift_id, "LFT", "a lift")
    row = env.one(
        "SELECT l.*, b.municipality_id, b.building_use, r.customer_role, c.contract_kind, c.night_cover,"
        " c.vat_rate, c.customer_id AS contract_customer_id FROM lifts l"
        " JOIN buildings b ON b.id = l.building_id"
        " JOIN contracts c ON c.id = l.contract_id"
        " JOIN building_roles r ON r.building_id = l.building_id AND r.customer_id = :user"
        " WHERE l.id = :id AND (r.customer_role <> 'shop_owner' OR c.customer_id = :user)",
        {"id": number, "user": env.user_id},
    )
    if row is None:
        raise env.Error(f"You have no lift {lift_id}.")
    return row


def _dependents(env, lift_id, day):
    return env.query(
        "SELECT d.* FROM dependents d JOIN dependent_lifts x ON x.dependent_id = d.id"
        " WHERE x.lift_id = :lift AND d.dependent_status IN ('provisional', 'active')"
        " AND (d.valid_until IS NULL OR d.valid_until >= :day)"
        " AND (d.effective_date IS NULL OR d.effective_date >= :day) ORDER BY d.id",
        {"lift": lift_id, "day": day[:10]},
    )


def _minutes_by_day(env, stop, municipality_id):
    first, last = stop["starts_at"][:10], stop["ends_at"][:10]
    if first == last:
        return {first: stop["duration_minutes"]}
    minutes, left, day = {}, stop["duration_minutes"], first
    while day <= last:
        if _working_day(env, day, municipality_id):
            minutes[day] = min(600, left)
            left -= minutes[day]
        day = _add_days(day, 1)
    return minutes


def _longest_day(env, lift, stop, own_id):
    minutes = _minutes_by_day(env, stop, lift["municipality_id"])
    others = env.query(
        "SELECT * FROM planned_stops WHERE lift_id = :lift AND id <> :own"
        " AND stop_status NOT IN ('cancelled', 'lapsed')"
        " AND substr(starts_at, 1, 10) <= :last AND substr(ends_at, 1, 10) >= :first ORDER BY id",
        {"lift": lift["id"], "own": own_id, "first": stop["starts_at"][:10], "last": stop["ends_at"][:10]},
    )
    for other in others:
        for day, more in _minutes_by_day(env, other, lift["municipality_id"]).items():
            if day in minutes:
                minutes[day] += more
    return max(minutes.values(), default=0)


def _needs_alternative(env, lift, stop, own_id):
    if not _dependents(env, lift["id"], stop["starts_at"]):
        return False
    return _longest_day(env, lift, stop, own_id) > LONG_STOP_MINUTES


def _standing_arrangement(env, stop_id, dependent_id):
    return env.one(
        "SELECT * FROM alternative_arrangements WHERE stop_id = :stop AND dependent_id = :dependent"
        " AND alternative_status <> 'refused' AND voided_at IS NULL",
        {"stop": stop_id, "dependent": dependent_id},
    )


def _unsettled(env, lift, stop):
    if not _needs_alternative(env, lift, stop, stop["id"]):
        return 0
    count = 0
    for person in _dependents(env, lift["id"], stop["starts_at"]):
        standing = _standing_arrangement(env, stop["id"], person["id"])
        count += standing is None or standing["alternative_status"] != "confirmed"
    return count


def end_dependent_registration(env, *, dependent_id: str, end_ground: str, effective_date: str | None = None) -> dict:
    """End a registration, at once or on a later day."""
    number = _number(env, dependent_id, "DEP", "a registration")
    person = env.one(
        "SELECT d.* FROM dependents d"
        " JOIN building_roles r ON r.building_id = d.building_id AND r.customer_id = :user"
        " WHERE d.id = :id AND (r.customer_role = 'administrator' OR d.customer_id = :user)",
        {"id": number, "user": env.user_id},
    )
    if person is None:
        raise env.Error(f"There is no registration {dependent_id} that you may end.")
    if person["dependent_status"] == "ended" or person["end_ground"] is not None:
        raise env.Error(f"{dependent_id} has been ended already.")
    today = env.now[:10]
    day = _day(env, effective_date) if effective_date is not None else today
    if day < today:
        raise env.Error("A registration cannot end on a day in the past.")
    stops = env.query(
        "SELECT s.* FROM planned_stops s JOIN dependent_lifts x ON x.lift_id = s.lift_id AND x.dependent_id = :id"
        " WHERE s.stop_status IN ('awaiting_alternative', 'confirmed', 'in_progress') AND s.ends_at > :now"
        " ORDER BY s.starts_at, s.id",
        {"id": number, "now": env.now},
    )
    soon = (datetime.fromisoformat(env.now) + timedelta(hours=NOTICE_HOURS)).isoformat()
    near, later = [], []
    for stop in stops:
        lift = _lift(env, _code("LFT", stop["lift_id"]))
        if person["id"] not in [one["id"] for one in _dependents(env, lift["id"], stop["starts_at"])]:
            continue
        if _needs_alternative(env, lift, stop, stop["id"]):
            (near if stop["starts_at"] < soon else later).append(stop)
    for stop in near:
        if end_ground != "consent_withdrawn" and day <= stop["ends_at"][:10]:
            raise env.Error(
                f"A long stop of the lift is less than 48 hours ahead or in progress, so the registration ends only"
                f" after it, from {_add_days(stop['ends_at'], 1)} on."
            )
    status = "ended" if day <= today else person["dependent_status"]
    env.execute(
        "UPDATE dependents SET dependent_status = :status, end_ground = :ground, effective_date = :day WHERE id = :id",
        {"status": status, "ground": end_ground, "day": day, "id": number},
    )
    for stop in later:
        if stop["starts_at"][:10] < day:
            continue
        env.execute(
            "UPDATE alternative_arrangements SET voided_at = :now WHERE stop_id = :stop AND dependent_id = :id"
            " AND alternative_status <> 'refused' AND voided_at IS NULL",
            {"now": env.now, "stop": stop["id"], "id": number},
        )
        lift = _lift(env, _code("LFT", stop["lift_id"]))
        if stop["stop_status"] == "awaiting_alternative" and _unsettled(env, lift, stop) == 0:
            env.execute("UPDATE planned_stops SET stop_status = 'confirmed' WHERE id = :id", {"id": stop["id"]})
    return {"dependent_id": _code("DEP", number), "dependent_status": status, "effective_date": day}
