def goal_says_renewed(world) -> bool:
    """Names the games that were to be renewed."""
    rows = world.initial.query(
        "SELECT t.name FROM loans l JOIN copies c ON c.id = l.copy_id JOIN titles t ON t.id = c.title_id"
        " WHERE l.member_id = 1 AND l.status = 'out'"
        " AND NOT EXISTS (SELECT 1 FROM holds h WHERE h.title_id = t.id AND h.status = 'waiting' AND h.member_id <> 1)"
        " AND NOT EXISTS (SELECT 1 FROM copies o WHERE o.title_id = t.id AND o.id <> l.copy_id AND o.status = 'lendable'"
        " AND NOT EXISTS (SELECT 1 FROM loans x WHERE x.copy_id = o.id AND x.status = 'out')"
        " AND NOT EXISTS (SELECT 1 FROM holds y WHERE y.copy_id = o.id AND y.status = 'ready'))"
    )
    return world.report.says("renewed", [row["name"] for row in rows])


def goal_says_latest_new_due_day(world) -> bool:
    """Says the latest due day that a renewed game has now."""
    row = world.initial.one(
        "SELECT max(date(l.due_day, '+14 days')) AS day FROM loans l JOIN copies c ON c.id = l.copy_id JOIN titles t ON t.id = c.title_id"
        " WHERE l.member_id = 1 AND l.status = 'out'"
        " AND NOT EXISTS (SELECT 1 FROM holds h WHERE h.title_id = t.id AND h.status = 'waiting' AND h.member_id <> 1)"
        " AND NOT EXISTS (SELECT 1 FROM copies o WHERE o.title_id = t.id AND o.id <> l.copy_id AND o.status = 'lendable'"
        " AND NOT EXISTS (SELECT 1 FROM loans x WHERE x.copy_id = o.id AND x.status = 'out')"
        " AND NOT EXISTS (SELECT 1 FROM holds y WHERE y.copy_id = o.id AND y.status = 'ready'))"
    )
    return world.report.says("latest_new_due_day", row["day"])


def goal_says_to_bring_back(world) -> bool:
    """Names the games that were left as they are."""
    rows = world.initial.query(
        "SELECT t.name FROM loans l JOIN copies c ON c.id = l.copy_id JOIN titles t ON t.id = c.title_id"
        " WHERE l.member_id = 1 AND l.status = 'out'"
        " AND (EXISTS (SELECT 1 FROM holds h WHERE h.title_id = t.id AND h.status = 'waiting' AND h.member_id <> 1)"
        " OR EXISTS (SELECT 1 FROM copies o WHERE o.title_id = t.id AND o.id <> l.copy_id AND o.status = 'lendable'"
        " AND NOT EXISTS (SELECT 1 FROM loans x WHERE x.copy_id = o.id AND x.status = 'out')"
        " AND NOT EXISTS (SELECT 1 FROM holds y WHERE y.copy_id = o.id AND y.status = 'ready')))"
    )
    return world.report.says("to_bring_back", [row["name"] for row in rows])


def goal_says_last_evening_for_the_first(world) -> bool:
    """Says the last planned club evening up to the due day of the one that is due first of those left."""
    first = world.initial.one(
        "SELECT min(l.due_day) AS day FROM loans l JOIN copies c ON c.id = l.copy_id JOIN titles t ON t.id = c.title_id"
        " WHERE l.member_id = 1 AND l.status = 'out'"
        " AND (EXISTS (SELECT 1 FROM holds h WHERE h.title_id = t.id AND h.status = 'waiting' AND h.member_id <> 1)"
        " OR EXISTS (SELECT 1 FROM copies o WHERE o.title_id = t.id AND o.id <> l.copy_id AND o.status = 'lendable'"
        " AND NOT EXISTS (SELECT 1 FROM loans x WHERE x.copy_id = o.id AND x.status = 'out')"
        " AND NOT EXISTS (SELECT 1 FROM holds y WHERE y.copy_id = o.id AND y.status = 'ready')))"
    )
    row = world.initial.one(
        "SELECT max(substr(starts_at, 1, 10)) AS day FROM club_evenings"
        " WHERE status = 'planned' AND substr(starts_at, 1, 10) BETWEEN '2026-04-13' AND ?",
        (first["day"],),
    )
    return world.report.says("last_evening_for_the_first", row["day"])


def goal_renews_all_that_fit(world) -> bool:
    """Every game that fits was renewed once, by 14 days."""
    rows = world.initial.query(
        "SELECT l.id, date(l.due_day, '+14 days') AS day, l.renewals + 1 AS renewals FROM loans l JOIN copies c ON c.id = l.copy_id JOIN titles t ON t.id = c.title_id"
        " WHERE l.member_id = 1 AND l.status = 'out'"
        " AND NOT EXISTS (SELECT 1 FROM holds h WHERE h.title_id = t.id AND h.status = 'waiting' AND h.member_id <> 1)"
        " AND NOT EXISTS (SELECT 1 FROM copies o WHERE o.title_id = t.id AND o.id <> l.copy_id AND o.status = 'lendable'"
        " AND NOT EXISTS (SELECT 1 FROM loans x WHERE x.copy_id = o.id AND x.status = 'out')"
        " AND NOT EXISTS (SELECT 1 FROM holds y WHERE y.copy_id = o.id AND y.status = 'ready'))"
    )
    for row in rows:
        now = world.final.one("SELECT due_day, renewals FROM loans WHERE id = ?", (row["id"],))
        if now is None or now["due_day"] != row["day"] or now["renewals"] != row["renewals"]:
            return False
    return len(rows) > 0


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_those_loans_only(world) -> bool:
    """Changed nothing but the due day and the number of renewals of the loans that fit, by one renewal each."""
    rows = world.initial.query(
        "SELECT l.id, date(l.due_day, '+14 days') AS day, l.renewals + 1 AS renewals FROM loans l JOIN copies c ON c.id = l.copy_id JOIN titles t ON t.id = c.title_id"
        " WHERE l.member_id = 1 AND l.status = 'out'"
        " AND NOT EXISTS (SELECT 1 FROM holds h WHERE h.title_id = t.id AND h.status = 'waiting' AND h.member_id <> 1)"
        " AND NOT EXISTS (SELECT 1 FROM copies o WHERE o.title_id = t.id AND o.id <> l.copy_id AND o.status = 'lendable'"
        " AND NOT EXISTS (SELECT 1 FROM loans x WHERE x.copy_id = o.id AND x.status = 'out')"
        " AND NOT EXISTS (SELECT 1 FROM holds y WHERE y.copy_id = o.id AND y.status = 'ready'))"
    )
    wanted = {row["id"]: row for row in rows}
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] != "loans" or before is None or after is None or after["id"] not in wanted:
            return False
        row = wanted[after["id"]]
        if after["due_day"] != row["day"] or after["renewals"] != row["renewals"]:
            return False
        if any(before[c] != after[c] for c in before if c not in ("due_day", "renewals")):
            return False
    return True
