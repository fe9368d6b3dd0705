import json
import re
from datetime import date, timedelta

LONG_STOP_MINUTES = 240

def _code(prefix, number):
    return None if number is None else f"{prefix}-{number:06d}"


def _number(env, code, prefix, thing):
    match = re.fullmatch(prefix + r"-([0-9]{6})", code or "")
    if not match:
        raise env.Error(f"{code} is no number of {thing}; such numbers look like {prefix}-000012.")
    return int(match.group(1))


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


def _page(env, rows, page_cursor, page_size):
    size = 20 if page_size is None else page_size
    if not 1 <= size <= 100:
        raise env.Error("A page has 1 to 100 records.")
    if page_cursor is not None and not re.fullmatch(r"[0-9]{1,9}", page_cursor):
        raise env.Error("That is not a cursor of a previous page.")
    start = int(page_cursor or 0)
    following = start + size
    return rows[start:following], str(following) if following < len(rows) else None


def _building(env, building_id):
    number = _number(env, building_id, "BLD", "a building")
    row = env.one(
        "SELECT b.*, r.customer_role FROM buildings b"
        " JOIN building_roles r ON r.building_id = b.id AND r.customer_id = :user"
        " WHERE b.id = :id",
        {"id": number, "user": env.user_id},
    )
    if row is None:
        raise env.Error(f"You have no building {building_id}.")
    return row


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


def list_dependents(env, *, building_id: str | None = None, lift_id: str | None = None, stop_id: str | None = None, dependent_status: str | None = None, page_cursor: str | None = None, page_size: int | None = None) -> dict:
    """People registered as dependent on the user's lifts."""
    building = _building(env, building_id)["id"] if building_id is not None else None
    lift = _lift(env, lift_id)["id"] if lift_id is not None else None
    stop, affected = None, None
    if stop_id is not None:
        stop, stopped_lift = _stop(env, stop_id)
        people = _dependents(env, stop["lift_id"], stop["starts_at"])
        needed = _needs_alternative(env, stopped_lift, stop, stop["id"])
        affected = json.dumps([person["id"] for person in people] if needed else [])
    rows = env.query(
        "SELECT d.*, r.customer_role FROM dependents d"
        " JOIN building_roles r ON r.building_id = d.building_id AND r.customer_id = :user"
        " WHERE (:building IS NULL OR d.building_id = :building)"
        " AND (:status IS NULL OR d.dependent_status = :status)"
        " AND (:affected IS NULL OR d.id IN (SELECT value FROM json_each(:affected)))"
        " AND EXISTS (SELECT 1 FROM dependent_lifts x JOIN lifts l ON l.id = x.lift_id"
        " JOIN contracts c ON c.id = l.contract_id WHERE x.dependent_id = d.id"
        " AND (:lift IS NULL OR l.id = :lift) AND (r.customer_role <> 'shop_owner' OR c.customer_id = :user))"
        " ORDER BY d.id",
        {"user": env.user_id, "building": building, "status": dependent_status, "affected": affected, "lift": lift},
    )
    shown, following = _page(env, rows, page_cursor, page_size)
    dependents = []
    for row in shown:
        full = row["customer_role"] == "administrator" or row["customer_id"] == env.user_id
        lifts = env.query(
            "SELECT lift_id FROM dependent_lifts WHERE dependent_id = :id ORDER BY lift_id", {"id": row["id"]}
        )
        standing = _standing_arrangement(env, stop["id"], row["id"]) if stop else None
        dependents.append({
            "dependent_id": _code("DEP", row["id"]), "building_id": _code("BLD", row["building_id"]),
            "lift_ids": [_code("LFT", one["lift_id"]) for one in lifts],
            "dependent_name": row["dependent_name"] if full else None, "unit": row["unit"] if full else None,
            "need_kind": row["need_kind"] if full else None, "dependent_status": row["dependent_status"],
            "valid_until": row["valid_until"],
            "proof_due_date": row["proof_due_date"] if row["document_ref"] is None else None,
            "arrangement_id": _code("ARR", standing["id"]) if standing else None,
        })
    return {"dependents": dependents, "next_page_cursor": following}
