import datetime

TODAY = "2026-07-02"


def _home(world):
    """The parents' household, which the user speaks for without living there."""
    return world.initial.one(
        "SELECT h.id FROM households h WHERE h.contact_client_id = 1"
        " AND NOT EXISTS (SELECT 1 FROM household_members m WHERE m.household_id = h.id AND m.client_id = 1)"
    )["id"]


def _late(world):
    """The things on loan there that are late, the most weeks first: tag, weeks, fees so far."""
    rows = world.initial.query(
        "SELECT l.id, i.tag, l.due_on, l.collection_asked_on FROM loans l JOIN items i ON i.id = l.item_id"
        " JOIN household_members m ON m.client_id = l.client_id"
        " WHERE m.household_id = ? AND l.status = 'on_loan' AND l.due_on IS NOT NULL ORDER BY l.id",
        [_home(world)],
    )
    late = []
    for row in rows:
        stop = min(day for day in (TODAY, row["collection_asked_on"]) if day is not None)
        days = (datetime.date.fromisoformat(stop) - datetime.date.fromisoformat(row["due_on"])).days
        if days > 0:
            fees = world.initial.one(
                "SELECT COALESCE(SUM(amount_cents), 0) AS cents FROM fees"
                " WHERE loan_id = ? AND kind = 'late_week' AND status IN ('open', 'paid')",
                [row["id"]],
            )
            late.append((row["tag"], (days + 6) // 7, fees["cents"]))
    return sorted(late, key=lambda row: -row[1])


def _open(world, kind):
    """The open fees of this kind there, in cents."""
    return world.initial.one(
        "SELECT COALESCE(SUM(f.amount_cents), 0) AS cents FROM fees f JOIN loans l ON l.id = f.loan_id"
        " JOIN household_members m ON m.client_id = l.client_id"
        " WHERE m.household_id = ? AND f.status = 'open' AND f.kind = ?",
        [_home(world), kind],
    )["cents"]


def goal_names_the_late_things(world) -> bool:
    """Names the things that are late, the one with the most weeks first."""
    return world.report.says("late_items", [row[0] for row in _late(world)])


def goal_says_the_weeks(world) -> bool:
    """Says by how many weeks each is late."""
    return world.report.says("weeks_late", [row[1] for row in _late(world)])


def goal_says_the_late_fees(world) -> bool:
    """Says what each has cost in late fees so far."""
    return world.report.says("late_fees", [row[2] for row in _late(world)])


def goal_says_what_is_owed_for_lost_parts(world) -> bool:
    """Says what is owed for lost parts."""
    return world.report.says("lost_parts_owed", _open(world, "lost_part"))


def goal_says_the_deposits(world) -> bool:
    """Says what deposits are held."""
    row = world.initial.one(
        "SELECT COALESCE(SUM(l.deposit_cents), 0) AS cents FROM loans l JOIN household_members m ON m.client_id = l.client_id"
        " WHERE m.household_id = ? AND l.status IN ('reserved', 'on_loan') AND l.deposit_refunded_on IS NULL",
        [_home(world)],
    )
    return world.report.says("deposits_held", row["cents"])


def goal_says_what_is_left_to_the_limit(world) -> bool:
    """Says how far the household is from the $75."""
    return world.report.says("left_to_limit", 7500 - _open(world, "lost_part") - _open(world, "late_week"))


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, with no rule in the way."""
    return world.report.outcome in (None, "done") and world.report.reason is None


def guard_changes_nothing(world) -> bool:
    """Changed nothing."""
    return len(world.changes) == 0
