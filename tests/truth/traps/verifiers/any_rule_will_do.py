def goal_refuses_it(world) -> bool:
    """Reports that a rule forbids it."""
    return world.report.outcome == "refused"


def guard_reports_a_refusal(world) -> bool:
    """Reports that it is refused."""
    return world.report.outcome in (None, "refused")


def guard_changes_nothing(world) -> bool:
    """Left every row as it was."""
    return world.changes == []
