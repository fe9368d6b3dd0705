def _waiting(world):
    return world.initial.query(
        "SELECT q.title, q.valid_until, (SUM(x.net_cents) * (100 + q.vat_rate) + 50) / 100 AS total"
        " FROM quotations q JOIN quotation_lines x ON x.quotation_id = q.id JOIN lifts l ON l.id = q.lift_id"
        " JOIN buildings b ON b.id = l.building_id"
        " WHERE b.address = 'Rua dos Lagares 14' AND q.quotation_status = 'issued' GROUP BY q.id ORDER BY q.id"
    )


def _to_pay(world):
    rows = world.initial.query(
        "SELECT i.interest_cents,"
        " ((SELECT SUM(CASE x.line_kind WHEN 'credit' THEN -x.net_cents ELSE x.net_cents END) FROM invoice_lines x"
        " WHERE x.invoice_id = i.id) * (100 + i.vat_rate) + 50) / 100"
        " - (SELECT COALESCE(SUM(p.total_cents), 0) FROM payments p WHERE p.invoice_id = i.id"
        " AND p.payment_status = 'settled')"
        " - ((SELECT COALESCE(SUM(x.net_cents), 0) FROM invoice_lines x JOIN dispute_lines d"
        " ON d.invoice_line_id = x.id JOIN invoice_disputes s ON s.id = d.dispute_id"
        " WHERE x.invoice_id = i.id AND s.dispute_status = 'open') * (100 + i.vat_rate) + 50) / 100 AS unpaid"
        " FROM invoices i JOIN contracts c ON c.id = i.contract_id JOIN buildings b ON b.id = c.building_id"
        " WHERE b.address = 'Rua dos Lagares 14' AND c.customer_id IS NULL"
        " AND i.invoice_status NOT IN ('paid', 'credited', 'payment_pending')"
    )
    return sum(r["unpaid"] + r["interest_cents"] for r in rows if r["unpaid"] > 0)


def _rest(world):
    return 1150000 - _to_pay(world) - sum(q["total"] for q in _waiting(world))


def goal_says_whether_it_is_enough(world) -> bool:
    """Says whether the money is enough for all the quotations."""
    return world.report.says("enough", _rest(world) >= 0)


def goal_says_how_much_is_missing(world) -> bool:
    """Says how much is missing, if it is not enough; else leaves it empty."""
    if world.report.outcome is None:
        return False
    rest = _rest(world)
    return world.report.says("missing", -rest if rest < 0 else None)


def goal_says_how_much_is_left(world) -> bool:
    """Says how much would be left, if it is enough; else leaves it empty."""
    if world.report.outcome is None:
        return False
    rest = _rest(world)
    return world.report.says("left_over", rest if rest >= 0 else None)


def goal_names_the_quotations_that_lapse_before_the_assembly(world) -> bool:
    """Names the quotations that lapse before 20 March, if the money is not enough; else leaves it empty."""
    if world.report.outcome is None:
        return False
    titles = [q["title"] for q in _waiting(world) if q["valid_until"] < "2026-03-20"]
    return world.report.says("lapse_before", titles if _rest(world) < 0 else None)


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing(world) -> bool:
    """Changed nothing."""
    return not world.changes
