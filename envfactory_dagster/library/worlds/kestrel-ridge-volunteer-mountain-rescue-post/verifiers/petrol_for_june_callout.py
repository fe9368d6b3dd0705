def goal_refuses_because_of_the_claim_window(world) -> bool:
    """Reports that it is refused because the callout ended more than 60 days ago."""
    return world.report.outcome == "refused" and world.report.reason == "expense_claim_window"


def guard_changes_nothing(world) -> bool:
    """Changed no row."""
    return world.changes == []
