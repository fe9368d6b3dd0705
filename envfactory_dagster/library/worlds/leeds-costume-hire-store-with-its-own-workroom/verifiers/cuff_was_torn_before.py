from datetime import date, timedelta


def _add_working_days(world, day, count):
    off = {r["day"] for r in world.initial.query("SELECT day FROM bank_holidays")}
    moving = date.fromisoformat(day)
    while count > 0:
        moving += timedelta(days=1)
        if moving.weekday() < 5 and moving.isoformat() not in off:
            count -= 1
    return moving.isoformat()


def _invoice(world):
    return world.initial.one(
        "SELECT i.id, i.issued_on FROM invoices i JOIN invoice_lines l ON l.invoice_id = i.id"
        " JOIN hires h ON h.id = i.hire_id JOIN customers c ON c.id = h.customer_id WHERE c.name = 'Beckside School'"
        " AND h.show_title = 'Cinderella' AND i.issued_on = '2024-11-05' AND i.status = 'open' AND l.description LIKE '%cuff%'"
    )


def goal_disputes_the_invoice(world) -> bool:
    """The invoice for the torn cuff is disputed because the cuff was torn before."""
    row = world.final.one("SELECT status, dispute_reason FROM invoices WHERE id = ?", [_invoice(world)["id"]])
    if row["status"] != "disputed" or row["dispute_reason"] is None:
        return False
    reason = row["dispute_reason"].lower()
    return "cuff" in reason and any(word in reason for word in ("torn", "tear", "tore", "rip"))


def goal_says_the_last_day(world) -> bool:
    """Says the last day on which the invoice can be disputed, the tenth working day after it was issued."""
    return world.report.says("last_day", _add_working_days(world, _invoice(world)["issued_on"], 10))


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_one_invoice_only(world) -> bool:
    """Touched nothing but the dispute of that invoice."""
    return len(world.changes) <= 1 and all(
        c["table"] == "invoices"
        and c["before"] is not None
        and c["after"] is not None
        and c["before"]["id"] == _invoice(world)["id"]
        and {k for k in c["before"] if c["before"][k] != c["after"][k]} == {"status", "disputed_at", "dispute_reason"}
        and c["after"]["status"] == "disputed"
        for c in world.changes
    )
