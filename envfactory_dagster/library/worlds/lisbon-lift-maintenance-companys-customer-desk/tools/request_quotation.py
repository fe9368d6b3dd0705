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


def request_quotation(env, *, lift_id: str, work_kind: str, fault_details: str, call_out_id: str | None = None, inspection_id: str | None = None, clause_codes: list | None = None) -> dict:
    """Ask for a quotation for repair, modernisation or the cure of inspection clauses."""
    lift = _lift(env, lift_id)
    details = _text(env, fault_details, 10, 1000)
    _refuse_suspended(env, lift)
    call_out = None
    if call_out_id is not None:
        call_out = _call_out(env, call_out_id)["id"]
        if env.one("SELECT id FROM call_outs WHERE id = :id AND lift_id = :lift",
                   {"id": call_out, "lift": lift["id"]}) is None:
            raise env.Error("That call-out was on another lift.")
    inspection, clauses, level = None, [], "none"
    if inspection_id is None and clause_codes:
        raise env.Error("Say which inspection the clauses are from.")
    if inspection_id is not None:
        inspection = _number(env, inspection_id, "INS", "an inspection")
        if env.one("SELECT id FROM inspections WHERE id = :id AND lift_id = :lift",
                   {"id": inspection, "lift": lift["id"]}) is None:
            raise env.Error(f"There is no inspection {inspection_id} of this lift.")
        found = env.query(
            "SELECT x.*, q.quotation_status FROM inspection_clauses x LEFT JOIN quotations q ON q.id = x.quotation_id"
            " WHERE x.inspection_id = :id ORDER BY x.id",
            {"id": inspection},
        )
        for code in clause_codes or []:
            if code not in [clause["clause_code"] for clause in found]:
                raise env.Error(f"The report of {inspection_id} has no clause {code}.")
        clauses = [one for one in found if (one["clause_code"] in clause_codes if clause_codes else not one["cured"])]
        if not clauses or any(one["cured"] for one in clauses):
            raise env.Error("Those clauses are cured already.")
        if any(one["quotation_status"] in ("requested", "issued", "approved") for one in clauses):
            raise env.Error("For one of those clauses a quotation is running already.")
        level = min(one["safety_level"] for one in clauses)
    if env.one(
        "SELECT id FROM quotations WHERE lift_id = :lift AND quotation_status IN ('requested', 'issued')"
        " AND ((:call_out IS NOT NULL AND call_out_id = :call_out)"
        " OR (work_kind = :kind AND lower(fault_details) = lower(:details))) LIMIT 1",
        {"lift": lift["id"], "call_out": call_out, "kind": work_kind, "details": details},
    ):
        raise env.Error("For the same matter a quotation is running already.")
    earlier = env.one(
        "SELECT COUNT(*) AS n FROM quotations WHERE lift_id = :lift AND customer_id IS NOT NULL"
        " AND inspection_id IS NULL AND substr(requested_on, 1, 4) = :year",
        {"lift": lift["id"], "year": env.now[:4]},
    )
    fee = 7500 if inspection is None and earlier["n"] >= 3 else 0
    due = _add_working_days(env, env.now, 1 if level == "C1" else 5, lift["municipality_id"])
    quotation_id = env.insert(
        "INSERT INTO quotations (lift_id, customer_id, call_out_id, inspection_id, work_kind, title, fault_details,"
        " quotation_status, safety_level, fee_cents, requested_on, issue_due_date, vat_rate, parts_lead_days)"
        " VALUES (:lift, :user, :call_out, :inspection, :kind, :title, :details, 'requested', :level, :fee, :today,"
        " :due, :vat, 0)",
        {"lift": lift["id"], "user": env.user_id, "call_out": call_out, "inspection": inspection, "kind": work_kind,
         "title": details[:80], "details": details, "level": level, "fee": fee, "today": env.now[:10], "due": due,
         "vat": lift["vat_rate"]},
    )
    for clause in clauses:
        env.execute(
            "UPDATE inspection_clauses SET quotation_id = :quotation WHERE id = :id",
            {"quotation": quotation_id, "id": clause["id"]},
        )
    return {
        "quotation_id": _code("QUO", quotation_id), "lift_id": _code("LFT", lift["id"]),
        "quotation_status": "requested", "safety_level": level, "fee_cents": fee, "issue_due_date": due,
    }
