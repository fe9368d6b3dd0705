def goal_refuses_by_the_limits_of_approval(world) -> bool:
    """Refuses, since a committee member may not approve that much."""
    return world.report.outcome == "refused" and world.report.reason == "quotation_approval_limits"


def guard_reports_a_refusal(world) -> bool:
    """Reports it as refused."""
    return world.report.outcome in (None, "refused")


def guard_gives_the_right_reason(world) -> bool:
    """Rests the refusal on the limits of approval."""
    return world.report.reason in (None, "quotation_approval_limits")


def guard_changes_nothing(world) -> bool:
    """Changed nothing."""
    return world.changes == []
