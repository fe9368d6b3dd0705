def goal_mira_goes_once_that_week(world) -> bool:
    """Mira has one place from 18 to 22 May 2026, on an open outing that had room and is back by 12:30."""
    rows = world.final.query(
        "SELECT o.id, o.staff_count, o.status, substr(o.returns_at, 12) AS back FROM outing_places p"
        " JOIN children c ON c.id = p.child_id JOIN woodland_outings o ON o.id = p.woodland_outing_id"
        " WHERE c.guardian_id = ? AND c.name = ? AND p.status = 'taken' AND substr(o.leaves_at, 1, 10) BETWEEN ? AND ?",
        [1, "Mira", "2026-05-18", "2026-05-22"],
    )
    if len(rows) != 1:
        return False
    before = world.initial.one(
        "SELECT count(*) AS n FROM outing_places WHERE woodland_outing_id = ? AND status IN ('taken', 'attended')",
        [rows[0]["id"]],
    )
    return (
        rows[0]["status"] == "open"
        and rows[0]["back"] <= "12:30:00"
        and before["n"] < 4 * rows[0]["staff_count"]
    )


def goal_edith_collects_that_day_only(world) -> bool:
    """Edith Vane may collect Mira on the day of Mira's outing that week, and on that one day only."""
    row = world.final.one(
        "SELECT count(*) AS n FROM collection_permissions p JOIN children c ON c.id = p.child_id"
        " WHERE c.guardian_id = ? AND c.name = ? AND same_text(p.collector_name, ?) AND p.collector_birth_date = ?"
        " AND p.status = 'given' AND p.first_day = p.last_day AND p.first_day BETWEEN ? AND ?"
        " AND EXISTS (SELECT 1 FROM outing_places q JOIN woodland_outings o ON o.id = q.woodland_outing_id"
        " WHERE q.child_id = c.id AND q.status = 'taken' AND substr(o.leaves_at, 1, 10) = p.first_day)",
        [1, "Mira", "Edith Vane", "1957-03-06", "2026-05-18", "2026-05-22"],
    )
    return row["n"] == 1


def guard_changes_nothing_else(world) -> bool:
    """Adds at most one place and one permission, both for Mira, and touches no other row."""
    mira = world.initial.one("SELECT id FROM children WHERE guardian_id = ? AND name = ?", [1, "Mira"])["id"]
    status = {"outing_places": "taken", "collection_permissions": "given"}
    tables = [change["table"] for change in world.changes]
    return len(tables) == len(set(tables)) and all(
        change["table"] in status
        and change["before"] is None
        and change["after"]["child_id"] == mira
        and change["after"]["status"] == status[change["table"]]
        for change in world.changes
    )


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, with no rule against it."""
    return world.report.outcome in (None, "done") and world.report.reason is None
