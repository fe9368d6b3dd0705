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


def _last_sunday(year, month):
    last = date(year, month, 31)
    return last - timedelta(days=(last.weekday() + 1) % 7)


def _summer_time(moment):
    start = datetime.combine(_last_sunday(moment.year, 3), datetime.min.time()) + timedelta(hours=1)
    end = datetime.combine(_last_sunday(moment.year, 10), datetime.min.time()) + timedelta(hours=2)
    return start <= moment < end


def _stamp(text):
    if text is None:
        return None
    moment = datetime.fromisoformat(text)
    return moment.isoformat() + ("+01:00" if _summer_time(moment) else "+00:00")


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


def _alternative_due(starts_at):
    return (datetime.fromisoformat(starts_at) - timedelta(hours=NOTICE_HOURS)).isoformat()


def _stop(env, stop_id):
    number = _number(env, stop_id, "STP", "a planned stop")
    stop = env.one(
        "SELECT s.* FROM planned_stops s JOIN lifts l ON l.id = s.lift_id"
        " JOIN contracts c ON c.id = l.contract_id"
        " JOIN building_roles r ON r.building_id = l.building_id AND r.customer_id = :user"
        " WHERE s.id = :id AND (r.customer_role <> 'shop_owner' OR c.customer_id = :user)",
        {"id": number, "user": env.user_id},
    )
    if stop is None:
        raise env.Error(f"You have no planned stop {stop_id}.")
    return stop, _lift(env, _code("LFT", stop["lift_id"]))


def _alternatives(env, stop, lift, dependent_id):
    kinds = env.query("SELECT * FROM alternative_kinds ORDER BY id", {})
    other = env.one(
        "SELECT o.id FROM lifts o WHERE o.building_id = :building AND o.entrance = :entrance AND o.id <> :lift"
        " AND o.lift_kind IN ('passenger', 'platform') AND o.lift_status = 'in_service' AND o.floors >= :floors"
        " ORDER BY o.id LIMIT 1",
        {"building": lift["building_id"], "entrance": lift["entrance"], "lift": lift["id"], "floors": lift["floors"]},
    )
    found = []
    for kind in kinds:
        taken = env.one(
            "SELECT COUNT(*) AS n FROM alternative_arrangements a JOIN planned_stops s ON s.id = a.stop_id"
            " WHERE a.alternative_kind_id = :kind AND a.alternative_status <> 'refused' AND a.voided_at IS NULL"
            " AND s.stop_status IN ('awaiting_alternative', 'confirmed', 'in_progress')"
            " AND s.starts_at < :ends AND s.ends_at > :starts"
            " AND NOT (a.stop_id = :stop AND a.dependent_id = :dependent)",
            {"kind": kind["id"], "starts": stop["starts_at"], "ends": stop["ends_at"], "stop": stop["id"],
             "dependent": dependent_id},
        )
        free = kind["units_available"] is None or taken["n"] < kind["units_available"]
        is_lift = kind["alternative_kind"] == "other_lift"
        found.append({
            "alternative_kind_id": kind["id"], "alternative_kind": kind["alternative_kind"],
            "total_cents": 0 if lift["contract_kind"] == "complete" else kind["price_cents"],
            "lift_id": other["id"] if is_lift and other else None,
            "available": bool(other) if is_lift else free,
        })
    return found


def _affected_dependent(env, stop, lift, dependent_id):
    number = _number(env, dependent_id, "DEP", "a registration")
    for person in _dependents(env, lift["id"], stop["starts_at"]):
        if person["id"] == number:
            return person
    raise env.Error(f"Nobody registered as {dependent_id} depends on the lift of this stop.")


def list_alternatives(env, *, stop_id: str, dependent_id: str) -> dict:
    """What can be arranged for one dependent during one planned stop."""
    stop, lift = _stop(env, stop_id)
    person = _affected_dependent(env, stop, lift, dependent_id)
    if stop["stop_status"] not in ("awaiting_alternative", "confirmed") or stop["starts_at"] <= env.now:
        raise env.Error("Alternatives are arranged only for stops still ahead.")
    if not _needs_alternative(env, lift, stop, stop["id"]):
        raise env.Error("That stop lasts no more than 4 hours, so it needs no alternative.")
    offers = _alternatives(env, stop, lift, person["id"])
    return {
        "stop_id": _code("STP", stop["id"]), "dependent_id": _code("DEP", person["id"]),
        "alternative_due_at": _stamp(_alternative_due(stop["starts_at"])),
        "alternatives": [{
            "alternative_kind": offer["alternative_kind"], "total_cents": offer["total_cents"],
            "lift_id": _code("LFT", offer["lift_id"]), "available": offer["available"],
        } for offer in offers],
    }
