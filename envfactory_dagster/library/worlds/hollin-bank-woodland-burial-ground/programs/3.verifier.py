def goal_upkeep_is_paid_until_2027(world) -> bool:
    """Every plot the user holds that was behind has its upkeep paid up to exactly 2027."""
    behind = world.initial.query(
        "SELECT * FROM reservations WHERE family_contact_id = 1 AND status IN ('active', 'used')"
        " AND upkeep_paid_until_year < 2027"
    )
    for row in behind:
        now = world.final.one("SELECT * FROM reservations WHERE id = ?", (row["id"],))
        if now != {**row, "upkeep_paid_until_year": 2027}:
            return False
    return len(behind) > 0


def goal_says_the_total(world) -> bool:
    """Says what was paid altogether."""
    row = world.initial.one(
        "SELECT sum((2027 - r.upkeep_paid_until_year) * p.upkeep_cents) AS total"
        " FROM reservations r JOIN plots p ON p.id = r.plot_id"
        " WHERE r.family_contact_id = 1 AND r.status IN ('active', 'used') AND r.upkeep_paid_until_year < 2027"
    )
    return world.report.says("total_paid", row["total"])


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_only_upkeep_that_was_behind(world) -> bool:
    """Changed nothing but the year paid for, and only where the user's upkeep ended before 2027."""
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] != "reservations" or before is None or after is None:
            return False
        if before["family_contact_id"] != 1 or before["status"] not in ("active", "used"):
            return False
        if before["upkeep_paid_until_year"] >= 2027:
            return False
        if {**before, "upkeep_paid_until_year": None} != {**after, "upkeep_paid_until_year": None}:
            return False
    return True
