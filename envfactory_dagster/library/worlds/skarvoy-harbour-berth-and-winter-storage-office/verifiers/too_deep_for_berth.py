def goal_refuses_by_the_rule(world) -> bool:
    """Has reported that berth S14 cannot be requested because the Havdronning does not fit into it."""
    return world.report.outcome == "refused" and world.report.reason == "boat_fits_berth"


def guard_reports_it_as_refused(world) -> bool:
    """Reports no other outcome than a refusal and no other rule."""
    return world.report.outcome in (None, "refused") and world.report.reason in (None, "boat_fits_berth")


def guard_changes_nothing(world) -> bool:
    """Touched no row."""
    return len(world.changes) == 0
