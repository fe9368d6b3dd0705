def goal_refuses_by_the_rule(world) -> bool:
    """Has refused it, because young trees may be reserved from 1 March to 30 June 2026 only."""
    return world.report.outcome == "refused" and world.report.reason == "reservation_window_and_limit"


def guard_reports_a_refusal(world) -> bool:
    """Reports nothing but a refusal."""
    return world.report.outcome in (None, "refused")


def guard_gives_that_rule_as_the_reason(world) -> bool:
    """Gives no other rule as the reason."""
    return world.report.outcome is None or world.report.reason == "reservation_window_and_limit"


def guard_changes_nothing(world) -> bool:
    """Changed nothing."""
    return len(world.changes) == 0
