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


def _contract_for(env, building):
    return env.one(
        "SELECT * FROM contracts WHERE building_id = :building"
        " AND ((:role = 'shop_owner' AND customer_id = :user) OR (:role <> 'shop_owner' AND customer_id IS NULL))"
        " ORDER BY contract_status = 'ended', term_end DESC, id DESC LIMIT 1",
        {"building": building["id"], "role": building["customer_role"], "user": env.user_id},
    )


def get_contract(env, *, building_id: str) -> dict:
    """The maintenance contract of a building, for a shop owner their own."""
    building = _building(env, building_id)
    contract = _contract_for(env, building)
    if contract is None:
        raise env.Error(f"There is no contract for {building_id}.")
    lifts = env.query("SELECT id FROM lifts WHERE contract_id = :id ORDER BY id", {"id": contract["id"]})
    return {
        "contract_id": _code("CTR", contract["id"]), "building_id": _code("BLD", contract["building_id"]),
        "contract_kind": contract["contract_kind"], "contract_status": contract["contract_status"],
        "term_start": contract["term_start"], "term_end": contract["term_end"],
        "notice_due_date": _add_days(contract["term_end"], -90), "monthly_cents": contract["monthly_cents"],
        "night_cover": bool(contract["night_cover"]), "lift_ids": [_code("LFT", row["id"]) for row in lifts],
    }
