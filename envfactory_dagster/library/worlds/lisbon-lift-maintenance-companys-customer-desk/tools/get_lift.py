import re
from datetime import date, timedelta

def _code(prefix, number):
    return None if number is None else f"{prefix}-{number:06d}"


def _number(env, code, prefix, thing):
    match = re.fullmatch(prefix + r"-([0-9]{6})", code or "")
    if not match:
        raise env.Error(f"{code} is no number of {thing}; such numbers look like {prefix}-000012.")
    return int(match.group(1))


def _add_days(day, days):
    return (date.fromisoformat(day[:10]) + timedelta(days=days)).isoformat()


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


def _only_lift(env, lift):
    return env.one(
        "SELECT id FROM lifts WHERE building_id = :building AND entrance = :entrance AND id <> :id LIMIT 1",
        {"building": lift["building_id"], "entrance": lift["entrance"], "id": lift["id"]},
    ) is None


def _next_maintenance(env, lift_id):
    row = env.one(
        "SELECT MIN(substr(starts_at, 1, 10)) AS day FROM planned_stops WHERE lift_id = :lift"
        " AND work_kind = 'maintenance' AND stop_status IN ('awaiting_alternative', 'confirmed')"
        " AND starts_at > :now",
        {"lift": lift_id, "now": env.now},
    )
    if row["day"]:
        return row["day"]
    last = env.one(
        "SELECT MAX(substr(starts_at, 1, 10)) AS day FROM planned_stops WHERE lift_id = :lift"
        " AND work_kind = 'maintenance' AND stop_status IN ('in_progress', 'done')",
        {"lift": lift_id},
    )
    due = _add_days(last["day"] or env.now, 30)
    return max(due, env.now[:10])


def _dependents(env, lift_id, day):
    return env.query(
        "SELECT d.* FROM dependents d JOIN dependent_lifts x ON x.dependent_id = d.id"
        " WHERE x.lift_id = :lift AND d.dependent_status IN ('provisional', 'active')"
        " AND (d.valid_until IS NULL OR d.valid_until >= :day)"
        " AND (d.effective_date IS NULL OR d.effective_date >= :day) ORDER BY d.id",
        {"lift": lift_id, "day": day[:10]},
    )


def _quota_left(env, lift, year):
    if lift["contract_kind"] == "complete":
        return None
    used = env.one(
        "SELECT COUNT(*) AS n FROM call_outs WHERE lift_id = :lift AND uses_quota = 1"
        " AND substr(reported_at, 1, 4) = :year",
        {"lift": lift["id"], "year": year[:4]},
    )
    return max(0, 2 - used["n"])


def get_lift(env, *, lift_id: str) -> dict:
    """One lift in full, with what is left of its quota and what is open on it."""
    lift = _lift(env, lift_id)
    open_calls = env.query(
        "SELECT id FROM call_outs WHERE lift_id = :lift AND call_out_status IN ('received', 'dispatched', 'on_site')"
        " ORDER BY id",
        {"lift": lift["id"]},
    )
    stops = env.query(
        "SELECT id FROM planned_stops WHERE lift_id = :lift AND stop_status IN ('awaiting_alternative', 'confirmed')"
        " AND starts_at > :now ORDER BY starts_at, id",
        {"lift": lift["id"], "now": env.now},
    )
    return {
        "lift_id": _code("LFT", lift["id"]), "building_id": _code("BLD", lift["building_id"]),
        "contract_id": _code("CTR", lift["contract_id"]), "entrance": lift["entrance"],
        "municipal_number": lift["municipal_number"], "lift_kind": lift["lift_kind"],
        "lift_status": lift["lift_status"], "floors": lift["floors"], "load_kg": lift["load_kg"],
        "installed_year": lift["installed_year"], "only_lift": _only_lift(env, lift),
        "quota_left": _quota_left(env, lift, env.now),
        "dependents_count": len(_dependents(env, lift["id"], env.now)),
        "next_maintenance_date": _next_maintenance(env, lift["id"]),
        "inspection_due_date": lift["inspection_due_date"],
        "open_call_out_ids": [_code("COT", row["id"]) for row in open_calls],
        "planned_stop_ids": [_code("STP", row["id"]) for row in stops],
    }
