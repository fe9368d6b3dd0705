def goal_says_the_date(world) -> bool:
    """Has told the date of the open Sunday session with the most free bells."""
    best = world.initial.one(
        "SELECT s.id, s.starts_at, (SELECT count(*) FROM bells b WHERE NOT EXISTS (SELECT 1 FROM session_places p"
        " WHERE p.ringing_session_id = s.id AND p.bell_id = b.id AND p.status IN ('taken', 'rung'))) AS free"
        " FROM ringing_sessions s WHERE s.kind = 'sunday' AND s.status = 'open' AND s.starts_at >= ? AND s.starts_at < ?"
        " ORDER BY free DESC, s.starts_at LIMIT 1",
        ["2026-06-07T00:00:00", "2026-06-29T00:00:00"],
    )
    return bool(world.report.says("session_date", best["starts_at"][:10]))


def goal_says_the_start(world) -> bool:
    """Has told when that session starts."""
    best = world.initial.one(
        "SELECT s.id, s.starts_at, (SELECT count(*) FROM bells b WHERE NOT EXISTS (SELECT 1 FROM session_places p"
        " WHERE p.ringing_session_id = s.id AND p.bell_id = b.id AND p.status IN ('taken', 'rung'))) AS free"
        " FROM ringing_sessions s WHERE s.kind = 'sunday' AND s.status = 'open' AND s.starts_at >= ? AND s.starts_at < ?"
        " ORDER BY free DESC, s.starts_at LIMIT 1",
        ["2026-06-07T00:00:00", "2026-06-29T00:00:00"],
    )
    return bool(world.report.says("session_start", best["starts_at"][11:16]))


def goal_says_the_free_bells(world) -> bool:
    """Has told which bells are free in that session."""
    best = world.initial.one(
        "SELECT s.id, s.starts_at, (SELECT count(*) FROM bells b WHERE NOT EXISTS (SELECT 1 FROM session_places p"
        " WHERE p.ringing_session_id = s.id AND p.bell_id = b.id AND p.status IN ('taken', 'rung'))) AS free"
        " FROM ringing_sessions s WHERE s.kind = 'sunday' AND s.status = 'open' AND s.starts_at >= ? AND s.starts_at < ?"
        " ORDER BY free DESC, s.starts_at LIMIT 1",
        ["2026-06-07T00:00:00", "2026-06-29T00:00:00"],
    )
    free = world.initial.query(
        "SELECT b.number FROM bells b WHERE NOT EXISTS (SELECT 1 FROM session_places p"
        " WHERE p.ringing_session_id = ? AND p.bell_id = b.id AND p.status IN ('taken', 'rung')) ORDER BY b.number",
        [best["id"]],
    )
    return bool(world.report.says("free_bells", [str(row["number"]) for row in free]))


def goal_says_the_tenor_minutes_left(world) -> bool:
    """Has told how many minutes of the tenor are not yet spoken for on that day."""
    best = world.initial.one(
        "SELECT s.id, s.starts_at, (SELECT count(*) FROM bells b WHERE NOT EXISTS (SELECT 1 FROM session_places p"
        " WHERE p.ringing_session_id = s.id AND p.bell_id = b.id AND p.status IN ('taken', 'rung'))) AS free"
        " FROM ringing_sessions s WHERE s.kind = 'sunday' AND s.status = 'open' AND s.starts_at >= ? AND s.starts_at < ?"
        " ORDER BY free DESC, s.starts_at LIMIT 1",
        ["2026-06-07T00:00:00", "2026-06-29T00:00:00"],
    )
    row = world.initial.one(
        "SELECT b.daily_minutes - coalesce((SELECT sum(s.length_minutes) FROM ringing_sessions s"
        " WHERE substr(s.starts_at, 1, 10) = ? AND EXISTS (SELECT 1 FROM session_places p"
        " WHERE p.ringing_session_id = s.id AND p.bell_id = b.id AND p.status = 'taken')), 0) AS minutes"
        " FROM bells b WHERE b.is_tenor = 1",
        [best["starts_at"][:10]],
    )
    return bool(world.report.says("tenor_minutes_left", row["minutes"]))


def guard_changes_nothing(world) -> bool:
    """Changed no row."""
    return world.changes == []


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, and names no rule."""
    return world.report.outcome in (None, "done") and world.report.reason is None
