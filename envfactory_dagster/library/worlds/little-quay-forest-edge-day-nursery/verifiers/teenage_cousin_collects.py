def goal_refuses_by_the_rule(world) -> bool:
    """Refuses the permission for Felix Vane because he is not yet 16 on its first day."""
    return world.report.outcome == "refused" and world.report.reason == "collector_age_and_number"


def guard_changes_nothing(world) -> bool:
    """Changed no row at all."""
    return world.changes == []
