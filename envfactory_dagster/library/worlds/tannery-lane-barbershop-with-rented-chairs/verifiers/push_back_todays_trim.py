def goal_refuses_the_late_move(world) -> bool:
    """Refuses, because an appointment may be moved only until 4 hours before its start."""
    return world.report.outcome == "refused" and world.report.reason == "change_notice"


def guard_changes_nothing(world) -> bool:
    """Changed no row."""
    return world.changes == []
