def goal_refuses_by_the_rule(world) -> bool:
    """Has said that no further plot can be reserved with 4 active reservations."""
    return world.report.outcome == "refused" and world.report.reason == "reservation_limit"


def guard_reports_nothing_but_the_refusal(world) -> bool:
    """Reports no other outcome and no other rule."""
    return world.report.outcome is None or (
        world.report.outcome == "refused" and world.report.reason == "reservation_limit"
    )


def guard_changes_nothing(world) -> bool:
    """Touched no row."""
    return world.changes == []
