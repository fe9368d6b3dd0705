def goal_has_one_place_on_a_fitting_weekend_shift(world) -> bool:
    """Has exactly one place on 14 or 15 February, on a shift with room that ends by 20:00, fits the qualifications
    and leaves 10 hours of rest."""
    fitting = world.initial.query(
        "SELECT d.id FROM duty_shifts d"
        " WHERE d.starts_at >= ? AND d.starts_at < ? AND d.ends_at <= substr(d.starts_at, 1, 10) || 'T20:00:00'"
        " AND d.most_places > (SELECT count(*) FROM shift_places p"
        "  WHERE p.duty_shift_id = d.id AND p.status IN ('taken', 'offered', 'served'))"
        " AND NOT EXISTS (SELECT 1 FROM duty_shift_skills r WHERE r.duty_shift_id = d.id AND NOT EXISTS ("
        "  SELECT 1 FROM qualifications q WHERE q.member_id = 1 AND q.skill_id = r.skill_id"
        "  AND q.last_day >= substr(d.starts_at, 1, 10)))"
        " AND NOT EXISTS (SELECT 1 FROM shift_places p JOIN duty_shifts o ON o.id = p.duty_shift_id"
        "  WHERE p.member_id = 1 AND p.status IN ('taken', 'offered', 'served')"
        "  AND datetime(o.ends_at, '+10 hours') > datetime(d.starts_at)"
        "  AND datetime(d.ends_at, '+10 hours') > datetime(o.starts_at))",
        ["2026-02-14T00:00:00", "2026-02-16T00:00:00"],
    )
    mine = world.final.query(
        "SELECT p.duty_shift_id AS id FROM shift_places p JOIN duty_shifts d ON d.id = p.duty_shift_id"
        " WHERE p.member_id = 1 AND p.status = 'taken' AND d.starts_at >= ? AND d.starts_at < ?",
        ["2026-02-14T00:00:00", "2026-02-16T00:00:00"],
    )
    return len(mine) == 1 and mine[0]["id"] in {row["id"] for row in fitting}


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None


def guard_changes_nothing_else(world) -> bool:
    """Touched no row but one new shift place of the user."""
    return len(world.changes) <= 1 and all(
        change["table"] == "shift_places"
        and change["before"] is None
        and change["after"]["member_id"] == 1
        and change["after"]["status"] == "taken"
        for change in world.changes
    )
