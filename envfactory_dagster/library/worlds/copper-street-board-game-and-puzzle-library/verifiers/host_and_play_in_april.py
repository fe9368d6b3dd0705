def goal_hosts_an_evening_that_needed_a_host(world) -> bool:
    """The user is signed up as host of one planned evening from 16 to 30 April 2026 that had no host."""
    rows = world.final.query(
        "SELECT e.id FROM hosting_turns h JOIN club_evenings e ON e.id = h.club_evening_id"
        " WHERE h.member_id = 1 AND h.status = 'signed_up' AND e.status = 'planned'"
        " AND substr(e.starts_at, 1, 10) BETWEEN ? AND ?",
        ["2026-04-16", "2026-04-30"],
    )
    if len(rows) != 1:
        return False
    hosts = world.initial.one(
        "SELECT count(*) AS n FROM hosting_turns WHERE club_evening_id = ? AND status IN ('signed_up', 'carried_out')",
        [rows[0]["id"]],
    )
    return hosts["n"] == 0


def goal_has_the_smallest_table_for_five_on_another_evening(world) -> bool:
    """The user has one booking for five in those days, on an evening they do not host, at the smallest free table with at least five seats."""
    rows = world.final.query(
        "SELECT b.club_evening_id, b.play_table_id, b.people, t.seats FROM table_bookings b"
        " JOIN club_evenings e ON e.id = b.club_evening_id JOIN play_tables t ON t.id = b.play_table_id"
        " WHERE b.member_id = 1 AND b.status = 'booked' AND e.status = 'planned'"
        " AND substr(e.starts_at, 1, 10) BETWEEN ? AND ?",
        ["2026-04-16", "2026-04-30"],
    )
    if len(rows) != 1 or rows[0]["people"] != 5 or rows[0]["seats"] < 5:
        return False
    hosted = world.final.one(
        "SELECT count(*) AS n FROM hosting_turns WHERE member_id = 1 AND status = 'signed_up' AND club_evening_id = ?",
        [rows[0]["club_evening_id"]],
    )
    smaller = world.initial.one(
        "SELECT count(*) AS n FROM play_tables t WHERE t.seats >= 5 AND t.seats < ? AND NOT EXISTS ("
        "SELECT 1 FROM table_bookings b WHERE b.play_table_id = t.id AND b.club_evening_id = ?"
        " AND b.status IN ('booked', 'kept', 'missed'))",
        [rows[0]["seats"], rows[0]["club_evening_id"]],
    )
    return hosted["n"] == 0 and smaller["n"] == 0


def guard_changes_nothing_else(world) -> bool:
    """Touched no row but one new hosting turn and one new table booking of the user, both in those days."""
    evenings = {
        row["id"]
        for row in world.initial.query(
            "SELECT id FROM club_evenings WHERE substr(starts_at, 1, 10) BETWEEN ? AND ?", ["2026-04-16", "2026-04-30"]
        )
    }
    states = {"hosting_turns": "signed_up", "table_bookings": "booked"}
    tables = [change["table"] for change in world.changes]
    return len(tables) == len(set(tables)) and all(
        change["table"] in states
        and change["before"] is None
        and change["after"]["member_id"] == 1
        and change["after"]["status"] == states[change["table"]]
        and change["after"]["club_evening_id"] in evenings
        for change in world.changes
    )


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None
