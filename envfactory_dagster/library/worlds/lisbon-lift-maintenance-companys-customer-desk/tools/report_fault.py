import re
from datetime import date, datetime, timedelta

CALL_OUT_BASE_CENTS = 9500

def _code(prefix, number):
    return None if number is None else f"{prefix}-{number:06d}"


def _number(env, code, prefix, thing):
    match = re.fullmatch(prefix + r"-([0-9]{6})", code or "")
    if not match:
        raise env.Error(f"{code} is no number of {thing}; such numbers look like {prefix}-000012.")
    return int(match.group(1))


def _phone(env, phone):
    if not re.fullmatch(r"\+351[29][0-9]{8}", phone or ""):
        raise env.Error(f"{phone} is not a Portuguese phone number such as +351912345678.")
    return phone


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


def _on_working_day(env, day, municipality_id):
    while not _working_day(env, day, municipality_id):
        day = _add_days(day, 1)
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


def _only_lift(env, lift):
    return env.one(
        "SELECT id FROM lifts WHERE building_id = :building AND entrance = :entrance AND id <> :id LIMIT 1",
        {"building": lift["building_id"], "entrance": lift["entrance"], "id": lift["id"]},
    ) is None


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


def _band(env, moment, municipality_id):
    hour, day = int(moment[11:13]), moment[:10]
    if hour < 8:
        return "night" if _working_day(env, _add_days(day, -1), municipality_id) else "holiday_night"
    working = _working_day(env, day, municipality_id)
    if hour >= 22:
        return "night" if working else "holiday_night"
    if not working:
        return "holiday_day"
    return "day" if hour < 18 else "evening"


def _surcharge(band, night_cover):
    if night_cover and band in ("evening", "night"):
        return 0
    if band == "evening":
        return 25
    if band in ("night", "holiday_day"):
        return 50
    return 100 if band == "holiday_night" else 0


def _arrive_by(env, moment, priority, municipality_id):
    at = datetime.fromisoformat(moment)
    if priority != "p3":
        return (at + (timedelta(minutes=45) if priority == "p1" else timedelta(hours=2))).isoformat()
    left = timedelta(hours=8)
    while True:
        opening = at.replace(hour=8, minute=0, second=0)
        closing = at.replace(hour=18, minute=0, second=0)
        if at < closing and _working_day(env, at.date().isoformat(), municipality_id):
            at = max(at, opening)
            if closing - at >= left:
                return (at + left).isoformat()
            left -= closing - at
        at = opening + timedelta(days=1)
        at = at.replace(hour=0)


def _quota_left(env, lift, year):
    if lift["contract_kind"] == "complete":
        return None
    used = env.one(
        "SELECT COUNT(*) AS n FROM call_outs WHERE lift_id = :lift AND uses_quota = 1"
        " AND substr(reported_at, 1, 4) = :year",
        {"lift": lift["id"], "year": year[:4]},
    )
    return max(0, 2 - used["n"])


def _price_call_out(env, lift, fault_kind, moment):
    band = _band(env, moment, lift["municipality_id"])
    percent = _surcharge(band, lift["night_cover"])
    full = CALL_OUT_BASE_CENTS + CALL_OUT_BASE_CENTS * percent // 100
    price = {"tariff_band": band, "surcharge_percent": percent, "covered": 1, "uses_quota": 0, "net_cents": 0}
    if fault_kind == "trapped_person":
        return price
    if fault_kind in ("vandalism", "water_or_fire"):
        price.update(covered=0, net_cents=full)
        return price
    at = datetime.fromisoformat(moment)
    repeated = env.one(
        "SELECT id FROM call_outs WHERE lift_id = :lift AND fault_kind = :fault AND call_out_status = 'closed'"
        " AND closed_at BETWEEN :since AND :at LIMIT 1",
        {"lift": lift["id"], "fault": fault_kind, "since": (at - timedelta(days=30)).isoformat(), "at": moment},
    )
    own_work = env.one(
        "SELECT id FROM planned_stops WHERE lift_id = :lift AND stop_status = 'done'"
        " AND work_kind <> 'inspection' AND ends_at BETWEEN :since AND :at LIMIT 1",
        {"lift": lift["id"], "since": (at - timedelta(days=7)).isoformat(), "at": moment},
    )
    if repeated or own_work or lift["contract_kind"] == "complete":
        return price
    if _quota_left(env, lift, moment) > 0:
        price.update(uses_quota=1, net_cents=CALL_OUT_BASE_CENTS * percent // 100)
        return price
    price.update(covered=0, net_cents=full)
    return price


def _priority(env, lift, fault_kind, lift_stopped, moment):
    if fault_kind == "trapped_person":
        return "p1"
    if lift_stopped and (_only_lift(env, lift) or _dependents(env, lift["id"], moment)):
        return "p2"
    return "p3"


def _call_out(env, call_out_id):
    number = _number(env, call_out_id, "COT", "a call-out")
    row = env.one(
        "SELECT k.*, l.building_id FROM call_outs k JOIN lifts l ON l.id = k.lift_id"
        " JOIN contracts c ON c.id = l.contract_id"
        " JOIN building_roles r ON r.building_id = l.building_id AND r.customer_id = :user"
        " WHERE k.id = :id AND (r.customer_role <> 'shop_owner' OR c.customer_id = :user)",
        {"id": number, "user": env.user_id},
    )
    if row is None:
        raise env.Error(f"You have no call-out {call_out_id}.")
    return row


def report_fault(env, *, lift_id: str, fault_kind: str, fault_details: str, phone: str, lift_stopped: bool, defer_to_day: bool | None = None) -> dict:
    """Report a fault and send a technician, or add the report to the call-out already open on the lift."""
    lift = _lift(env, lift_id)
    details, number = _text(env, fault_details, 10, 1000), _phone(env, phone)
    stopped = bool(lift_stopped)
    priority = _priority(env, lift, fault_kind, stopped, env.now)
    running = env.one(
        "SELECT * FROM call_outs WHERE lift_id = :lift AND call_out_status IN ('received', 'dispatched', 'on_site')",
        {"lift": lift["id"]},
    )
    if running is None and priority == "p3":
        _refuse_suspended(env, lift)
    moment, area = env.now, lift["municipality_id"]
    if running:
        raised = priority < running["priority"]
        kind = fault_kind if raised else running["fault_kind"]
        price = {"covered": running["covered"], "uses_quota": running["uses_quota"], "net_cents": running["net_cents"]}
        if raised and priority == "p1":
            price = {"covered": 1, "uses_quota": 0, "net_cents": 0}
        env.execute(
            "UPDATE call_outs SET fault_details = :details, lift_stopped = :stopped, priority = :priority,"
            " fault_kind = :kind, arrive_by = :arrive_by, covered = :covered, uses_quota = :quota, net_cents = :net"
            " WHERE id = :id",
            {"details": running["fault_details"] + "\n" + details, "id": running["id"], "kind": kind,
             "stopped": max(running["lift_stopped"], int(stopped)),
             "priority": priority if raised else running["priority"],
             "arrive_by": min(running["arrive_by"], _arrive_by(env, env.now, priority, area)) if raised
             else running["arrive_by"],
             "covered": price["covered"], "quota": price["uses_quota"], "net": price["net_cents"]},
        )
        call_out_id = running["id"]
    else:
        band = _band(env, moment, area)
        if defer_to_day and priority == "p3" and band in ("night", "holiday_day", "holiday_night"):
            day = moment[:10] if int(moment[11:13]) < 8 else _add_days(moment, 1)
            moment = _on_working_day(env, day, area) + "T08:00:00"
        price = _price_call_out(env, lift, fault_kind, moment)
        call_out_id = env.insert(
            "INSERT INTO call_outs (lift_id, customer_id, fault_kind, fault_details, phone, lift_stopped, priority,"
            " call_out_status, reported_at, tariff_band, arrive_by, cause_kind, work_done, covered, uses_quota,"
            " net_cents, vat_rate) VALUES (:lift, :user, :kind, :details, :phone, :stopped, :priority, 'received',"
            " :moment, :band, :arrive_by, 'unknown', '', :covered, :quota, :net, :vat)",
            {"lift": lift["id"], "user": env.user_id, "kind": fault_kind, "details": details, "phone": number,
             "stopped": int(stopped), "priority": priority, "moment": moment, "band": price["tariff_band"],
             "arrive_by": _arrive_by(env, moment, priority, area), "covered": price["covered"],
             "quota": price["uses_quota"], "net": price["net_cents"], "vat": lift["vat_rate"]},
        )
    if stopped and lift["lift_status"] == "in_service":
        env.execute("UPDATE lifts SET lift_status = 'fault' WHERE id = :id", {"id": lift["id"]})
    row = _call_out(env, _code("COT", call_out_id))
    return {
        "call_out_id": _code("COT", row["id"]), "lift_id": _code("LFT", row["lift_id"]),
        "building_id": _code("BLD", row["building_id"]), "fault_kind": row["fault_kind"],
        "priority": row["priority"], "call_out_status": row["call_out_status"],
        "reported_at": _stamp(row["reported_at"]), "tariff_band": row["tariff_band"],
        "arrive_by": _stamp(row["arrive_by"]), "covered": bool(row["covered"]),
        "surcharge_percent": _surcharge(row["tariff_band"], lift["night_cover"]),
        "quota_left": _quota_left(env, lift, row["reported_at"]), "merged": running is not None,
    }
