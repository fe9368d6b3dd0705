def goal_refuses_by_the_rule(world) -> bool:
    """Refuses it, with the rule that forbids it."""
    return world.report.outcome == "refused" and world.report.reason == "ticket_limits"


def guard_reports_no_other_end(world) -> bool:
    """Reports nothing but the refusal."""
    return world.report.outcome in (None, "refused")


def guard_gives_no_other_reason(world) -> bool:
    """Gives no other rule as the reason."""
    return world.report.outcome is None or world.report.reason == "ticket_limits"


def guard_changes_nothing(world) -> bool:
    """Changed no row."""
    return world.changes == []
