def _free_times(world):
    return world.initial.query(
        "SELECT b.name AS name,"
        " CAST(round((julianday(r.ends_at) - julianday(r.starts_at)) * 1440) AS INTEGER)"
        " - COALESCE((SELECT SUM(CAST(round((julianday(a.ends_at) - julianday(a.starts_at)) * 1440) AS INTEGER))"
        " FROM appointments a WHERE a.chair_rental_id = r.id AND a.status IN ('booked', 'confirmed')), 0) AS free"
        " FROM chair_rentals r JOIN barbers b ON b.id = r.barber_id"
        " WHERE r.day = '2026-10-06' AND r.half = 'morning' AND r.status = 'active'"
        " ORDER BY free"
    )


def goal_says_how_many_work(world) -> bool:
    """Says how many barbers work on the morning of 6 October."""
    return world.report.says("barbers_working", len(_free_times(world)))


def goal_says_who_has_most_free_time(world) -> bool:
    """Says which barber has the most free time that morning."""
    return world.report.says("most_free_barber", _free_times(world)[-1]["name"])


def goal_says_most_free_time(world) -> bool:
    """Says how much free time the barber with the most of it has."""
    return world.report.says("most_free_time", _free_times(world)[-1]["free"])


def goal_says_who_has_least_free_time(world) -> bool:
    """Says which barber of those working has the least free time that morning."""
    return world.report.says("least_free_barber", _free_times(world)[0]["name"])


def goal_says_least_free_time(world) -> bool:
    """Says how much free time the barber with the least of it has."""
    return world.report.says("least_free_time", _free_times(world)[0]["free"])


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing(world) -> bool:
    """Changed nothing at all, as only an answer is wanted."""
    return len(world.changes) == 0
