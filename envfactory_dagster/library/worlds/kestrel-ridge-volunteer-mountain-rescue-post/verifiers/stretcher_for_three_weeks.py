def goal_refuses_because_of_the_loan_limits(world) -> bool:
    """Reports that it is refused because kit can be borrowed for at most 14 days."""
    return world.report.outcome == "refused" and world.report.reason == "kit_loan_limits"


def guard_changes_nothing(world) -> bool:
    """Changed no row."""
    return world.changes == []
