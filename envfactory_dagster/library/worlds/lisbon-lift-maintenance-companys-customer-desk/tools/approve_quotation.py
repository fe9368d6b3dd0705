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


def _deposit_net(quotation):
    if quotation["total_cents"] <= 250000 or quotation["safety_level"] == "C1":
        return 0
    rate = 100 + quotation["vat_rate"]
    return ((quotation["total_cents"] * 40 + 50) // 100 * 100 + rate // 2) // rate


def _deposit(quotation):
    return (_deposit_net(quotation) * (100 + quotation["vat_rate"]) + 50) // 100


def _minutes_ref(env, minutes_ref):
    match = re.fullmatch(r"[0-9]{1,4}/([0-9]{4}-[0-9]{2}-[0-9]{2})", minutes_ref or "")
    if not match:
        raise env.Error("Give number and date of the assembly minutes, such as 27/2025-03-14.")
    if _day(env, match.group(1)) > env.now[:10]:
        raise env.Error("The assembly of those minutes has not been held yet.")


def approve_quotation(env, *, quotation_id: str, total_cents: int, minutes_ref: str | None = None, order_parts_now: bool | None = None) -> dict:
    """Approve an issued quotation; a deposit is invoiced where one is due."""
    row = _quotation(env, quotation_id)
    lift = _lift(env, _code("LFT", row["lift_id"]))
    if row["quotation_status"] != "issued":
        raise env.Error(f"{quotation_id} is {row['quotation_status']}, so it cannot be approved.")
    last = row["valid_until"] + "T23:59:59"
    if not _working_day(env, row["valid_until"], lift["municipality_id"]):
        # Like every deadline towards us, a last day that is no working day runs to the next one at 18:00.
        last = _on_working_day(env, row["valid_until"], lift["municipality_id"]) + "T18:00:00"
    if env.now > last:
        raise env.Error(f"{quotation_id} was valid until {row['valid_until']}, 30 days from its issue.")
    _refuse_suspended(env, lift)
    if total_cents != row["total_cents"]:
        raise env.Error("The amount is not that of the quotation.")
    if minutes_ref is not None:
        _minutes_ref(env, minutes_ref)
    role, urgent = lift["customer_role"], row["safety_level"] == "C1"
    if role == "committee_member":
        if row["work_kind"] == "modernisation":
            raise env.Error("A committee member never approves modernisation; the administrator does.")
        if row["total_cents"] > 50000:
            raise env.Error("A committee member approves up to 500.00 EUR; above that the administrator does.")
    minutes_due = None
    if role == "administrator" and row["total_cents"] > 150000 and minutes_ref is None:
        if not urgent:
            raise env.Error("Above 1,500.00 EUR the administrator needs the minutes of the assembly.")
        minutes_due = _add_days(env.now, 30)
    area, invoice_id = lift["municipality_id"], None
    until = env.now if order_parts_now else _add_working_days(env, env.now, 2, area) + "T18:00:00"
    ready = _add_working_days(env, env.now, row["parts_lead_days"], area)
    env.execute(
        "UPDATE quotations SET quotation_status = 'approved', approved_by_customer_id = :user, approved_at = :now,"
        " minutes_ref = :minutes, minutes_due_date = :minutes_due, withdraw_until = :until,"
        " parts_ordered_at = :ordered, parts_ready_date = :ready, fee_cents = 0 WHERE id = :id",
        {"user": env.user_id, "now": env.now, "minutes": minutes_ref, "minutes_due": minutes_due, "until": until,
         "ordered": env.now if order_parts_now else None, "ready": ready, "id": row["id"]},
    )
    if _deposit(row):
        newest = env.one("SELECT COALESCE(MAX(id), 0) AS id FROM invoices", {})
        serial = 50001 + newest["id"]
        due = _on_working_day(env, _add_days(env.now, 30), area)
        invoice_id = env.insert(
            "INSERT INTO invoices (invoice_number, atcud, contract_id, quotation_id, invoice_status, issued_on,"
            " due_date, vat_rate, interest_cents) VALUES (:number, :atcud, :contract, :quotation, 'open', :today,"
            " :due, :vat, 0)",
            {"number": f"FT LX{env.now[2:4]}/{serial}", "atcud": f"JF7KDEPR-{serial}", "contract": lift["contract_id"],
             "quotation": row["id"], "today": env.now[:10], "due": due, "vat": row["vat_rate"]},
        )
        env.insert(
            "INSERT INTO invoice_lines (invoice_id, line_number, line_kind, line_text, net_cents)"
            " VALUES (:invoice, 1, 'parts', :text, :net)",
            {"invoice": invoice_id, "text": "Deposit of 40 percent, " + row["title"], "net": _deposit_net(row)},
        )
    return {
        "quotation_id": _code("QUO", row["id"]), "quotation_status": "approved", "total_cents": row["total_cents"],
        "deposit_cents": _deposit(row), "minutes_due_date": minutes_due, "invoice_id": _code("INV", invoice_id),
        "withdraw_until": _stamp(until), "parts_ready_date": ready,
    }
