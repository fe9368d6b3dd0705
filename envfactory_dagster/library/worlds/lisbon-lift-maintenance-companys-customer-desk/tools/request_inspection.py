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


def request_inspection(env, *, lift_id: str, inspection_kind: str, fee_receipt_ref: str, inspection_id: str | None = None, accident_id: str | None = None, unwanted_dates: list | None = None) -> dict:
    """Have an inspection filed with the Câmara Municipal."""
    lift = _lift(env, lift_id)
    if lift["customer_role"] == "committee_member":
        raise env.Error("Inspections are asked for by the administrator, or by a shop owner for their own lifts.")
    _number(env, fee_receipt_ref, "DOC", "a document")
    _refuse_suspended(env, lift)
    today, fee, in_time, previous, accident = env.now[:10], 0, 1, None, None
    if env.one("SELECT id FROM inspections WHERE fee_receipt_ref = :receipt LIMIT 1", {"receipt": fee_receipt_ref}):
        raise env.Error("That receipt was used for another inspection already.")
    if env.one(
        "SELECT id FROM inspections WHERE lift_id = :lift AND inspection_kind = :kind"
        " AND inspection_status IN ('requested', 'scheduled') LIMIT 1",
        {"lift": lift["id"], "kind": inspection_kind},
    ):
        raise env.Error("Such an inspection of this lift is filed already.")
    if inspection_id is not None and inspection_kind != "reinspection":
        raise env.Error("An earlier inspection is named only for a reinspection.")
    if accident_id is not None and inspection_kind != "extraordinary":
        raise env.Error("An accident is named only for an extraordinary inspection.")
    if inspection_kind == "periodic":
        if today < _add_days(lift["inspection_due_date"], -120):
            raise env.Error(f"It can be filed from {_add_days(lift['inspection_due_date'], -120)} on, 120 days ahead.")
        in_time = int(today <= _add_days(lift["inspection_due_date"], -60))
    elif inspection_kind == "reinspection":
        if inspection_id is None:
            raise env.Error("Say which inspection has failed.")
        failed = env.one(
            "SELECT * FROM inspections WHERE id = :id AND lift_id = :lift AND inspection_status = 'failed'",
            {"id": _number(env, inspection_id, "INS", "an inspection"), "lift": lift["id"]},
        )
        if failed is None:
            raise env.Error(f"{inspection_id} is no failed inspection of this lift.")
        if today > _add_days(failed["inspection_at"], 30):
            raise env.Error("A reinspection must be asked for within 30 days of the failed report.")
        if env.one("SELECT id FROM inspections WHERE previous_inspection_id = :id LIMIT 1", {"id": failed["id"]}):
            raise env.Error("There has been a reinspection after that report already.")
        grave = env.one(
            "SELECT COALESCE(SUM(cured = 0), 0) AS uncured, COALESCE(SUM(due_to_our_maintenance), 0) AS ours"
            " FROM inspection_clauses WHERE inspection_id = :id AND safety_level IN ('C1', 'C2')",
            {"id": failed["id"]},
        )
        if grave["uncured"]:
            raise env.Error("All C1 and C2 clauses must be cured first.")
        previous, fee = failed["id"], 0 if grave["ours"] else 12000
    elif accident_id is not None:
        accident = _number(env, accident_id, "ACC", "an accident file")
        if env.one("SELECT id FROM accidents WHERE id = :id AND lift_id = :lift",
                   {"id": accident, "lift": lift["id"]}) is None:
            raise env.Error(f"There is no accident {accident_id} on this lift.")
    elif env.one(
        "SELECT id FROM planned_stops WHERE lift_id = :lift AND work_kind = 'modernisation'"
        " AND stop_status IN ('in_progress', 'done') LIMIT 1",
        {"lift": lift["id"]},
    ) is None:
        raise env.Error("An extraordinary inspection follows an accident or a modernisation of the lift.")
    unwanted = sorted({_day(env, day) for day in unwanted_dates or []})
    if len(unwanted) > 10:
        raise env.Error("At most 10 days can be avoided.")
    if unwanted and unwanted[0] < today:
        raise env.Error("A day to avoid lies in the past.")
    new_id = env.insert(
        "INSERT INTO inspections (lift_id, customer_id, inspection_kind, inspection_status, requested_on,"
        " fee_receipt_ref, fee_cents, in_time, previous_inspection_id, accident_id) VALUES (:lift, :user, :kind,"
        " 'requested', :today, :receipt, :fee, :in_time, :previous, :accident)",
        {"lift": lift["id"], "user": env.user_id, "kind": inspection_kind, "today": today,
         "receipt": fee_receipt_ref, "fee": fee, "in_time": in_time, "previous": previous, "accident": accident},
    )
    for day in unwanted:
        env.execute(
            "INSERT INTO inspection_unwanted_dates (inspection_id, unwanted_date) VALUES (:inspection, :day)",
            {"inspection": new_id, "day": day},
        )
    return {
        "inspection_id": _code("INS", new_id), "lift_id": _code("LFT", lift["id"]),
        "inspection_kind": inspection_kind, "inspection_status": "requested", "requested_on": today,
        "inspection_due_date": lift["inspection_due_date"], "fee_cents": fee, "in_time": bool(in_time),
    }
