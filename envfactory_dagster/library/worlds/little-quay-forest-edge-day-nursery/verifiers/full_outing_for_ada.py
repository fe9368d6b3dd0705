def goal_refuses_by_the_rule(world) -> bool:
    """Refuses the place for Ada because the outing has no more than 4 places for each staff member."""
    return world.report.outcome == "refused" and world.report.reason == "outing_staff_ratio"


def guard_changes_nothing(world) -> bool:
    """Changed no row at all."""
    return world.changes == []
