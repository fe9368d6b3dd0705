def goal_refuses_a_third_open_appointment(world) -> bool:
    """Refuses, because at most 2 appointments may be open at a time."""
    return world.report.outcome == "refused" and world.report.reason == "max_open_appointments"


def guard_changes_nothing(world) -> bool:
    """Changed no row."""
    return world.changes == []
