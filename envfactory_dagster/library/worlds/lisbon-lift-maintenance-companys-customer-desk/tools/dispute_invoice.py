import json
import re
from datetime import date, timedelta

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


def dispute_invoice(env, *, invoice_id: str, line_numbers: list, dispute_reason: str, reason: str, document_ref: str | None = None) -> dict:
    """Dispute lines of an invoice; they are set aside until the answer."""
    row = _invoice(env, invoice_id)
    why = _text(env, reason, 5, 1000)
    if document_ref is not None:
        _number(env, document_ref, "DOC", "a document")
    if row["customer_role"] == "committee_member" and document_ref is None:
        raise env.Error("A committee member may dispute only with a document of the administrator.")
    if row["invoice_status"] == "credited":
        raise env.Error("That invoice is credited already.")
    if not line_numbers or len(set(line_numbers)) != len(line_numbers):
        raise env.Error("Name at least one line, each of them once.")
    lines = env.query("SELECT * FROM invoice_lines WHERE invoice_id = :id ORDER BY line_number", {"id": row["id"]})
    chosen = [line for line in lines if line["line_number"] in line_numbers]
    if len(chosen) != len(line_numbers) or any(line["line_kind"] == "credit" for line in chosen):
        raise env.Error("The invoice has no such line to dispute.")
    earlier = env.query("SELECT * FROM invoice_disputes WHERE invoice_id = :id ORDER BY id", {"id": row["id"]})
    same = [one for one in earlier if (one["dispute_reason"] == "already_paid") == (dispute_reason == "already_paid")]
    if same:
        raise env.Error("An invoice is disputed once, and a second time only as already paid; that has been done.")
    if env.one(
        "SELECT x.dispute_id FROM dispute_lines x JOIN invoice_disputes d ON d.id = x.dispute_id"
        " WHERE d.dispute_status = 'open' AND x.invoice_line_id IN (SELECT value FROM json_each(:lines)) LIMIT 1",
        {"lines": json.dumps([line["id"] for line in chosen])},
    ):
        raise env.Error("One of those lines is disputed already.")
    today = env.now[:10]
    if dispute_reason != "already_paid" and today > _add_working_days(env, row["issued_on"], 20, row["municipality_id"]):
        closed = env.one(
            "SELECT MAX(closed_at) AS closed_at FROM call_outs WHERE id IN (SELECT value FROM json_each(:calls))",
            {"calls": json.dumps([line["call_out_id"] for line in chosen if line["call_out_id"] is not None])},
        )["closed_at"]
        if closed is None or today > _add_working_days(env, closed, 19, row["municipality_id"]):
            raise env.Error("An invoice can be disputed within 20 working days of its issue, and that time is over.")
    answer = _add_working_days(env, today, 15, row["municipality_id"])
    dispute_id = env.insert(
        "INSERT INTO invoice_disputes (invoice_id, customer_id, dispute_reason, reason, document_ref, dispute_status,"
        " opened_on, answer_due_date) VALUES (:invoice, :user, :ground, :why, :document, 'open', :today, :answer)",
        {"invoice": row["id"], "user": env.user_id, "ground": dispute_reason, "why": why, "document": document_ref,
         "today": today, "answer": answer},
    )
    for line in chosen:
        env.execute(
            "INSERT INTO dispute_lines (dispute_id, invoice_line_id) VALUES (:dispute, :line)",
            {"dispute": dispute_id, "line": line["id"]},
        )
    if row["invoice_status"] != "paid":
        charged = [line for line in lines if line["line_kind"] != "credit"]
        env.execute(
            "UPDATE invoices SET invoice_status = :status WHERE id = :id",
            {"status": "disputed" if len(chosen) == len(charged) else "part_disputed", "id": row["id"]},
        )
    amounts = _invoice_amounts(env, _invoice(env, invoice_id))
    return {
        "dispute_id": _code("DSP", dispute_id), "invoice_id": _code("INV", row["id"]), "dispute_status": "open",
        "disputed_cents": amounts["disputed_cents"], "outstanding_cents": amounts["outstanding_cents"],
        "due_date": row["due_date"], "answer_due_date": answer,
    }
