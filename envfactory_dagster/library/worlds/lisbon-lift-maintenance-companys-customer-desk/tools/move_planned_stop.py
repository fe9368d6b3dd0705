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


def _text(env, text, least, most):
    text = (text or "").strip()
    if not least <= len(text) <= most:
        raise env.Error(f"Please put it in {least} to {most} characters.")
    return text


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


def _move_free_until(env, starts_at, municipality_id):
    return _add_working_days(env, starts_at, -2, municipality_id) + "T12:00:00"


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


def _slot(env, slot_id):
    number = _number(env, slot_id, "SLT", "a slot")
    row = env.one("SELECT * FROM stop_slots WHERE id = :id", {"id": number})
    if row is None:
        raise env.Error(f"There is no slot {slot_id}.")
    return row


def _check_new_days(env, lift, slot, own_id):
    if slot["starts_at"] <= env.now or _slot_taken(env, slot["id"], own_id):
        raise env.Error("That slot is no longer free; please look for another one.")
    blocked = _other_lifts_stopped(env, lift, slot["starts_at"], slot["ends_at"])
    if blocked:
        raise env.Error(
            f"Another lift of the building, {_code('LFT', blocked[0]['lift_id'])}, is out of service for planned work"
            f" on {max(blocked[0]['starts_at'][:10], slot['starts_at'][:10])}; two lifts of one building are never"
            " stopped on the same day, and no consent lifts that."
        )
    if _overlapping_own_stop(env, lift["id"], slot["starts_at"], slot["ends_at"], own_id):
        raise env.Error("This lift already has planned work at that time.")
    needed = _needs_alternative(env, lift, slot, own_id)
    if needed and _alternative_due(slot["starts_at"]) < env.now:
        raise env.Error(
            "The lift would be stopped for more than 4 hours and somebody depends on it, so the stop must start"
            " at least 48 hours from now."
        )
    return needed


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


def _void_arrangements(env, stop_id):
    env.execute(
        "UPDATE alternative_arrangements SET voided_at = :now WHERE stop_id = :stop"
        " AND alternative_status <> 'refused' AND voided_at IS NULL",
        {"now": env.now, "stop": stop_id},
    )


def move_planned_stop(env, *, stop_id: str, slot_id: str, reason: str) -> dict:
    """Move a stop to another free slot of the same lift and work."""
    stop, lift = _stop(env, stop_id)
    why = _text(env, reason, 5, 1000)
    if stop["stop_status"] not in ("awaiting_alternative", "confirmed") or stop["starts_at"] <= env.now:
        raise env.Error(f"{stop_id} is {stop['stop_status']} and cannot be moved.")
    slot = _slot(env, slot_id)
    if slot["lift_id"] != lift["id"] or slot["work_kind"] != stop["work_kind"]:
        raise env.Error("That slot is for another lift or another kind of work.")
    _refuse_suspended(env, lift)
    if stop["work_kind"] == "modernisation" and lift["customer_role"] == "committee_member":
        raise env.Error("A committee member may move maintenance and repair, not modernisation.")
    until = _move_free_until(env, stop["starts_at"], lift["municipality_id"])
    if env.now > until:
        raise env.Error(f"This stop could be moved only until {until[:10]} at 12:00, the second working day before it.")
    if slot["id"] == stop["slot_id"] or slot["starts_at"] == stop["starts_at"]:
        raise env.Error("The stop is booked for that time already.")
    quoted = stop["quotation_id"] is not None
    if slot["duration_minutes"] < stop["duration_minutes"] or (
            quoted and slot["duration_minutes"] != stop["duration_minutes"]):
        raise env.Error("That slot does not have the duration of the work.")
    if stop["work_kind"] == "inspection":
        if stop["moves_used"] >= 1:
            raise env.Error("An inspection may be moved only once, and this one has been moved already.")
        if slot["ends_at"][:10] > lift["inspection_due_date"]:
            raise env.Error(f"An inspection may not be moved past its legal due date, {lift['inspection_due_date']}.")
    if quoted:
        quotation = _quotation(env, _code("QUO", stop["quotation_id"]))
        if quotation["parts_ready_date"] > slot["starts_at"][:10]:
            raise env.Error(f"The parts arrive on {quotation['parts_ready_date']}, after the start of that slot.")
    needed = _check_new_days(env, lift, slot, stop["id"])
    fee = 4500 if stop["moves_used"] >= 2 else 0
    _void_arrangements(env, stop["id"])
    env.execute(
        "UPDATE planned_stops SET slot_id = :slot, starts_at = :starts, ends_at = :ends, duration_minutes = :minutes,"
        " stop_status = :status, notice_sent_at = :notice, moves_used = moves_used + 1, move_reason = :why,"
        " fee_cents = fee_cents + :fee WHERE id = :id",
        {"slot": slot["id"], "starts": slot["starts_at"], "ends": slot["ends_at"],
         "minutes": slot["duration_minutes"], "status": "awaiting_alternative" if needed else "confirmed",
         "notice": env.now if needed else None, "why": why, "fee": fee, "id": stop["id"]},
    )
    if stop["inspection_id"] is not None:
        env.execute(
            "UPDATE inspections SET inspection_at = :starts WHERE id = :id",
            {"starts": slot["starts_at"], "id": stop["inspection_id"]},
        )
    moved, lift = _stop(env, stop_id)
    return {**_stop_row(env, moved, lift), "fee_cents": fee}
