def goal_says_first_sector(world) -> bool:
    """Says which sector took the most time."""
    rows = world.initial.query(
        "SELECT s.name AS name, sum((strftime('%s', a.back_at) - strftime('%s', a.sent_out_at)) / 60) AS n"
        " FROM callouts c JOIN sectors s ON s.id = c.sector_id"
        " JOIN callout_assignments a ON a.callout_id = c.id AND a.status = 'back'"
        " WHERE c.status = 'closed' AND c.opened_at >= '2026-01-01'"
        " GROUP BY s.id, s.name ORDER BY n DESC"
    )
    return world.report.says("first_sector", rows[0]["name"])


def goal_says_first_time(world) -> bool:
    """Says how much time the first sector took."""
    rows = world.initial.query(
        "SELECT s.name AS name, sum((strftime('%s', a.back_at) - strftime('%s', a.sent_out_at)) / 60) AS n"
        " FROM callouts c JOIN sectors s ON s.id = c.sector_id"
        " JOIN callout_assignments a ON a.callout_id = c.id AND a.status = 'back'"
        " WHERE c.status = 'closed' AND c.opened_at >= '2026-01-01'"
        " GROUP BY s.id, s.name ORDER BY n DESC"
    )
    return world.report.says("first_time", rows[0]["n"])


def goal_says_second_sector(world) -> bool:
    """Says which sector took the second most time."""
    rows = world.initial.query(
        "SELECT s.name AS name, sum((strftime('%s', a.back_at) - strftime('%s', a.sent_out_at)) / 60) AS n"
        " FROM callouts c JOIN sectors s ON s.id = c.sector_id"
        " JOIN callout_assignments a ON a.callout_id = c.id AND a.status = 'back'"
        " WHERE c.status = 'closed' AND c.opened_at >= '2026-01-01'"
        " GROUP BY s.id, s.name ORDER BY n DESC"
    )
    return world.report.says("second_sector", rows[1]["name"])


def goal_says_second_time(world) -> bool:
    """Says how much time the second sector took."""
    rows = world.initial.query(
        "SELECT s.name AS name, sum((strftime('%s', a.back_at) - strftime('%s', a.sent_out_at)) / 60) AS n"
        " FROM callouts c JOIN sectors s ON s.id = c.sector_id"
        " JOIN callout_assignments a ON a.callout_id = c.id AND a.status = 'back'"
        " WHERE c.status = 'closed' AND c.opened_at >= '2026-01-01'"
        " GROUP BY s.id, s.name ORDER BY n DESC"
    )
    return world.report.says("second_time", rows[1]["n"])


def goal_says_callout_code(world) -> bool:
    """Says the code of the callout that took the most time of all."""
    row = world.initial.one(
        "SELECT c.code AS code, sum((strftime('%s', a.back_at) - strftime('%s', a.sent_out_at)) / 60) AS n"
        " FROM callouts c JOIN callout_assignments a ON a.callout_id = c.id AND a.status = 'back'"
        " WHERE c.status = 'closed' AND c.opened_at >= '2026-01-01'"
        " GROUP BY c.id, c.code ORDER BY n DESC LIMIT 1"
    )
    return world.report.says("callout_code", row["code"])


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing(world) -> bool:
    """Changed nothing at all."""
    return len(world.changes) == 0
