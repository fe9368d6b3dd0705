import re
from datetime import date, datetime, timedelta

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


def list_inspections(env, *, building_id: str | None = None, lift_id: str | None = None, inspection_kind: str | None = None, inspection_status: str | None = None, date_start: str | None = None, date_end: str | None = None, page_cursor: str | None = None, page_size: int | None = None) -> dict:
    """Inspections of the user's lifts with the inspector's clauses, newest first."""
    building = _building(env, building_id)["id"] if building_id is not None else None
    lift = _lift(env, lift_id)["id"] if lift_id is not None else None
    first = _day(env, date_start) if date_start is not None else None
    last = _day(env, date_end) if date_end is not None else None
    if first and last and last < first:
        raise env.Error("The last day lies before the first one.")
    rows = env.query(
        "SELECT i.*, l.building_id, (SELECT MAX(s.id) FROM planned_stops s WHERE s.inspection_id = i.id"
        " AND s.stop_status NOT IN ('cancelled', 'lapsed')) AS stop_id"
        " FROM inspections i JOIN lifts l ON l.id = i.lift_id JOIN contracts c ON c.id = l.contract_id"
        " JOIN building_roles r ON r.building_id = l.building_id AND r.customer_id = :user"
        " WHERE (r.customer_role <> 'shop_owner' OR c.customer_id = :user)"
        " AND (:building IS NULL OR l.building_id = :building) AND (:lift IS NULL OR l.id = :lift)"
        " AND (:kind IS NULL OR i.inspection_kind = :kind) AND (:status IS NULL OR i.inspection_status = :status)"
        " AND (:first IS NULL OR COALESCE(substr(i.inspection_at, 1, 10), i.requested_on) >= :first)"
        " AND (:last IS NULL OR COALESCE(substr(i.inspection_at, 1, 10), i.requested_on) <= :last)"
        " ORDER BY COALESCE(substr(i.inspection_at, 1, 10), i.requested_on) DESC, i.id DESC",
        {"user": env.user_id, "building": building, "lift": lift, "kind": inspection_kind,
         "status": inspection_status, "first": first, "last": last},
    )
    shown, following = _page(env, rows, page_cursor, page_size)
    inspections = []
    for row in shown:
        clauses = env.query(
            "SELECT clause_code, safety_level, line_text, cure_due_date, cured, quotation_id"
            " FROM inspection_clauses WHERE inspection_id = :id ORDER BY id",
            {"id": row["id"]},
        )
        inspections.append({
            "inspection_id": _code("INS", row["id"]), "lift_id": _code("LFT", row["lift_id"]),
            "building_id": _code("BLD", row["building_id"]), "inspection_kind": row["inspection_kind"],
            "inspection_status": row["inspection_status"], "requested_on": row["requested_on"],
            "inspection_at": _stamp(row["inspection_at"]), "stop_id": _code("STP", row["stop_id"]),
            "clauses": [{**clause, "cured": bool(clause["cured"]),
                         "quotation_id": _code("QUO", clause["quotation_id"])} for clause in clauses],
        })
    return {"inspections": inspections, "next_page_cursor": following}
