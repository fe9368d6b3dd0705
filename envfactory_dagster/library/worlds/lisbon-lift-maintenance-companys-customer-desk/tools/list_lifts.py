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


def list_lifts(env, *, building_id: str | None = None, lift_status: str | None = None, lift_kind: str | None = None, page_cursor: str | None = None, page_size: int | None = None) -> dict:
    """The lifts of the user's buildings with their present state."""
    building = _building(env, building_id)["id"] if building_id is not None else None
    rows = env.query(
        "SELECT l.* FROM lifts l JOIN contracts c ON c.id = l.contract_id"
        " JOIN building_roles r ON r.building_id = l.building_id AND r.customer_id = :user"
        " WHERE (r.customer_role <> 'shop_owner' OR c.customer_id = :user)"
        " AND (:building IS NULL OR l.building_id = :building)"
        " AND (:status IS NULL OR l.lift_status = :status) AND (:kind IS NULL OR l.lift_kind = :kind) ORDER BY l.id",
        {"user": env.user_id, "building": building, "status": lift_status, "kind": lift_kind},
    )
    shown, following = _page(env, rows, page_cursor, page_size)
    lifts = [{
        "lift_id": _code("LFT", row["id"]), "building_id": _code("BLD", row["building_id"]),
        "entrance": row["entrance"], "municipal_number": row["municipal_number"], "lift_kind": row["lift_kind"],
        "lift_status": row["lift_status"], "only_lift": _only_lift(env, row),
        "next_maintenance_date": _next_maintenance(env, row["id"]), "inspection_due_date": row["inspection_due_date"],
    } for row in shown]
    return {"lifts": lifts, "next_page_cursor": following}
