def goal_has_the_lightest_free_bell_on_sunday_morning(world) -> bool:
    """Has one place on Sunday morning, 7 June, on the lightest bell that was free."""
    wanted = world.initial.one(
        "SELECT s.id AS session_id, b.id AS bell_id FROM ringing_sessions s CROSS JOIN bells b"
        " WHERE s.kind = 'sunday' AND s.status = 'open' AND s.starts_at >= ? AND s.starts_at < ?"
        " AND NOT EXISTS (SELECT 1 FROM session_places p WHERE p.ringing_session_id = s.id AND p.bell_id = b.id"
        " AND p.status IN ('taken', 'rung'))"
        " ORDER BY b.weight_kg, b.number LIMIT 1",
        ["2026-06-07T00:00:00", "2026-06-07T12:00:00"],
    )
    mine = world.final.query(
        "SELECT bell_id FROM session_places WHERE ringing_session_id = ? AND ringer_id = 1 AND status = 'taken'",
        [wanted["session_id"]],
    )
    return len(mine) == 1 and mine[0]["bell_id"] == wanted["bell_id"]


def guard_leaves_the_practice_place_as_it_is(world) -> bool:
    """The user's place at the practice on 10 June is as it was, and there is no other."""
    before = world.initial.query(
        "SELECT p.* FROM session_places p JOIN ringing_sessions s ON s.id = p.ringing_session_id"
        " WHERE p.ringer_id = 1 AND s.kind = 'practice' AND s.starts_at >= ? AND s.starts_at < ? ORDER BY p.id",
        ["2026-06-10T00:00:00", "2026-06-11T00:00:00"],
    )
    after = world.final.query(
        "SELECT p.* FROM session_places p JOIN ringing_sessions s ON s.id = p.ringing_session_id"
        " WHERE p.ringer_id = 1 AND s.kind = 'practice' AND s.starts_at >= ? AND s.starts_at < ? ORDER BY p.id",
        ["2026-06-10T00:00:00", "2026-06-11T00:00:00"],
    )
    return before == after


def guard_changes_nothing_else(world) -> bool:
    """Touched no row but one new place of the user in the session on Sunday morning."""
    session = world.initial.one(
        "SELECT id FROM ringing_sessions WHERE kind = 'sunday' AND status = 'open' AND starts_at >= ? AND starts_at < ?",
        ["2026-06-07T00:00:00", "2026-06-07T12:00:00"],
    )
    return len(world.changes) <= 1 and all(
        change["table"] == "session_places"
        and change["before"] is None
        and change["after"] is not None
        and change["after"]["ringing_session_id"] == session["id"]
        and change["after"]["ringer_id"] == 1
        and change["after"]["status"] == "taken"
        and change["after"]["given_up_at"] is None
        for change in world.changes
    )


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, and names no rule."""
    return world.report.outcome in (None, "done") and world.report.reason is None
