def loans_due(world):
    return world.initial.query(
        "SELECT t.name, l.due_day, l.renewals, EXISTS (SELECT 1 FROM holds h WHERE h.title_id = t.id"
        " AND h.status = 'waiting' AND h.member_id <> l.member_id) AS waiting"
        " FROM loans l JOIN copies c ON c.id = l.copy_id JOIN titles t ON t.id = c.title_id"
        " WHERE l.member_id = 1 AND l.status = 'out' AND l.due_day < ? ORDER BY l.due_day, t.name",
        ["2026-05-01"],
    )


def goal_names_the_loans(world) -> bool:
    """Has named the loans due before 1 May 2026."""
    return world.report.says("loans", [row["name"] for row in loans_due(world)])


def goal_says_the_due_days(world) -> bool:
    """Has told on which day each is due."""
    return world.report.says("due_days", [row["due_day"] for row in loans_due(world)])


def goal_says_how_often_each_was_renewed(world) -> bool:
    """Has told how often each was renewed."""
    return world.report.says("times_renewed", [row["renewals"] for row in loans_due(world)])


def goal_says_whether_others_wait(world) -> bool:
    """Has told for each whether another member is waiting for it."""
    return world.report.says("others_waiting", [bool(row["waiting"]) for row in loans_due(world)])


def goal_says_the_total_owed(world) -> bool:
    """Has told what is owed for missing pieces altogether."""
    row = world.initial.one(
        "SELECT coalesce(sum(amount_cents), 0) AS cents FROM replacement_charges"
        " WHERE member_id = 1 AND status = 'unpaid'"
    )
    return world.report.says("total_owed", row["cents"])


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None


def guard_changes_nothing(world) -> bool:
    """Changed no row."""
    return world.changes == []
