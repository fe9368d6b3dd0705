def roomiest(world):
    return world.initial.one(
        "SELECT o.id, o.meeting_spot, substr(o.leaves_at, 1, 10) AS day, 4 * o.staff_count"
        " - (SELECT count(*) FROM outing_places p WHERE p.woodland_outing_id = o.id"
        " AND p.status IN ('taken', 'attended')) AS places_left"
        " FROM woodland_outings o WHERE o.status = 'open' AND substr(o.leaves_at, 1, 10) BETWEEN ? AND ?"
        " ORDER BY places_left DESC, o.leaves_at LIMIT 1",
        ["2026-05-18", "2026-05-29"],
    )


def goal_says_which_outing(world) -> bool:
    """Has told on which day the open outing with the most places left is."""
    return world.report.says("outing_date", roomiest(world)["day"])


def goal_says_places_left(world) -> bool:
    """Has told how many places are left on it."""
    return world.report.says("places_left", roomiest(world)["places_left"])


def goal_says_meeting_spot(world) -> bool:
    """Has told where it meets."""
    return world.report.says("meeting_spot", roomiest(world)["meeting_spot"])


def goal_says_whether_mira_has_a_place(world) -> bool:
    """Has told whether Mira already has a place on it."""
    row = world.initial.one(
        "SELECT count(*) AS n FROM outing_places p JOIN children c ON c.id = p.child_id"
        " WHERE p.woodland_outing_id = ? AND p.status = 'taken' AND c.guardian_id = ? AND c.name = ?",
        [roomiest(world)["id"], 1, "Mira"],
    )
    return world.report.says("mira_has_place", row["n"] > 0)


def guard_changes_nothing(world) -> bool:
    """Changed no row at all."""
    return world.changes == []


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, with no rule against it."""
    return world.report.outcome in (None, "done") and world.report.reason is None
