HOURS = (
    "SELECT c.id, c.surname, c.budget_hours, sum(t.hours) AS hours FROM time_entries t"
    " JOIN commissions c ON c.id = t.commission_id"
    " WHERE c.client_id = ? AND t.source_type = ? AND t.worked_on >= ? AND t.worked_on <= ?"
    " GROUP BY c.id ORDER BY hours DESC, c.id"
)
WHICH = [1, "ship_list", "2026-02-01", "2026-02-28"]


def goal_says_the_hours_on_ship_lists(world) -> bool:
    """Has told how many hours were spent on ship lists in February 2026 over all searches of the client."""
    return world.report.says("ship_list_hours", sum(row["hours"] for row in world.initial.query(HOURS, WHICH)))


def goal_says_the_search_with_most(world) -> bool:
    """Has told which search took most of them."""
    return world.report.says("search_with_most", world.initial.query(HOURS, WHICH)[0]["surname"])


def goal_says_the_budget_left(world) -> bool:
    """Has told how many hours of its budget that search has left, after all work on it."""
    most = world.initial.query(HOURS, WHICH)[0]
    worked = world.initial.one("SELECT sum(hours) AS hours FROM time_entries WHERE commission_id = ?", [most["id"]])
    return world.report.says("budget_left", most["budget_hours"] - worked["hours"])


def guard_changes_nothing(world) -> bool:
    """Changed no row at all."""
    return world.changes == []


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, without a rule that forbids it."""
    return world.report.outcome in (None, "done") and world.report.reason is None
