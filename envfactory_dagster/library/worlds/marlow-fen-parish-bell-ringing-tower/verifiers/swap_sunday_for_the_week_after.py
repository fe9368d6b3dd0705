def goal_gave_up_the_place_on_27_september(world) -> bool:
    """The user's place on the morning of 27 September is given up."""
    old = world.initial.one(
        "SELECT p.id, p.bell_id, b.weight_kg FROM session_places p JOIN ringing_sessions s ON s.id = p.ringing_session_id"
        " JOIN bells b ON b.id = p.bell_id WHERE p.ringer_id = 1 AND p.status = 'taken' AND s.kind = 'sunday'"
        " AND s.starts_at >= ? AND s.starts_at < ?",
        ["2026-09-27T00:00:00", "2026-09-27T12:00:00"],
    )
    row = world.final.one("SELECT status FROM session_places WHERE id = ? AND ringer_id = 1", [old["id"]])
    return row is not None and row["status"] == "given_up"


def goal_has_a_place_on_4_october(world) -> bool:
    """Has one place on Sunday 4 October, on the same bell if it was free, else on the free one nearest to it in weight."""
    old = world.initial.one(
        "SELECT p.id, p.bell_id, b.weight_kg FROM session_places p JOIN ringing_sessions s ON s.id = p.ringing_session_id"
        " JOIN bells b ON b.id = p.bell_id WHERE p.ringer_id = 1 AND p.status = 'taken' AND s.kind = 'sunday'"
        " AND s.starts_at >= ? AND s.starts_at < ?",
        ["2026-09-27T00:00:00", "2026-09-27T12:00:00"],
    )
    free = world.initial.query(
        "SELECT b.id, b.is_tenor, abs(b.weight_kg - ?) AS distance FROM ringing_sessions s CROSS JOIN bells b"
        " WHERE s.kind = 'sunday' AND s.status = 'open' AND s.starts_at >= ? AND s.starts_at < ?"
        " AND NOT EXISTS (SELECT 1 FROM session_places p WHERE p.ringing_session_id = s.id AND p.bell_id = b.id"
        " AND p.status IN ('taken', 'rung'))",
        [old["weight_kg"], "2026-10-04T00:00:00", "2026-10-05T00:00:00"],
    )
    wanted = [bell["id"] for bell in free if bell["id"] == old["bell_id"]]
    if not wanted:
        others = [bell for bell in free if bell["is_tenor"] == 0]
        nearest = min(bell["distance"] for bell in others)
        wanted = [bell["id"] for bell in others if bell["distance"] == nearest]
    mine = world.final.query(
        "SELECT p.bell_id FROM session_places p JOIN ringing_sessions s ON s.id = p.ringing_session_id"
        " WHERE p.ringer_id = 1 AND p.status = 'taken' AND s.kind = 'sunday' AND s.starts_at >= ? AND s.starts_at < ?",
        ["2026-10-04T00:00:00", "2026-10-05T00:00:00"],
    )
    return len(mine) == 1 and mine[0]["bell_id"] in wanted


def guard_changes_nothing_else(world) -> bool:
    """Touched no row but the place given up and one new place of the user on 4 October."""
    old = world.initial.one(
        "SELECT p.id, p.bell_id, b.weight_kg FROM session_places p JOIN ringing_sessions s ON s.id = p.ringing_session_id"
        " JOIN bells b ON b.id = p.bell_id WHERE p.ringer_id = 1 AND p.status = 'taken' AND s.kind = 'sunday'"
        " AND s.starts_at >= ? AND s.starts_at < ?",
        ["2026-09-27T00:00:00", "2026-09-27T12:00:00"],
    )
    session = world.initial.one(
        "SELECT id FROM ringing_sessions WHERE kind = 'sunday' AND status = 'open' AND starts_at >= ? AND starts_at < ?",
        ["2026-10-04T00:00:00", "2026-10-05T00:00:00"],
    )
    new = 0
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] != "session_places" or after is None:
            return False
        if before is None:
            new += 1
            fits = (after["ringer_id"] == 1 and after["ringing_session_id"] == session["id"]
                    and after["status"] == "taken" and after["given_up_at"] is None)
        else:
            changed = {column for column in before if before[column] != after[column]}
            fits = before["id"] == old["id"] and changed == {"status", "given_up_at"} and after["status"] == "given_up"
        if not fits:
            return False
    return new <= 1


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, and names no rule."""
    return world.report.outcome in (None, "done") and world.report.reason is None
