def goal_refuses_by_the_rule(world) -> bool:
    """Has reported that the absence cannot be withdrawn because a guest stay is booked in the berth."""
    return world.report.outcome == "refused" and world.report.reason == "absence_withdrawal_let"


def guard_reports_it_as_refused(world) -> bool:
    """Reports no other outcome than a refusal and no other rule."""
    return world.report.outcome in (None, "refused") and world.report.reason in (None, "absence_withdrawal_let")


def guard_changes_nothing(world) -> bool:
    """Touched no row."""
    return len(world.changes) == 0
