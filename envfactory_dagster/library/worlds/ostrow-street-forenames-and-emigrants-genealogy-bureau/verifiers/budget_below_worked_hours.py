def goal_refuses_the_budget(world) -> bool:
    """Says that it cannot be done, because a budget has to be at least the hours worked plus 2."""
    return world.report.outcome == "refused" and world.report.reason == "budget_floor_and_ceiling"


def guard_changes_nothing(world) -> bool:
    """Changed no row at all."""
    return world.changes == []
