def goal_refuses_by_the_rule(world) -> bool:
    """Refuses, since the choir owes more than 50 euros."""
    return world.report.outcome == "refused" and world.report.reason == "no_loan_over_debt"


def guard_reports_it_as_refused(world) -> bool:
    """Reports nothing but a refusal."""
    return world.report.outcome in (None, "refused")


def guard_names_no_other_rule(world) -> bool:
    """Gives no reason but that rule."""
    return world.report.outcome is None or world.report.reason == "no_loan_over_debt"


def guard_changes_nothing(world) -> bool:
    """Changed nothing."""
    return world.changes == []
