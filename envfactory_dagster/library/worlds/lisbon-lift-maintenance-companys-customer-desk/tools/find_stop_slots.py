import json
import re
from datetime import date, datetime, timedelta

BLOCKING_STATUSES = ("awaiting_alternative", "confirmed", "in_progress", "done")
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


def _invoice_amounts(env, invoice):
    lines = env.one(
        "SELECT COALESCE(SUM(CASE WHEN line_kind = 'credit' THEN -net_cents ELSE net_cents END), 0) AS net"
        " FROM invoice_lines WHERE invoice_id = :id",
        {"id": invoice["id"]},
    )
    disputed = env.one(
        "SELECT COALESCE(SUM(l.net_cents), 0) AS net FROM invoice_lines l"
        " WHERE l.invoice_id = :id AND l.id IN (SELECT x.invoice_line_id FROM dispute_lines x"
        " JOIN invoice_disputes d ON d.id = x.dispute_id"
        " WHERE d.invoice_id = :id AND d.dispute_status = 'open')",
        {"id": invoice["id"]},
    )
    paid = env.one(
        "SELECT COALESCE(SUM(CASE WHEN payment_status = 'settled' THEN total_cents ELSE 0 END), 0) AS settled,"
        " COALESCE(SUM(CASE WHEN payment_status IN ('awaiting_customer', 'pending') THEN total_cents ELSE 0 END), 0)"
        " AS pending FROM payments WHERE invoice_id = :id",
        {"id": invoice["id"]},
    )
    total = (lines["net"] * (100 + invoice["vat_rate"]) + 50) // 100
    set_aside = (disputed["net"] * (100 + invoice["vat_rate"]) + 50) // 100
    outstanding = max(0, total - paid["settled"] - set_aside)
    if invoice["invoice_status"] in ("paid", "credited"):
        outstanding = 0
    return {"net_cents": lines["net"], "total_cents": total, "disputed_cents": set_aside,
            "outstanding_cents": outstanding, "pending_cents": paid["pending"]}


def _suspended(env, building_id, role):
    limit = _add_days(env.now, -60)
    late = env.query(
        "SELECT i.* FROM invoices i JOIN contracts c ON c.id = i.contract_id"
        " WHERE c.building_id = :building AND i.due_date < :limit"
        " AND i.invoice_status NOT IN ('paid', 'credited')"
        " AND ((:role = 'shop_owner' AND c.customer_id = :user) OR (:role <> 'shop_owner' AND c.customer_id IS NULL))"
        " ORDER BY i.id",
        {"building": building_id, "limit": limit, "role": role, "user": env.user_id},
    )
    return any(_invoice_amounts(env, row)["outstanding_cents"] > 0 for row in late)


def _refuse_suspended(env, lift):
    if _suspended(env, lift["building_id"], lift["customer_role"]):
        raise env.Error(
            "The service for this building is suspended, since an invoice is more than 60 days overdue; until it is"
            " paid we accept only urgent faults, accidents, dependents' matters, disputes and payments."
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


def _other_lifts_stopped(env, lift, first_day, last_day):
    return env.query(
        "SELECT s.id, s.lift_id, s.starts_at, s.ends_at FROM planned_stops s JOIN lifts l ON l.id = s.lift_id"
        " WHERE l.building_id = :building AND s.lift_id <> :lift"
        " AND s.stop_status IN (SELECT value FROM json_each(:statuses))"
        " AND substr(s.starts_at, 1, 10) <= :last AND substr(s.ends_at, 1, 10) >= :first"
        " ORDER BY s.starts_at, s.id",
        {"building": lift["building_id"], "lift": lift["id"], "first": first_day[:10], "last": last_day[:10],
         "statuses": json.dumps(BLOCKING_STATUSES)},
    )


def _overlapping_own_stop(env, lift_id, starts_at, ends_at, own_id):
    return env.one(
        "SELECT id FROM planned_stops WHERE lift_id = :lift AND id <> :own"
        " AND stop_status NOT IN ('cancelled', 'lapsed') AND starts_at < :ends AND ends_at > :starts LIMIT 1",
        {"lift": lift_id, "own": own_id, "starts": starts_at, "ends": ends_at},
    )


def _slot_taken(env, slot_id, own_id):
    return env.one(
        "SELECT id FROM planned_stops WHERE slot_id = :slot AND id <> :own"
        " AND stop_status NOT IN ('cancelled', 'lapsed') LIMIT 1",
        {"slot": slot_id, "own": own_id},
    ) is not None


def _quotation(env, quotation_id):
    number = _number(env, quotation_id, "QUO", "a quotation")
    row = env.one(
        "SELECT q.*, l.building_id, b.municipality_id, r.customer_role,"
        " (SELECT COALESCE(SUM(x.net_cents), 0) FROM quotation_lines x WHERE x.quotation_id = q.id) AS net_cents"
        " FROM quotations q JOIN lifts l ON l.id = q.lift_id"
        " JOIN buildings b ON b.id = l.building_id JOIN contracts c ON c.id = l.contract_id"
        " JOIN building_roles r ON r.building_id = l.building_id AND r.customer_id = :user"
        " WHERE q.id = :id AND (r.customer_role <> 'shop_owner' OR c.customer_id = :user)",
        {"id": number, "user": env.user_id},
    )
    if row is None:
        raise env.Error(f"You have no quotation {quotation_id}.")
    row["total_cents"] = (row["net_cents"] * (100 + row["vat_rate"]) + 50) // 100
    return row


def find_stop_slots(env, *, lift_id: str, work_kind: str, quotation_id: str | None = None, duration_minutes: int | None = None, date_start: str, date_end: str) -> dict:
    """Free slots for planned work on one lift that may lawfully be booked."""
    lift = _lift(env, lift_id)
    first, last = _day(env, date_start), _day(env, date_end)
    if last < first:
        raise env.Error("The last day lies before the first one.")
    if last > _add_days(env.now, 60):
        raise env.Error("We search at most 60 days ahead.")
    _refuse_suspended(env, lift)
    ready = env.now[:10]
    if work_kind in ("repair", "modernisation"):
        if quotation_id is None:
            raise env.Error("For repair or modernisation give the approved quotation.")
        quotation = _quotation(env, quotation_id)
        if quotation["lift_id"] != lift["id"] or quotation["work_kind"] != work_kind:
            raise env.Error("That quotation is for another lift or another kind of work.")
        if quotation["quotation_status"] != "approved":
            raise env.Error("That quotation is not approved, so its work cannot be planned.")
        minutes, exact, ready = quotation["duration_minutes"], 1, quotation["parts_ready_date"]
    elif quotation_id is not None:
        raise env.Error("A quotation belongs to repair or modernisation only.")
    elif duration_minutes is None:
        raise env.Error("Give the duration of the work in minutes.")
    else:
        minutes, exact = duration_minutes, 0
    rows = env.query(
        "SELECT * FROM stop_slots WHERE lift_id = :lift AND work_kind = :kind AND starts_at > :now"
        " AND substr(starts_at, 1, 10) >= :first AND substr(ends_at, 1, 10) <= :last"
        " AND substr(starts_at, 1, 10) >= :ready"
        " AND (duration_minutes = :minutes OR (:exact = 0 AND duration_minutes >= :minutes)) ORDER BY starts_at, id",
        {"lift": lift["id"], "kind": work_kind, "now": env.now, "first": first, "last": last, "ready": ready,
         "minutes": minutes, "exact": exact},
    )
    held = (datetime.fromisoformat(env.now) + timedelta(minutes=30)).isoformat()
    slots = []
    for slot in rows:
        if _slot_taken(env, slot["id"], 0) or _other_lifts_stopped(env, lift, slot["starts_at"], slot["ends_at"]):
            continue
        if _overlapping_own_stop(env, lift["id"], slot["starts_at"], slot["ends_at"], 0):
            continue
        needed = _needs_alternative(env, lift, slot, 0)
        due = _alternative_due(slot["starts_at"])
        if needed and due < env.now:
            continue
        slots.append({
            "slot_id": _code("SLT", slot["id"]), "lift_id": _code("LFT", lift["id"]), "work_kind": work_kind,
            "starts_at": _stamp(slot["starts_at"]), "ends_at": _stamp(slot["ends_at"]),
            "duration_minutes": slot["duration_minutes"], "held_until": _stamp(held),
            "surcharge_percent": slot["surcharge_percent"],
            "dependents_count": len(_dependents(env, lift["id"], slot["starts_at"])),
            "alternative_required": needed, "alternative_due_at": _stamp(due) if needed else None,
        })
    blocked = []
    for stop in _other_lifts_stopped(env, lift, first, last):
        day = max(first, stop["starts_at"][:10])
        while day <= min(last, stop["ends_at"][:10]):
            blocked.append({"stop_id": _code("STP", stop["id"]), "blocked_date": day})
            day = _add_days(day, 1)
    return {"slots": slots, "blocked_dates": sorted(blocked, key=lambda one: (one["blocked_date"], one["stop_id"]))}
