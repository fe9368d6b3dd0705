def goal_hosts_an_evening_in_the_two_weeks(world) -> bool:
    """Is signed up as host of one planned evening from 16 to 30 April 2026 that had no host."""
    rows = world.final.query(
        "SELECT h.club_evening_id FROM hosting_turns h JOIN club_evenings e ON e.id = h.club_evening_id"
        " WHERE h.member_id = 1 AND h.status = 'signed_up' AND e.status = 'planned'"
        " AND e.starts_at >= ? AND e.starts_at < ?",
        ["2026-04-16T00:00:00", "2026-05-01T00:00:00"],
    )
    if len(rows) != 1:
        return False
    taken = world.initial.one(
        "SELECT count(*) AS n FROM hosting_turns WHERE club_evening_id = ? AND status IN ('signed_up', 'carried_out')",
        [rows[0]["club_evening_id"]],
    )
    return taken["n"] == 0


def goal_has_a_table_for_five_on_another_evening(world) -> bool:
    """Has one table of at least five seats booked for five in the two weeks, on an evening the user does not host."""
    rows = world.final.query(
        "SELECT b.people, p.seats, (SELECT count(*) FROM hosting_turns h WHERE h.member_id = 1"
        " AND h.status = 'signed_up' AND h.club_evening_id = b.club_evening_id) AS hosted"
        " FROM table_bookings b JOIN club_evenings e ON e.id = b.club_evening_id"
        " JOIN play_tables p ON p.id = b.play_table_id"
        " WHERE b.member_id = 1 AND b.status = 'booked' AND e.status = 'planned'"
        " AND e.starts_at >= ? AND e.starts_at < ?",
        ["2026-04-16T00:00:00", "2026-05-01T00:00:00"],
    )
    return len(rows) == 1 and rows[0]["people"] == 5 and rows[0]["seats"] >= 5 and rows[0]["hosted"] == 0


def goal_takes_the_smallest_table_that_does(world) -> bool:
    """The booked table has the fewest seats of those with at least five that were free on that evening."""
    rows = world.final.query(
        "SELECT b.club_evening_id, p.seats FROM table_bookings b JOIN club_evenings e ON e.id = b.club_evening_id"
        " JOIN play_tables p ON p.id = b.play_table_id"
        " WHERE b.member_id = 1 AND b.status = 'booked' AND e.status = 'planned'"
        " AND e.starts_at >= ? AND e.starts_at < ?",
        ["2026-04-16T00:00:00", "2026-05-01T00:00:00"],
    )
    if len(rows) != 1:
        return False
    best = world.initial.one(
        "SELECT min(p.seats) AS seats FROM play_tables p WHERE p.seats >= 5 AND NOT EXISTS ("
        "SELECT 1 FROM table_bookings b WHERE b.play_table_id = p.id AND b.club_evening_id = ?"
        " AND b.status IN ('booked', 'kept', 'missed'))",
        [rows[0]["club_evening_id"]],
    )
    return rows[0]["seats"] == best["seats"]


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, and names no rule as a reason."""
    return world.report.outcome in (None, "done") and not world.report.reason


def guard_changes_nothing_else(world) -> bool:
    """Touched no row but one new hosting turn and one new table booking of the user."""
    tables = [change["table"] for change in world.changes]
    return (
        tables.count("hosting_turns") <= 1
        and tables.count("table_bookings") <= 1
        and all(
            change["table"] in ("hosting_turns", "table_bookings")
            and change["before"] is None
            and change["after"] is not None
            and change["after"]["member_id"] == 1
            for change in world.changes
        )
    )
