def evenings_with_room(world):
    return world.initial.query(
        "SELECT substr(e.starts_at, 1, 10) AS day, EXISTS (SELECT 1 FROM hosting_turns h"
        " WHERE h.club_evening_id = e.id AND h.status IN ('signed_up', 'carried_out')) AS hosted"
        " FROM club_evenings e WHERE e.status = 'planned' AND substr(e.starts_at, 1, 10) BETWEEN ? AND ?"
        " AND EXISTS (SELECT 1 FROM play_tables t WHERE t.seats >= 6 AND NOT EXISTS (SELECT 1 FROM table_bookings b"
        " WHERE b.club_evening_id = e.id AND b.play_table_id = t.id AND b.status IN ('booked', 'kept', 'missed')))"
        " ORDER BY e.starts_at",
        ["2026-11-09", "2026-11-30"],
    )


def free_tables(world):
    return world.initial.query(
        "SELECT substr(e.starts_at, 1, 10) AS day, t.name FROM club_evenings e JOIN play_tables t ON t.seats >= 6"
        " WHERE e.status = 'planned' AND substr(e.starts_at, 1, 10) BETWEEN ? AND ?"
        " AND NOT EXISTS (SELECT 1 FROM table_bookings b WHERE b.club_evening_id = e.id AND b.play_table_id = t.id"
        " AND b.status IN ('booked', 'kept', 'missed'))"
        " ORDER BY e.starts_at, t.name",
        ["2026-11-09", "2026-11-30"],
    )


def goal_names_the_evenings(world) -> bool:
    """Has named the evenings with a free table for six or more."""
    return world.report.says("evenings", [row["day"] for row in evenings_with_room(world)])


def goal_says_whether_each_has_a_host(world) -> bool:
    """Has told for each of these evenings whether it has a host."""
    return world.report.says("has_host", [bool(row["hosted"]) for row in evenings_with_room(world)])


def goal_names_the_free_tables(world) -> bool:
    """Has named the free tables for six or more, evening by evening."""
    return world.report.says("free_tables", [row["name"] for row in free_tables(world)])


def goal_says_on_which_days_the_tables_are_free(world) -> bool:
    """Has told to which evening each free table belongs."""
    return world.report.says("free_table_days", [row["day"] for row in free_tables(world)])


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None


def guard_changes_nothing(world) -> bool:
    """Changed no row."""
    return world.changes == []
