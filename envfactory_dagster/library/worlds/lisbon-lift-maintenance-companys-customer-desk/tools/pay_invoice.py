import re
from datetime import date, datetime, timedelta

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


def _invoice(env, invoice_id):
    number = _number(env, invoice_id, "INV", "an invoice")
    row = env.one(
        "SELECT i.*, c.building_id, c.customer_id AS contract_customer_id, c.direct_debit_mandate,"
        " b.municipality_id, r.customer_role FROM invoices i"
        " JOIN contracts c ON c.id = i.contract_id JOIN buildings b ON b.id = c.building_id"
        " JOIN building_roles r ON r.building_id = c.building_id AND r.customer_id = :user"
        " WHERE i.id = :id AND ((r.customer_role = 'shop_owner' AND c.customer_id = :user)"
        " OR (r.customer_role <> 'shop_owner' AND c.customer_id IS NULL))",
        {"id": number, "user": env.user_id},
    )
    if row is None:
        raise env.Error(f"You have no invoice {invoice_id}.")
    return row


def pay_invoice(env, *, invoice_id: str, payment_method: str, amount_cents: int, phone: str | None = None) -> dict:
    """Pay an invoice, whole or in part."""
    row = _invoice(env, invoice_id)
    if row["customer_role"] == "committee_member":
        raise env.Error("A committee member may not pay; the administrator does.")
    amounts = _invoice_amounts(env, row)
    outstanding = amounts["outstanding_cents"]
    if outstanding <= 0:
        raise env.Error("Nothing is to pay on that invoice now.")
    left = outstanding - amounts["pending_cents"]
    if left <= 0:
        raise env.Error("A payment of that invoice is under way already.")
    if amount_cents < 1 or amount_cents > left + row["interest_cents"]:
        raise env.Error("At most what is outstanding with its interest can be paid; disputed lines wait for our answer.")
    in_part = amount_cents < left
    if in_part:
        if env.one(
            "SELECT id FROM payments WHERE invoice_id = :id AND in_part = 1 AND payment_status <> 'refused' LIMIT 1",
            {"id": row["id"]},
        ):
            raise env.Error("An invoice may be paid in part only once, and that has been done.")
        if amount_cents * 2 < outstanding:
            raise env.Error("A payment in part must be at least half of what is outstanding.")
    area = row["municipality_id"]
    status, entity, reference, iban, before, number = "awaiting_customer", None, None, None, None, None
    if payment_method == "mb_way":
        if amount_cents > 75000:
            raise env.Error("By MB WAY at most 750.00 EUR can be paid.")
        if phone is None:
            raise env.Error("MB WAY needs the phone on which you accept the payment.")
        number = _phone(env, phone)
        before = (datetime.fromisoformat(env.now) + timedelta(minutes=5)).isoformat()
    elif payment_method == "multibanco":
        newest = env.one("SELECT COALESCE(MAX(id), 0) AS id FROM payments", {})
        entity, reference = "21455", f"{512000000 + (newest['id'] + 1) * 7331:09d}"
        before = _add_working_days(env, env.now, 5, area) + "T23:59:59"
    elif payment_method == "direct_debit":
        if not row["direct_debit_mandate"]:
            raise env.Error("There is no mandate for direct debit in force.")
        status = "pending"
    else:
        status, iban = "pending", "PT50003300004512987630105"
        before = _add_working_days(env, env.now, 5, area) + "T18:00:00"
    payment_id = env.insert(
        "INSERT INTO payments (invoice_id, customer_id, payment_method, payment_status, total_cents, in_part, phone,"
        " mb_entity, mb_reference, iban, created_at, pay_before) VALUES (:invoice, :user, :method, :status, :amount,"
        " :part, :phone, :entity, :reference, :iban, :now, :before)",
        {"invoice": row["id"], "user": env.user_id, "method": payment_method, "status": status,
         "amount": amount_cents, "part": int(in_part), "phone": number, "entity": entity, "reference": reference,
         "iban": iban, "now": env.now, "before": before},
    )
    new_status = row["invoice_status"]
    if not in_part and new_status in ("open", "overdue"):
        new_status = "payment_pending"
    env.execute(
        "UPDATE invoices SET invoice_status = :status WHERE id = :id", {"status": new_status, "id": row["id"]}
    )
    return {
        "payment_id": _code("PAY", payment_id), "invoice_id": _code("INV", row["id"]),
        "payment_method": payment_method, "payment_status": status, "mb_entity": entity, "mb_reference": reference,
        "iban": iban, "pay_before": _stamp(before), "outstanding_cents": outstanding, "invoice_status": new_status,
        "service_suspended": _suspended(env, row["building_id"], row["customer_role"]),
    }
