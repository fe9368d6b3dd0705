def goal_has_a_place_at_the_first_practice(world) -> bool:
    """Has one place at the first fitting practice, on number 2 if it was free, else on a bell under 500 kg."""
    session = world.initial.query(
        "SELECT s.id FROM ringing_sessions s JOIN methods m ON m.id = s.method_id"
        " WHERE m.name = ? AND s.kind = 'practice' AND s.status = 'open' AND s.length_minutes <= 90"
        " AND s.starts_at >= ? AND s.starts_at < ? ORDER BY s.starts_at LIMIT 2",
        ["Plain Bob Minor", "2026-10-01T00:00:00", "2026-11-01T00:00:00"],
    )[0]
    second = world.initial.one(
        "SELECT count(*) AS n FROM session_places p JOIN bells b ON b.id = p.bell_id"
        " WHERE p.ringing_session_id = ? AND b.number = 2 AND p.status IN ('taken', 'rung')",
        [session["id"]],
    )
    mine = world.final.query(
        "SELECT b.number, b.weight_kg FROM session_places p JOIN bells b ON b.id = p.bell_id"
        " WHERE p.ringing_session_id = ? AND p.ringer_id = 1 AND p.status = 'taken'",
        [session["id"]],
    )
    if len(mine) != 1:
        return False
    return mine[0]["number"] == 2 if second["n"] == 0 else mine[0]["weight_kg"] < 500


def goal_has_a_place_at_the_second_practice(world) -> bool:
    """Has one place at the second fitting practice, on number 2 if it was free, else on a bell under 500 kg."""
    session = world.initial.query(
        "SELECT s.id FROM ringing_sessions s JOIN methods m ON m.id = s.method_id"
        " WHERE m.name = ? AND s.kind = 'practice' AND s.status = 'open' AND s.length_minutes <= 90"
        " AND s.starts_at >= ? AND s.starts_at < ? ORDER BY s.starts_at LIMIT 2",
        ["Plain Bob Minor", "2026-10-01T00:00:00", "2026-11-01T00:00:00"],
    )[1]
    second = world.initial.one(
        "SELECT count(*) AS n FROM session_places p JOIN bells b ON b.id = p.bell_id"
        " WHERE p.ringing_session_id = ? AND b.number = 2 AND p.status IN ('taken', 'rung')",
        [session["id"]],
    )
    mine = world.final.query(
        "SELECT b.number, b.weight_kg FROM session_places p JOIN bells b ON b.id = p.bell_id"
        " WHERE p.ringing_session_id = ? AND p.ringer_id = 1 AND p.status = 'taken'",
        [session["id"]],
    )
    if len(mine) != 1:
        return False
    return mine[0]["number"] == 2 if second["n"] == 0 else mine[0]["weight_kg"] < 500


def guard_changes_nothing_else(world) -> bool:
    """Touched no row but one new place of the user in each of the two practices."""
    sessions = world.initial.query(
        "SELECT s.id FROM ringing_sessions s JOIN methods m ON m.id = s.method_id"
        " WHERE m.name = ? AND s.kind = 'practice' AND s.status = 'open' AND s.length_minutes <= 90"
        " AND s.starts_at >= ? AND s.starts_at < ? ORDER BY s.starts_at LIMIT 2",
        ["Plain Bob Minor", "2026-10-01T00:00:00", "2026-11-01T00:00:00"],
    )
    fitting = [session["id"] for session in sessions]
    new = []
    for change in world.changes:
        after = change["after"]
        if change["table"] != "session_places" or change["before"] is not None or after is None:
            return False
        if after["ringer_id"] != 1 or after["status"] != "taken" or after["given_up_at"] is not None:
            return False
        new.append(after["ringing_session_id"])
    return all(session in fitting for session in new) and len(new) == len(set(new))


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, and names no rule."""
    return world.report.outcome in (None, "done") and world.report.reason is None
