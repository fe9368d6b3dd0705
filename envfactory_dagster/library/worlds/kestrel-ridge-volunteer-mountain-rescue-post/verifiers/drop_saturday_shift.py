def goal_refuses_because_of_the_notice(world) -> bool:
    """Reports that it is refused because a place can be given up only until 72 hours before the shift."""
    return world.report.outcome == "refused" and world.report.reason == "shift_give_up_notice"


def guard_changes_nothing(world) -> bool:
    """Changed no row."""
    return world.changes == []
