def goal_is_moved_on_10_june(world) -> bool:
    """The place on 10 June is on the lightest bell that was free in that session."""
    place = world.initial.one(
        "SELECT p.id, (SELECT f.id FROM bells f WHERE NOT EXISTS (SELECT 1 FROM session_places o"
        " WHERE o.ringing_session_id = p.ringing_session_id AND o.bell_id = f.id AND o.status IN ('taken', 'rung'))"
        " ORDER BY f.weight_kg, f.number LIMIT 1) AS lightest_id"
        " FROM session_places p JOIN ringing_sessions s ON s.id = p.ringing_session_id"
        " WHERE p.ringer_id = 1 AND p.status = 'taken' AND substr(s.starts_at, 1, 10) = ?",
        ["2026-06-10"],
    )
    row = world.final.one("SELECT bell_id, status FROM session_places WHERE id = ? AND ringer_id = 1", [place["id"]])
    return row is not None and row["status"] == "taken" and row["bell_id"] == place["lightest_id"]


def goal_is_moved_on_24_june(world) -> bool:
    """The place on 24 June is on the lightest bell that was free in that session."""
    place = world.initial.one(
        "SELECT p.id, (SELECT f.id FROM bells f WHERE NOT EXISTS (SELECT 1 FROM session_places o"
        " WHERE o.ringing_session_id = p.ringing_session_id AND o.bell_id = f.id AND o.status IN ('taken', 'rung'))"
        " ORDER BY f.weight_kg, f.number LIMIT 1) AS lightest_id"
        " FROM session_places p JOIN ringing_sessions s ON s.id = p.ringing_session_id"
        " WHERE p.ringer_id = 1 AND p.status = 'taken' AND substr(s.starts_at, 1, 10) = ?",
        ["2026-06-24"],
    )
    row = world.final.one("SELECT bell_id, status FROM session_places WHERE id = ? AND ringer_id = 1", [place["id"]])
    return row is not None and row["status"] == "taken" and row["bell_id"] == place["lightest_id"]


def goal_gave_up_the_place_on_14_june(world) -> bool:
    """The place on 14 June, where no bell of 400 kg or less was free, is given up."""
    place = world.initial.one(
        "SELECT p.id FROM session_places p JOIN ringing_sessions s ON s.id = p.ringing_session_id"
        " WHERE p.ringer_id = 1 AND p.status = 'taken' AND substr(s.starts_at, 1, 10) = ?",
        ["2026-06-14"],
    )
    row = world.final.one("SELECT status FROM session_places WHERE id = ? AND ringer_id = 1", [place["id"]])
    return row is not None and row["status"] == "given_up"


def guard_changes_nothing_else(world) -> bool:
    """Touched no row but the user's places on heavy bells: the bell where a light one was free, else the giving up."""
    heavy = world.initial.query(
        "SELECT p.id, EXISTS (SELECT 1 FROM bells f WHERE f.weight_kg <= 400 AND NOT EXISTS (SELECT 1 FROM session_places o"
        " WHERE o.ringing_session_id = p.ringing_session_id AND o.bell_id = f.id AND o.status IN ('taken', 'rung')))"
        " AS movable FROM session_places p JOIN ringing_sessions s ON s.id = p.ringing_session_id"
        " JOIN bells b ON b.id = p.bell_id WHERE p.ringer_id = 1 AND p.status = 'taken' AND b.weight_kg > 400"
        " AND s.starts_at >= ? AND s.starts_at < ?",
        ["2026-06-08T00:00:00", "2026-07-01T00:00:00"],
    )
    allowed = {row["id"]: {"bell_id"} if row["movable"] else {"status", "given_up_at"} for row in heavy}
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] != "session_places" or before is None or after is None:
            return False
        changed = {column for column in before if before[column] != after[column]}
        if not changed <= allowed.get(before["id"], set()):
            return False
        if "status" in changed and after["status"] != "given_up":
            return False
    return True


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, and names no rule."""
    return world.report.outcome in (None, "done") and world.report.reason is None
