def _owed(world):
    """The lines that are owed on the reader's account."""
    return world.initial.query(
        "SELECT a.amount_cents, p.price_no FROM account_lines a JOIN prices p ON p.id = a.price_id"
        " WHERE a.reader_id = 1 AND a.status = 'owed' ORDER BY a.id")


def _dropped_for_the_van(world):
    """The films whose van fee was dropped because the van of that order did not go in May."""
    return world.initial.query(
        "SELECT DISTINCT i.title FROM account_lines a JOIN prices p ON p.id = a.price_id"
        " JOIN order_cans c ON c.id = a.order_can_id JOIN cold_store_orders o ON o.id = c.cold_store_order_id"
        " JOIN items i ON i.id = o.item_id JOIN van_runs v ON v.id IN (o.asked_run_id, o.run_id)"
        " WHERE a.reader_id = 1 AND a.status = 'dropped' AND p.price_no = 'P11' AND v.status = 'did not go'"
        " AND v.run_on BETWEEN '2026-05-01' AND '2026-05-31'")


def goal_says_the_amount_of_each_line(world) -> bool:
    """Has told the amount of every line that is owed."""
    return world.report.says("line_amounts", [line["amount_cents"] for line in _owed(world)])


def goal_says_what_is_owed_in_all(world) -> bool:
    """Has told what is owed in all."""
    return world.report.says("owed_in_all", sum(line["amount_cents"] for line in _owed(world)))


def goal_says_how_much_is_van_fees(world) -> bool:
    """Has told how much of it is van fees."""
    return world.report.says("van_fees_owed", sum(line["amount_cents"] for line in _owed(world) if line["price_no"] == "P11"))


def goal_says_that_none_was_dropped_for_the_van(world) -> bool:
    """Has told that no van fee was dropped because the van broke down."""
    return world.report.says("dropped_for_the_van", bool(_dropped_for_the_van(world)))


def guard_names_no_film_for_it(world) -> bool:
    """Names no film, as none lost its van fee with the van."""
    return world.report.outcome is None or world.report.says("film_of_it", None)


def guard_changes_nothing(world) -> bool:
    """Changed no row at all."""
    return world.changes == []


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, with no rule as a reason."""
    return world.report.outcome in (None, "done") and world.report.reason is None
