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


def _add_working_days(env, day, count, municipality_id):
    day, step = day[:10], 1 if count > 0 else -1
    while count:
        day = _add_days(day, step)
        if _working_day(env, day, municipality_id):
            count -= step
    return day


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


def _alternative_due(starts_at):
    return (datetime.fromisoformat(starts_at) - timedelta(hours=NOTICE_HOURS)).isoformat()


def _move_free_until(env, starts_at, municipality_id):
    return _add_working_days(env, starts_at, -2, municipality_id) + "T12:00:00"


def _stop_row(env, stop, lift):
    needed = _needs_alternative(env, lift, stop, stop["id"])
    return {
        "stop_id": _code("STP", stop["id"]), "lift_id": _code("LFT", stop["lift_id"]),
        "building_id": _code("BLD", lift["building_id"]), "work_kind": stop["work_kind"],
        "quotation_id": _code("QUO", stop["quotation_id"]), "starts_at": _stamp(stop["starts_at"]),
        "ends_at": _stamp(stop["ends_at"]), "duration_minutes": stop["duration_minutes"],
        "stop_status": stop["stop_status"],
        "dependents_count": len(_dependents(env, lift["id"], stop["starts_at"])),
        "alternative_required": needed,
        "alternative_due_at": _stamp(_alternative_due(stop["starts_at"])) if needed else None,
        "notice_sent_at": _stamp(stop["notice_sent_at"]), "moves_used": stop["moves_used"],
        "move_free_until": _stamp(_move_free_until(env, stop["starts_at"], lift["municipality_id"])),
        "deposit_cents": stop["deposit_cents"],
    }


def list_planned_stops(env, *, building_id: str | None = None, lift_id: str | None = None, work_kind: str | None = None, stop_status: str | None = None, date_start: str | None = None, date_end: str | None = None, page_cursor: str | None = None, page_size: int | None = None) -> dict:
    """Planned stops of the user's lifts, soonest first."""
    building = _building(env, building_id)["id"] if building_id is not None else None
    number = _lift(env, lift_id)["id"] if lift_id is not None else None
    first = _day(env, date_start) if date_start is not None else None
    last = _day(env, date_end) if date_end is not None else None
    if first and last and last < first:
        raise env.Error("The last day lies before the first one.")
    rows = env.query(
        "SELECT s.* FROM planned_stops s JOIN lifts l ON l.id = s.lift_id"
        " JOIN contracts c ON c.id = l.contract_id"
        " JOIN building_roles r ON r.building_id = l.building_id AND r.customer_id = :user"
        " WHERE (r.customer_role <> 'shop_owner' OR c.customer_id = :user)"
        " AND (:building IS NULL OR l.building_id = :building) AND (:lift IS NULL OR l.id = :lift)"
        " AND (:kind IS NULL OR s.work_kind = :kind) AND (:status IS NULL OR s.stop_status = :status)"
        " AND (:first IS NULL OR substr(s.ends_at, 1, 10) >= :first)"
        " AND (:last IS NULL OR substr(s.starts_at, 1, 10) <= :last) ORDER BY s.starts_at, s.id",
        {"user": env.user_id, "building": building, "lift": number, "kind": work_kind, "status": stop_status,
         "first": first, "last": last},
    )
    shown, following = _page(env, rows, page_cursor, page_size)
    stops = [_stop_row(env, row, _lift(env, _code("LFT", row["lift_id"]))) for row in shown]
    return {"planned_stops": stops, "next_page_cursor": following}
