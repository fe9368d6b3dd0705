import re
from datetime import date, timedelta

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


def list_invoices(env, *, building_id: str | None = None, invoice_status: str | None = None, date_start: str | None = None, date_end: str | None = None, page_cursor: str | None = None, page_size: int | None = None) -> dict:
    """Invoices of the user's buildings, newest first."""
    building = _building(env, building_id)["id"] if building_id is not None else None
    first = _day(env, date_start) if date_start is not None else None
    last = _day(env, date_end) if date_end is not None else None
    if first and last and last < first:
        raise env.Error("The last day lies before the first one.")
    rows = env.query(
        "SELECT i.*, c.building_id, b.municipality_id FROM invoices i JOIN contracts c ON c.id = i.contract_id"
        " JOIN buildings b ON b.id = c.building_id"
        " JOIN building_roles r ON r.building_id = c.building_id AND r.customer_id = :user"
        " WHERE ((r.customer_role = 'shop_owner' AND c.customer_id = :user)"
        " OR (r.customer_role <> 'shop_owner' AND c.customer_id IS NULL))"
        " AND (:building IS NULL OR c.building_id = :building)"
        " AND (:status IS NULL OR i.invoice_status = :status)"
        " AND (:first IS NULL OR i.issued_on >= :first) AND (:last IS NULL OR i.issued_on <= :last)"
        " ORDER BY i.issued_on DESC, i.id DESC",
        {"user": env.user_id, "building": building, "status": invoice_status, "first": first, "last": last},
    )
    shown, following = _page(env, rows, page_cursor, page_size)
    invoices = []
    for row in shown:
        amounts = _invoice_amounts(env, row)
        invoices.append({
            "invoice_id": _code("INV", row["id"]), "invoice_number": row["invoice_number"],
            "building_id": _code("BLD", row["building_id"]), "invoice_status": row["invoice_status"],
            "issued_on": row["issued_on"], "due_date": row["due_date"], "total_cents": amounts["total_cents"],
            "outstanding_cents": amounts["outstanding_cents"], "disputed_cents": amounts["disputed_cents"],
            "dispute_until": _dispute_until(env, row),
        })
    return {"invoices": invoices, "next_page_cursor": following}
