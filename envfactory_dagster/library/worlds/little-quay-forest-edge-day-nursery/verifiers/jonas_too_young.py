def goal_refuses_by_the_rule(world) -> bool:
    """Refuses the place for Jonas because he is not yet 24 months old on the date of the outing."""
    return world.report.outcome == "refused" and world.report.reason == "outing_minimum_age"


def guard_changes_nothing(world) -> bool:
    """Changed no row at all."""
    return world.changes == []
