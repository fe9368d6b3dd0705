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


def list_call_outs(env, *, building_id: str | None = None, lift_id: str | None = None, call_out_status: str | None = None, fault_kind: str | None = None, date_start: str | None = None, date_end: str | None = None, page_cursor: str | None = None, page_size: int | None = None) -> dict:
    """Call-outs of the user's lifts, newest first; the last 90 days when no dates are given."""
    building = _building(env, building_id)["id"] if building_id is not None else None
    lift = _lift(env, lift_id)["id"] if lift_id is not None else None
    first = _day(env, date_start) if date_start is not None else None
    last = _day(env, date_end) if date_end is not None else None
    if first and last and last < first:
        raise env.Error("The last day lies before the first one.")
    if first is None and last is None:
        first = _add_days(env.now, -90)
    rows = env.query(
        "SELECT k.*, l.building_id FROM call_outs k JOIN lifts l ON l.id = k.lift_id"
        " JOIN contracts c ON c.id = l.contract_id"
        " JOIN building_roles r ON r.building_id = l.building_id AND r.customer_id = :user"
        " WHERE (r.customer_role <> 'shop_owner' OR c.customer_id = :user)"
        " AND (:building IS NULL OR l.building_id = :building) AND (:lift IS NULL OR l.id = :lift)"
        " AND (:status IS NULL OR k.call_out_status = :status) AND (:fault IS NULL OR k.fault_kind = :fault)"
        " AND (:first IS NULL OR substr(k.reported_at, 1, 10) >= :first)"
        " AND (:last IS NULL OR substr(k.reported_at, 1, 10) <= :last)"
        " ORDER BY k.reported_at DESC, k.id DESC",
        {"user": env.user_id, "building": building, "lift": lift, "status": call_out_status, "fault": fault_kind,
         "first": first, "last": last},
    )
    shown, following = _page(env, rows, page_cursor, page_size)
    call_outs = [{
        "call_out_id": _code("COT", row["id"]), "lift_id": _code("LFT", row["lift_id"]),
        "building_id": _code("BLD", row["building_id"]), "fault_kind": row["fault_kind"],
        "priority": row["priority"], "call_out_status": row["call_out_status"],
        "reported_at": _stamp(row["reported_at"]), "tariff_band": row["tariff_band"],
        "arrive_by": _stamp(row["arrive_by"]),
    } for row in shown]
    return {"call_outs": call_outs, "next_page_cursor": following}
