def _contracts(world):
    """The contracts the person holds that are not cleared, with the rent run up until April 2025 and what was invoiced."""
    rows = world.initial.query(
        "SELECT s.id, c.number, s.starts_on, s.ends_on, s.monthly_price_cents,"
        " (SELECT coalesce(sum(l.amount_cents), 0) FROM invoice_lines l JOIN invoices i ON i.id = l.invoice_id"
        "  WHERE i.storage_contract_id = s.id AND i.status <> 'cancelled' AND l.kind = 'storage_month') AS invoiced"
        " FROM storage_contracts s JOIN containers c ON c.id = s.container_id"
        " WHERE s.customer_id = 1 AND s.status <> 'cleared' ORDER BY c.number"
    )
    for row in rows:
        last = min(row["ends_on"] or "2025-04-17", "2025-04-17")
        months = (int(last[:4]) - int(row["starts_on"][:4])) * 12 + int(last[5:7]) - int(row["starts_on"][5:7]) + 1
        row["rent"] = months * row["monthly_price_cents"]
    return rows


def _missing(world):
    return [row for row in _contracts(world) if row["invoiced"] < row["rent"]][0]


def goal_says_which_container(world) -> bool:
    """Says on which container rent is missing."""
    return world.report.says("container", f"container {_missing(world)['number']}")


def goal_says_how_much_is_missing(world) -> bool:
    """Says how much rent has not been invoiced."""
    return world.report.says("missing_rent", _missing(world)["rent"] - _missing(world)["invoiced"])


def goal_says_what_has_run_up(world) -> bool:
    """Says what rent has run up on both together."""
    return world.report.says("run_up_rent", sum(row["rent"] for row in _contracts(world)))


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing(world) -> bool:
    """Changed nothing."""
    return not world.changes
