def goal_refuses_the_dispute(world) -> bool:
    """Says that it cannot be done, because the finding was recorded more than 30 days ago."""
    return world.report.outcome == "refused" and world.report.reason == "dispute_window"


def guard_changes_nothing(world) -> bool:
    """Changed no row at all."""
    return world.changes == []
