def _line(world):
    """The charge for floors at Lendkai 55, where there is a lift."""
    return world.initial.one(
        "SELECT l.id, l.amount_cents FROM invoice_lines l JOIN invoices i ON i.id = l.invoice_id"
        " JOIN removals r ON r.id = i.removal_id JOIN removal_addresses a ON a.removal_id = r.id"
        " WHERE i.customer_id = 1 AND i.status <> 'cancelled' AND r.removal_day = '2025-06-19'"
        " AND a.street = 'Lendkai 55' AND a.has_lift = 1 AND l.kind = 'floors'"
    )


def goal_objects_to_the_floors(world) -> bool:
    """Raised an open objection to the charge for floors, with a reason."""
    rows = world.final.query(
        "SELECT id FROM invoice_objections WHERE invoice_line_id = ? AND status = 'open' AND trim(reason) <> ''",
        [_line(world)["id"]],
    )
    return len(rows) == 1


def goal_says_what_comes_back(world) -> bool:
    """Says what the person would get back."""
    return world.report.says("would_get_back", _line(world)["amount_cents"])


def guard_adds_this_objection_only(world) -> bool:
    """Changed nothing but one new objection, to the charge for floors; the holiday was one."""
    return len(world.changes) <= 1 and all(
        c["table"] == "invoice_objections"
        and c["before"] is None
        and c["after"]["invoice_line_id"] == _line(world)["id"]
        for c in world.changes
    )


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, with no rule against it."""
    return world.report.outcome in (None, "done") and world.report.reason is None
