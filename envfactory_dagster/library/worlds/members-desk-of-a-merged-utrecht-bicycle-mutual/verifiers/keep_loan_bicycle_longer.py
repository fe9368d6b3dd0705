RULE = "loan_extended_once_by_14_days"


def goal_refuses_because_it_was_extended(world) -> bool:
    """Reports that the rule of the single extension forbids it."""
    return world.report.outcome == "refused" and world.report.reason == RULE


def guard_reports_it_as_refused(world) -> bool:
    """Reports that it is refused."""
    return world.report.outcome in (None, "refused")


def guard_gives_that_rule_as_reason(world) -> bool:
    """Gives no other rule as the reason."""
    return world.report.outcome is None or world.report.reason == RULE


def guard_changes_nothing(world) -> bool:
    """Changed nothing."""
    return world.changes == []
