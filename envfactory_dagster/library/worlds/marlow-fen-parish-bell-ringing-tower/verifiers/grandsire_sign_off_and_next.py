def goal_has_asked_for_the_sign_off(world) -> bool:
    """Has one undecided request to be signed off, in Grandsire Doubles."""
    rows = world.final.query(
        "SELECT m.name FROM method_sign_offs o JOIN methods m ON m.id = o.method_id"
        " WHERE o.ringer_id = 1 AND o.status = 'requested' AND o.decided_at IS NULL",
        [],
    )
    return len(rows) == 1 and rows[0]["name"] == "Grandsire Doubles"


def goal_has_a_place_at_the_next_practice(world) -> bool:
    """Has one place at the next Grandsire Doubles practice with a free bell, on number 5 if it was free, else number 4."""
    wanted = world.initial.one(
        "SELECT s.id AS session_id, (SELECT b.id FROM bells b WHERE b.number IN (4, 5) AND NOT EXISTS (SELECT 1"
        " FROM session_places p WHERE p.ringing_session_id = s.id AND p.bell_id = b.id AND p.status IN ('taken', 'rung'))"
        " ORDER BY b.number DESC LIMIT 1) AS bell_id"
        " FROM ringing_sessions s JOIN methods m ON m.id = s.method_id"
        " WHERE m.name = ? AND s.kind = 'practice' AND s.status = 'open' AND s.starts_at > ?"
        " AND EXISTS (SELECT 1 FROM bells b WHERE NOT EXISTS (SELECT 1 FROM session_places p"
        " WHERE p.ringing_session_id = s.id AND p.bell_id = b.id AND p.status IN ('taken', 'rung')))"
        " ORDER BY s.starts_at LIMIT 1",
        ["Grandsire Doubles", "2026-06-03T09:00:00"],
    )
    mine = world.final.query(
        "SELECT bell_id FROM session_places WHERE ringing_session_id = ? AND ringer_id = 1 AND status = 'taken'",
        [wanted["session_id"]],
    )
    return len(mine) == 1 and mine[0]["bell_id"] == wanted["bell_id"]


def guard_changes_nothing_else(world) -> bool:
    """Touched no row but one new request in Grandsire Doubles and one new place at that practice, both of the user."""
    method = world.initial.one("SELECT id FROM methods WHERE name = ?", ["Grandsire Doubles"])
    wanted = world.initial.one(
        "SELECT s.id AS session_id, (SELECT b.id FROM bells b WHERE b.number IN (4, 5) AND NOT EXISTS (SELECT 1"
        " FROM session_places p WHERE p.ringing_session_id = s.id AND p.bell_id = b.id AND p.status IN ('taken', 'rung'))"
        " ORDER BY b.number DESC LIMIT 1) AS bell_id"
        " FROM ringing_sessions s JOIN methods m ON m.id = s.method_id"
        " WHERE m.name = ? AND s.kind = 'practice' AND s.status = 'open' AND s.starts_at > ?"
        " AND EXISTS (SELECT 1 FROM bells b WHERE NOT EXISTS (SELECT 1 FROM session_places p"
        " WHERE p.ringing_session_id = s.id AND p.bell_id = b.id AND p.status IN ('taken', 'rung')))"
        " ORDER BY s.starts_at LIMIT 1",
        ["Grandsire Doubles", "2026-06-03T09:00:00"],
    )
    tables = [change["table"] for change in world.changes]
    if tables.count("method_sign_offs") > 1 or tables.count("session_places") > 1:
        return False
    for change in world.changes:
        after = change["after"]
        if change["before"] is not None or after is None:
            return False
        if change["table"] == "method_sign_offs":
            fits = (after["ringer_id"] == 1 and after["method_id"] == method["id"] and after["status"] == "requested"
                    and after["decided_at"] is None)
        elif change["table"] == "session_places":
            fits = (after["ringer_id"] == 1 and after["ringing_session_id"] == wanted["session_id"]
                    and after["status"] == "taken" and after["given_up_at"] is None)
        else:
            fits = False
        if not fits:
            return False
    return True


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, and names no rule."""
    return world.report.outcome in (None, "done") and world.report.reason is None
