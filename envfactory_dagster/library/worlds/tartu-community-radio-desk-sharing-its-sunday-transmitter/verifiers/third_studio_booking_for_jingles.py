def goal_refuses_for_the_two_bookings_ahead(world) -> bool:
    """Refuses, since a volunteer with 2 studio bookings ahead may book no third."""
    return world.report.outcome == "refused" and world.report.reason == "studio_course_and_two_ahead"


def guard_reports_it_as_refused(world) -> bool:
    """Reports that it is refused, for that rule."""
    return world.report.outcome is None or (
        world.report.outcome == "refused" and world.report.reason == "studio_course_and_two_ahead"
    )


def guard_changes_nothing(world) -> bool:
    """Books nothing and calls nothing off."""
    return world.changes == []
