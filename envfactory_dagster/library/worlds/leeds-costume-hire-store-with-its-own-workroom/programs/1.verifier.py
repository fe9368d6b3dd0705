def _owed(world):
    return world.initial.query(
        "SELECT i.id, h.show_title, (SELECT sum(l.amount_cents) FROM invoice_lines l WHERE l.invoice_id = i.id) AS total"
        " FROM invoices i JOIN hires h ON h.id = i.hire_id JOIN customers c ON c.id = h.customer_id"
        " WHERE c.name = 'Headingley Lamplight Players' AND i.status = 'open' AND i.kind <> 'credit' ORDER BY total DESC, i.id"
    )


def _held(world):
    return world.initial.query(
        "SELECT h.show_title, h.returned_at, CASE WHEN d.status = 'held' THEN d.amount_cents ELSE 0 END AS amount"
        " FROM hires h JOIN customers c ON c.id = h.customer_id JOIN deposits d ON d.hire_id = h.id"
        " WHERE c.name = 'Headingley Lamplight Players' AND h.status IN ('returned', 'inspected') ORDER BY h.returned_at DESC"
    )


def _owes_more(world):
    return sum(r["total"] for r in _owed(world)) > sum(r["amount"] for r in _held(world))


def goal_says_what_is_owed(world) -> bool:
    """Says what the Players owe on open invoices altogether."""
    return world.report.says("owed", sum(r["total"] for r in _owed(world)))


def goal_says_what_is_held(world) -> bool:
    """Says what is held in deposits for hires that are back but not closed."""
    return world.report.says("held", sum(r["amount"] for r in _held(world)))


def goal_says_show_of_largest_invoice(world) -> bool:
    """Names the show of the largest open invoice if more is owed than held, and leaves it empty otherwise."""
    if world.report.outcome is None:
        return False
    return world.report.says("largest_invoice_show", _owed(world)[0]["show_title"] if _owes_more(world) else None)


def goal_says_last_show_brought_back(world) -> bool:
    """Names the show brought back last only if no more is owed than held, and leaves it empty otherwise."""
    if world.report.outcome is None:
        return False
    return world.report.says("last_returned_show", None if _owes_more(world) else _held(world)[0]["show_title"])


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing(world) -> bool:
    """Changed nothing at all."""
    return len(world.changes) == 0
