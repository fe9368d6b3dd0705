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


def _dispute_until(env, invoice):
    last = _add_working_days(env, invoice["issued_on"], 20, invoice["municipality_id"])
    closed = env.one(
        "SELECT MAX(c.closed_at) AS closed_at FROM invoice_lines l JOIN call_outs c ON c.id = l.call_out_id"
        " WHERE l.invoice_id = :id",
        {"id": invoice["id"]},
    )
    if closed["closed_at"]:
        late = _add_working_days(env, closed["closed_at"], 19, invoice["municipality_id"])
        last = max(last, late)
    return last


def get_invoice(env, *, invoice_id: str) -> dict:
    """One invoice with its lines, payments and dispute."""
    row = _invoice(env, invoice_id)
    amounts = _invoice_amounts(env, row)
    lines = env.query("SELECT * FROM invoice_lines WHERE invoice_id = :id ORDER BY line_number", {"id": row["id"]})
    payments = env.query("SELECT * FROM payments WHERE invoice_id = :id ORDER BY id", {"id": row["id"]})
    dispute = env.one(
        "SELECT * FROM invoice_disputes WHERE invoice_id = :id ORDER BY id DESC LIMIT 1", {"id": row["id"]}
    )
    return {
        "invoice_id": _code("INV", row["id"]), "invoice_number": row["invoice_number"],
        "building_id": _code("BLD", row["building_id"]), "invoice_status": row["invoice_status"],
        "issued_on": row["issued_on"], "due_date": row["due_date"], "total_cents": amounts["total_cents"],
        "outstanding_cents": amounts["outstanding_cents"], "disputed_cents": amounts["disputed_cents"],
        "dispute_until": _dispute_until(env, row), "atcud": row["atcud"],
        "contract_id": _code("CTR", row["contract_id"]), "net_cents": amounts["net_cents"],
        "vat_rate": row["vat_rate"], "interest_cents": row["interest_cents"],
        "dispute_id": _code("DSP", dispute["id"]) if dispute else None,
        "dispute_status": dispute["dispute_status"] if dispute else None,
        "lines": [{
            "line_number": line["line_number"], "line_kind": line["line_kind"], "line_text": line["line_text"],
            "net_cents": line["net_cents"], "call_out_id": _code("COT", line["call_out_id"]),
            "quotation_id": _code("QUO", row["quotation_id"]), "stop_id": None,
        } for line in lines],
        "payments": [{
            "payment_id": _code("PAY", payment["id"]), "payment_method": payment["payment_method"],
            "payment_status": payment["payment_status"], "total_cents": payment["total_cents"],
        } for payment in payments],
    }
