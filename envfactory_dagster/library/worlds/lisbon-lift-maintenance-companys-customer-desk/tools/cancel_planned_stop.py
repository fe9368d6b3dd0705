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


def _text(env, text, least, most):
    text = (text or "").strip()
    if not least <= len(text) <= most:
        raise env.Error(f"Please put it in {least} to {most} characters.")
    return text


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


def _working_days_until(env, first, last, municipality_id):
    count, day = 0, first[:10]
    while day < last[:10]:
        day = _add_days(day, 1)
        count += _working_day(env, day, municipality_id)
    return count


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


def _refund_share(env, starts_at, municipality_id):
    first = env.now[:10] if env.now[11:] < "12:00:00" else _add_days(env.now, 1)
    days = _working_days_until(env, _add_days(first, -1), _add_days(starts_at, -1), municipality_id)
    return days, 100 if days >= 10 else 50 if days >= 3 else 0


def _void_arrangements(env, stop_id):
    env.execute(
        "UPDATE alternative_arrangements SET voided_at = :now WHERE stop_id = :stop"
        " AND alternative_status <> 'refused' AND voided_at IS NULL",
        {"now": env.now, "stop": stop_id},
    )


def cancel_planned_stop(env, *, stop_id: str, reason: str, cancel_ground: str) -> dict:
    """Cancel a stop before it starts, with the refund and the fee that follow from the time left."""
    stop, lift = _stop(env, stop_id)
    why = _text(env, reason, 5, 1000)
    if stop["stop_status"] not in ("awaiting_alternative", "confirmed") or stop["starts_at"] <= env.now:
        raise env.Error(f"{stop_id} is {stop['stop_status']} and cannot be cancelled.")
    if stop["work_kind"] == "modernisation" and lift["customer_role"] == "committee_member":
        raise env.Error("A committee member may cancel maintenance and repair, not modernisation.")
    quotation = None
    if stop["quotation_id"] is not None:
        quotation = _quotation(env, _code("QUO", stop["quotation_id"]))
        if quotation["safety_level"] == "C1":
            raise env.Error("The cure of a C1 clause cannot be cancelled, only moved.")
    if stop["work_kind"] == "maintenance" and env.one(
        "SELECT id FROM planned_stops WHERE lift_id = :lift AND work_kind = 'maintenance' AND id <> :id"
        " AND stop_status IN ('awaiting_alternative', 'confirmed', 'in_progress', 'done')"
        " AND substr(starts_at, 1, 7) = :month LIMIT 1",
        {"lift": lift["id"], "id": stop["id"], "month": stop["starts_at"][:7]},
    ) is None:
        raise env.Error("A maintenance visit may be cancelled only if another is booked in the same month.")
    if cancel_ground == "inspection_body":
        scheduled = env.one(
            "SELECT inspection_at FROM inspections WHERE id = :id AND inspection_status = 'scheduled'",
            {"id": stop["inspection_id"]},
        )
        if stop["inspection_id"] is None or (scheduled and scheduled["inspection_at"] == stop["starts_at"]):
            raise env.Error("Our records show no cancellation by the inspection body.")
    if cancel_ground in ("new_dependent", "no_alternative"):
        missing = [
            person for person in _dependents(env, lift["id"], stop["starts_at"])
            if _needs_alternative(env, lift, stop, stop["id"])
            and _standing_arrangement(env, stop["id"], person["id"]) is None
        ]
        noticed = (stop["notice_sent_at"] or env.now)[:10]
        if cancel_ground == "new_dependent" and not any(one["registered_on"] >= noticed for one in missing):
            raise env.Error("Our records show no dependent newly registered since the notice of this stop.")
        if cancel_ground == "no_alternative" and not any(
            all(not offer["available"] for offer in _alternatives(env, stop, lift, one["id"])) for one in missing
        ):
            raise env.Error("Our records show that an alternative can still be had for everyone affected.")
    days, percent = _refund_share(env, stop["starts_at"], lift["municipality_id"])
    if cancel_ground != "own_choice":
        percent = 100
    parts = 0
    if quotation and quotation["parts_ordered_at"]:
        ordered = env.one(
            "SELECT COALESCE(SUM(net_cents), 0) AS net FROM quotation_lines WHERE quotation_id = :id"
            " AND made_to_order = 1",
            {"id": quotation["id"]},
        )
        parts = (ordered["net"] * (100 + quotation["vat_rate"]) + 50) // 100
    share = stop["deposit_cents"] * percent // 100
    parts = min(parts, share)
    refund = share - parts
    fee = 0
    if stop["deposit_cents"] == 0 and days < 3 and cancel_ground == "own_choice" and stop["work_kind"] != "maintenance":
        fee = 6000
    _void_arrangements(env, stop["id"])
    env.execute(
        "UPDATE planned_stops SET stop_status = 'cancelled', cancelled_at = :now, cancel_ground = :ground,"
        " cancel_reason = :why, refund_cents = :refund, fee_cents = fee_cents + :fee WHERE id = :id",
        {"now": env.now, "ground": cancel_ground, "why": why, "refund": refund, "fee": fee, "id": stop["id"]},
    )
    if stop["inspection_id"] is not None:
        env.execute(
            "UPDATE inspections SET inspection_status = 'requested', inspection_at = NULL WHERE id = :id",
            {"id": stop["inspection_id"]},
        )
    return {
        "stop_id": _code("STP", stop["id"]), "stop_status": "cancelled", "deposit_cents": stop["deposit_cents"],
        "refund_cents": refund, "fee_cents": fee, "refund_percent": percent, "parts_cents": parts,
        "refund_due_date": _add_working_days(env, env.now, 5, lift["municipality_id"]),
    }
