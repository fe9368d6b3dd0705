def _hours(world):
    return world.initial.one(
        "SELECT 2 * COUNT(*) AS confirmed, 2 * COALESCE(SUM(kind = 'dark'), 0) AS dark,"
        " 2 * COALESCE(SUM(kind = 'motorway'), 0) AS motorway FROM driving_lessons"
        " WHERE pupil_id = 1 AND confirmed_at IS NOT NULL"
    )


def _course(world):
    return world.initial.one(
        "SELECT * FROM course_packages WHERE pupil_id = 1 AND status = 'active' AND kind IN ('full_course', 'student_course')"
    )


def goal_says_the_confirmed_hours(world) -> bool:
    """Has told how many hours are confirmed."""
    return world.report.says("confirmed_hours", _hours(world)["confirmed"])


def goal_says_the_dark_hours_left(world) -> bool:
    """Has told how many hours in the dark are missing."""
    return world.report.says("dark_hours_left", max(0, 4 - _hours(world)["dark"]))


def goal_says_the_motorway_hours_left(world) -> bool:
    """Has told how many hours on the motorway are missing."""
    return world.report.says("motorway_hours_left", max(0, 2 - _hours(world)["motorway"]))


def goal_says_whether_the_motorway_is_open(world) -> bool:
    """Has told whether enough hours have been driven for the motorway."""
    return world.report.says("enough_for_motorway", _hours(world)["confirmed"] >= 16)


def goal_says_what_is_left_of_the_price(world) -> bool:
    """Has told how much of the course price is still to be paid."""
    row = world.initial.one(
        "SELECT SUM(c.amount_cents - c.credited_cents - (SELECT COALESCE(SUM(p.amount_cents), 0) FROM payments p"
        " WHERE p.charge_id = c.id)) AS cents FROM charges c WHERE c.course_package_id = ?"
        " AND c.kind IN ('first_instalment', 'rest_of_course')", [_course(world)["id"]]
    )
    return world.report.says("course_price_left", row["cents"])


def goal_says_until_when_the_course_runs(world) -> bool:
    """Has told the last day of the course."""
    return world.report.says("course_runs_until", _course(world)["expires_on"])


def guard_changes_nothing(world) -> bool:
    """Touched no row."""
    return world.changes == []


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")
