def _due(world):
    return world.initial.query(
        "SELECT p.* FROM session_places p JOIN ringing_sessions s ON s.id = p.ringing_session_id"
        " WHERE p.ringer_id = 1 AND p.status = 'taken'"
        " AND substr(s.starts_at, 1, 10) BETWEEN '2026-06-13' AND '2026-06-28'"
    )


def goal_gives_up_every_place(world) -> bool:
    """Every place the user held from 13 to 28 June is given up now, and nothing else about it has changed."""
    due = _due(world)
    if not due:
        return False
    for before in due:
        after = world.final.one("SELECT * FROM session_places WHERE id = ?", (before["id"],))
        if after is None or after["status"] != "given_up":
            return False
        if after["given_up_at"] is None or not after["given_up_at"].startswith("2026-06-03"):
            return False
        for column in ("ringing_session_id", "ringer_id", "bell_id", "taken_at"):
            if after[column] != before[column]:
                return False
    return True


def goal_says_how_many(world) -> bool:
    """Says how many places were given up."""
    return world.report.says("places_given_up", len(_due(world)))


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_only_those_places(world) -> bool:
    """Changed nothing but the state of the places the user held from 13 to 28 June."""
    due = {row["id"] for row in _due(world)}
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] != "session_places" or before is None or after is None:
            return False
        if before["id"] not in due or after["status"] != "given_up":
            return False
        for column in ("id", "ringing_session_id", "ringer_id", "bell_id", "taken_at"):
            if before[column] != after[column]:
                return False
    return True
