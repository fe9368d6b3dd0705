import datetime


def _owed(world, kind):
    row = world.initial.one(
        "SELECT coalesce(sum(amount_cents), 0) AS n FROM charges"
        " WHERE choir_id = 1 AND status = 'unpaid' AND (? = '' OR kind = ?)",
        [kind, kind],
    )
    return row["n"]


def _overdue(world):
    return world.initial.query(
        "SELECT w.title, l.due_on FROM loans l JOIN editions e ON e.id = l.edition_id JOIN works w ON w.id = e.work_id"
        " WHERE l.choir_id = 1 AND l.status = 'out' AND l.due_on < '2026-02-10' ORDER BY l.due_on, l.id"
    )


def goal_says_the_total(world) -> bool:
    """Says what is owed in all."""
    return world.report.says("total", _owed(world, ""))


def goal_says_the_hire(world) -> bool:
    """Says how much of it is hire."""
    return world.report.says("hire", _owed(world, "hire"))


def goal_says_the_late_sets(world) -> bool:
    """Says how much of it is for late sets."""
    return world.report.says("late", _owed(world, "late"))


def goal_says_the_lost_copies(world) -> bool:
    """Says how much of it is for lost copies."""
    return world.report.says("lost", _owed(world, "lost"))


def goal_says_which_works_are_overdue(world) -> bool:
    """Says which works out are past their date."""
    return world.report.says("overdue_works", [row["title"] for row in _overdue(world)])


def goal_says_what_they_would_cost(world) -> bool:
    """Says what each of them would be charged if it came back on 14 February."""
    charges = []
    for row in _overdue(world):
        days = (datetime.date(2026, 2, 14) - datetime.date.fromisoformat(row["due_on"])).days
        charges.append(500 * ((days + 6) // 7))
    return world.report.says("late_charges", charges)


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing(world) -> bool:
    """Changed nothing."""
    return world.changes == []
