from datetime import date, datetime, timedelta

TODAY = "2026-03-01"
LAST = "2026-03-20"


def _free(world, area):
    return {row["holiday_date"] for row in world.initial.query(
        "SELECT holiday_date FROM holidays WHERE municipality_id IS NULL OR municipality_id = ?", [area]
    )}


def _working(world, day, area):
    return date.fromisoformat(day).weekday() < 5 and day not in _free(world, area)


def _later(day, days):
    return (date.fromisoformat(day[:10]) + timedelta(days=days)).isoformat()


def _working_days_after(world, day, count, area):
    free, day = _free(world, area), date.fromisoformat(day[:10])
    while count:
        day += timedelta(days=1)
        count -= day.weekday() < 5 and day.isoformat() not in free
    return day.isoformat()


def _shifted(world, day, area):
    while not _working(world, day, area):
        day = _later(day, 1)
    return day


def _invoices(world):
    return world.initial.query(
        "SELECT * FROM (SELECT i.*, b.municipality_id, r.customer_role,"
        " (SELECT MAX(k.closed_at) FROM invoice_lines x JOIN call_outs k ON k.id = x.call_out_id"
        " WHERE x.invoice_id = i.id) AS closed_at,"
        " CASE WHEN i.invoice_status IN ('paid', 'credited') THEN 0 ELSE MAX(0,"
        " ((SELECT SUM(CASE x.line_kind WHEN 'credit' THEN -x.net_cents ELSE x.net_cents END) FROM invoice_lines x"
        " WHERE x.invoice_id = i.id) * (100 + i.vat_rate) + 50) / 100"
        " - (SELECT COALESCE(SUM(p.total_cents), 0) FROM payments p WHERE p.invoice_id = i.id"
        " AND p.payment_status = 'settled')"
        " - ((SELECT COALESCE(SUM(x.net_cents), 0) FROM invoice_lines x WHERE x.invoice_id = i.id AND EXISTS"
        " (SELECT 1 FROM dispute_lines y JOIN invoice_disputes s ON s.id = y.dispute_id"
        " WHERE y.invoice_line_id = x.id AND s.dispute_status = 'open')) * (100 + i.vat_rate) + 50) / 100) END"
        " AS unpaid, EXISTS (SELECT 1 FROM invoice_disputes s WHERE s.invoice_id = i.id"
        " AND s.dispute_reason <> 'already_paid') AS disputed_before"
        " FROM invoices i JOIN contracts c ON c.id = i.contract_id JOIN buildings b ON b.id = c.building_id"
        " JOIN building_roles r ON r.building_id = b.id AND r.customer_id = 1"
        " WHERE (r.customer_role = 'shop_owner' AND c.customer_id = 1)"
        " OR (r.customer_role <> 'shop_owner' AND c.customer_id IS NULL)) ORDER BY issued_on, id"
    )


def _dispute_until(world, invoice):
    last = _working_days_after(world, invoice["issued_on"], 20, invoice["municipality_id"])
    if invoice["closed_at"]:
        last = max(last, _working_days_after(world, invoice["closed_at"], 19, invoice["municipality_id"]))
    return last


def _overdue(world):
    return [one for one in _invoices(world) if one["invoice_status"] == "overdue"]


def _lifts(world):
    return world.initial.query(
        "SELECT l.*, b.municipality_id, r.customer_role FROM lifts l JOIN buildings b ON b.id = l.building_id"
        " JOIN contracts c ON c.id = l.contract_id"
        " JOIN building_roles r ON r.building_id = b.id AND r.customer_id = 1"
        " WHERE r.customer_role <> 'shop_owner' OR c.customer_id = 1 ORDER BY l.id"
    )


def _in_time(days):
    return sorted({day for day in days if TODAY <= day <= LAST}) or None


def _inspections_due(world):
    return _in_time(lift["inspection_due_date"] for lift in _lifts(world))


def _clauses(world):
    found = []
    for lift in _lifts(world):
        for row in world.initial.query(
            "SELECT x.* FROM inspection_clauses x JOIN inspections i ON i.id = x.inspection_id"
            " WHERE i.lift_id = ? AND x.cured = 0 AND x.cure_due_date IS NOT NULL ORDER BY x.id", [lift["id"]]
        ):
            fixed = row["safety_level"] in ("C1", "C2")
            day = row["cure_due_date"] if fixed else _shifted(world, row["cure_due_date"], lift["municipality_id"])
            if TODAY <= day <= LAST:
                found.append((day, fixed))
    return found


def _quotations_expire(world):
    return _in_time(
        _shifted(world, row["valid_until"], lift["municipality_id"]) for lift in _lifts(world)
        for row in world.initial.query(
            "SELECT valid_until FROM quotations WHERE lift_id = ? AND quotation_status = 'issued' ORDER BY id",
            [lift["id"]],
        )
    )


def _minutes_due(world):
    return _in_time(
        _shifted(world, row["minutes_due_date"], lift["municipality_id"]) for lift in _lifts(world)
        if lift["customer_role"] == "administrator" for row in world.initial.query(
            "SELECT minutes_due_date FROM quotations WHERE lift_id = ? AND minutes_due_date IS NOT NULL"
            " AND minutes_ref IS NULL ORDER BY id", [lift["id"]],
        )
    )


def _alternatives_due(world):
    found = []
    for lift in _lifts(world):
        for row in world.initial.query(
            "SELECT starts_at FROM planned_stops WHERE lift_id = ? AND stop_status = 'awaiting_alternative'"
            " ORDER BY id", [lift["id"]]
        ):
            due = (datetime.fromisoformat(row["starts_at"]) - timedelta(hours=48)).isoformat()
            if due >= "2026-03-01T11:00:00":
                found.append(due[:10])
    return _in_time(found)


def _proofs_due(world):
    return _in_time(
        _shifted(world, row["proof_due_date"], lift["municipality_id"]) for lift in _lifts(world)
        for row in world.initial.query(
            "SELECT d.* FROM dependents d JOIN dependent_lifts x ON x.dependent_id = d.id WHERE x.lift_id = :lift"
            " AND d.dependent_status = 'provisional' AND d.proof_due_date IS NOT NULL"
            " AND (:role = 'administrator' OR d.customer_id = 1) ORDER BY d.id",
            {"lift": lift["id"], "role": lift["customer_role"]},
        )
    )


def _invoices_due(world):
    return _in_time(
        _shifted(world, one["due_date"], one["municipality_id"]) for one in _invoices(world)
        if one["unpaid"] > 0 and one["customer_role"] != "committee_member"
    )


def _disputes_end(world):
    return _in_time(
        _dispute_until(world, one) for one in _invoices(world)
        if one["invoice_status"] != "credited" and not one["disputed_before"]
    )


def _notice_due(world):
    return _in_time(
        _shifted(world, _later(row["term_end"], -90), row["municipality_id"]) for row in world.initial.query(
            "SELECT c.term_end, b.municipality_id FROM contracts c JOIN buildings b ON b.id = c.building_id"
            " JOIN building_roles r ON r.building_id = b.id AND r.customer_id = 1"
            " WHERE c.contract_status = 'active' AND ((r.customer_role = 'shop_owner' AND c.customer_id = 1)"
            " OR (r.customer_role = 'administrator' AND c.customer_id IS NULL)) ORDER BY c.id"
        )
    )


def goal_names_the_overdue_invoices(world) -> bool:
    """Names the invoices that are overdue today, the oldest first."""
    return world.report.says("overdue_invoices", [one["invoice_number"] for one in _overdue(world)])


def goal_says_what_is_still_to_pay_on_each(world) -> bool:
    """Says what is still to pay on each of them, with late interest."""
    return world.report.says("still_to_pay", [one["unpaid"] + one["interest_cents"] for one in _overdue(world)])


def goal_says_which_can_still_be_disputed(world) -> bool:
    """Says on which of them lines can still be disputed."""
    return world.report.says("disputable", [
        one["invoice_number"] for one in _overdue(world)
        if not one["disputed_before"] and _dispute_until(world, one) >= TODAY
    ])


def goal_says_which_inspections_are_due(world) -> bool:
    """Says by which days an inspection must have taken place."""
    return world.report.says("inspections_due", _inspections_due(world))


def goal_says_which_clauses_must_be_cured(world) -> bool:
    """Says by which days clauses must be cured."""
    return world.report.says("clauses_to_cure", sorted({day for day, _ in _clauses(world)}))


def goal_says_when_quotations_run_out(world) -> bool:
    """Says on which days a quotation can last be approved."""
    return world.report.says("quotations_expire", _quotations_expire(world))


def goal_says_when_proofs_are_due(world) -> bool:
    """Says by which days proof for a dependent must be sent."""
    return world.report.says("proofs_due", _proofs_due(world))


def goal_says_when_invoices_fall_due(world) -> bool:
    """Says on which days an invoice falls due for the user to pay."""
    return world.report.says("invoices_due", _invoices_due(world))


def goal_says_when_the_time_for_disputes_ends(world) -> bool:
    """Says on which days the time for disputing an invoice ends."""
    return world.report.says("disputes_end", _disputes_end(world))


def goal_says_when_contract_notice_is_due(world) -> bool:
    """Says by which days notice on a contract must be given."""
    return world.report.says("contract_notice_due", _notice_due(world))


def goal_says_which_kinds_never_move(world) -> bool:
    """Says which kinds of those deadlines would not move if they fell on a weekend."""
    kinds = []
    if _inspections_due(world):
        kinds.append("inspection due")
    if any(fixed for _, fixed in _clauses(world)):
        kinds.append("cure of inspection clauses")
    if _alternatives_due(world):
        kinds.append("alternative for a dependent")
    return world.report.says("fixed", kinds)


def guard_names_no_day_for_alternatives(world) -> bool:
    """Leaves the alternatives for dependents empty, as none are due up to 20 March."""
    return world.report.outcome is None or world.report.says("alternatives_due", _alternatives_due(world))


def guard_names_no_day_for_minutes(world) -> bool:
    """Leaves the minutes empty, as none are due up to 20 March."""
    return world.report.outcome is None or world.report.says("minutes_due", _minutes_due(world))


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing(world) -> bool:
    """Changed nothing."""
    return world.changes == []
