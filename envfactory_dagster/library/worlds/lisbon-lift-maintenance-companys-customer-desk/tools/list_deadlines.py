import re
from datetime import date, datetime, timedelta

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


def _on_working_day(env, day, municipality_id):
    while not _working_day(env, day, municipality_id):
        day = _add_days(day, 1)
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


def _alternative_due(starts_at):
    return (datetime.fromisoformat(starts_at) - timedelta(hours=NOTICE_HOURS)).isoformat()


def _list_deadlines_days_left(env, due, municipality_id):
    free = {row["holiday_date"] for row in env.query(
        "SELECT holiday_date FROM holidays WHERE holiday_date BETWEEN :first AND :last"
        " AND (municipality_id IS NULL OR municipality_id = :municipality) ORDER BY holiday_date",
        {"first": env.now[:10], "last": due[:10], "municipality": municipality_id},
    )}
    day, last, count = date.fromisoformat(env.now[:10]), date.fromisoformat(due[:10]), 0
    while day < last:
        day += timedelta(days=1)
        count += day.weekday() < 5 and day.isoformat() not in free
    return count


def list_deadlines(env, *, building_id: str | None = None, deadline_kind: str | None = None, date_end: str | None = None, page_cursor: str | None = None, page_size: int | None = None) -> dict:
    """The user's coming deadlines, soonest first."""
    building = _building(env, building_id)["id"] if building_id is not None else None
    last = _day(env, date_end) if date_end is not None else None
    found = env.query(
        "WITH mine AS (SELECT l.id AS lift_id, l.building_id, l.inspection_due_date, r.customer_role"
        " FROM lifts l JOIN contracts c ON c.id = l.contract_id"
        " JOIN building_roles r ON r.building_id = l.building_id AND r.customer_id = :user"
        " WHERE r.customer_role <> 'shop_owner' OR c.customer_id = :user),"
        " deals AS (SELECT c.*, r.customer_role FROM contracts c"
        " JOIN building_roles r ON r.building_id = c.building_id AND r.customer_id = :user"
        " WHERE (r.customer_role = 'shop_owner' AND c.customer_id = :user)"
        " OR (r.customer_role <> 'shop_owner' AND c.customer_id IS NULL))"
        " SELECT 'inspection_due' AS deadline_kind, 'LFT' AS prefix, lift_id AS subject, building_id,"
        " inspection_due_date AS day, 0 AS movable FROM mine"
        " UNION SELECT 'clause_cure', 'INS', i.id, m.building_id, x.cure_due_date, x.safety_level = 'C3'"
        " FROM inspection_clauses x JOIN inspections i ON i.id = x.inspection_id JOIN mine m ON m.lift_id = i.lift_id"
        " WHERE x.cured = 0 AND x.cure_due_date IS NOT NULL"
        " UNION SELECT 'quotation_expiry', 'QUO', q.id, m.building_id, q.valid_until, 1"
        " FROM quotations q JOIN mine m ON m.lift_id = q.lift_id WHERE q.quotation_status = 'issued'"
        " UNION SELECT 'quotation_minutes', 'QUO', q.id, m.building_id, q.minutes_due_date, 1"
        " FROM quotations q JOIN mine m ON m.lift_id = q.lift_id"
        " WHERE q.minutes_due_date IS NOT NULL AND q.minutes_ref IS NULL AND m.customer_role = 'administrator'"
        " UNION SELECT 'alternative_due', 'STP', s.id, m.building_id, s.starts_at, 0"
        " FROM planned_stops s JOIN mine m ON m.lift_id = s.lift_id WHERE s.stop_status = 'awaiting_alternative'"
        " UNION SELECT 'dependent_proof', 'DEP', d.id, d.building_id, d.proof_due_date, 1"
        " FROM dependents d JOIN dependent_lifts x ON x.dependent_id = d.id JOIN mine m ON m.lift_id = x.lift_id"
        " WHERE d.dependent_status = 'provisional' AND d.proof_due_date IS NOT NULL"
        " AND (m.customer_role = 'administrator' OR d.customer_id = :user)"
        " UNION SELECT 'contract_notice', 'CTR', id, building_id, date(term_end, '-90 days'), 1"
        " FROM deals WHERE contract_status = 'active' AND customer_role <> 'committee_member'"
        " UNION SELECT 'invoice_due', 'INV', i.id, d.building_id, i.due_date, 1"
        " FROM invoices i JOIN deals d ON d.id = i.contract_id"
        " WHERE i.invoice_status NOT IN ('paid', 'credited') AND d.customer_role <> 'committee_member'"
        " UNION SELECT 'dispute_end', 'INV', i.id, d.building_id, i.issued_on, 1"
        " FROM invoices i JOIN deals d ON d.id = i.contract_id WHERE i.invoice_status <> 'credited'"
        " AND NOT EXISTS (SELECT 1 FROM invoice_disputes p WHERE p.invoice_id = i.id"
        " AND p.dispute_reason <> 'already_paid')"
        " ORDER BY day, deadline_kind, subject",
        {"user": env.user_id},
    )
    deadlines = []
    for row in found:
        if building not in (None, row["building_id"]) or deadline_kind not in (None, row["deadline_kind"]):
            continue
        area = env.one("SELECT municipality_id FROM buildings WHERE id = :id", {"id": row["building_id"]})
        area, day = area["municipality_id"], row["day"]
        if row["prefix"] == "INV":
            invoice = _invoice(env, _code("INV", row["subject"]))
            if row["deadline_kind"] == "dispute_end":
                day = _dispute_until(env, invoice)
            elif _invoice_amounts(env, invoice)["outstanding_cents"] == 0:
                continue
        if row["deadline_kind"] == "alternative_due":
            due = _alternative_due(day)
        elif row["movable"] and not _working_day(env, day, area):
            due = _on_working_day(env, day, area) + "T18:00:00"
        else:
            due = day + "T23:59:59"
        if due < env.now or (last is not None and due[:10] > last):
            continue
        deadlines.append({
            "deadline_kind": row["deadline_kind"], "subject_id": _code(row["prefix"], row["subject"]),
            "building_id": _code("BLD", row["building_id"]), "due_at": _stamp(due), "movable": bool(row["movable"]),
            "working_days_left": _list_deadlines_days_left(env, due, area),
        })
    deadlines.sort(key=lambda one: (one["due_at"][:19], one["deadline_kind"], one["subject_id"]))
    shown, following = _page(env, deadlines, page_cursor, page_size)
    return {"deadlines": shown, "next_page_cursor": following}
