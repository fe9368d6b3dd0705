def goal_refused_because_the_sum_is_paid(world) -> bool:
    """Says that no defence can be sent once the reduced sum has been paid."""
    return world.report.outcome == "refused" and world.report.reason == "defence_within_30_days_unpaid"


def guard_refuses_by_that_rule(world) -> bool:
    """Reports a refusal by that rule and no other outcome."""
    return world.report.outcome is None or (world.report.outcome == "refused" and world.report.reason == "defence_within_30_days_unpaid")


def guard_changes_nothing(world) -> bool:
    """Changed nothing."""
    return world.changes == []
