def goal_refuses_by_the_driver_rule(world) -> bool:
    """Has refused it because Tor's course is not less than 24 months old on 24 April."""
    return world.report.outcome == "refused" and world.report.reason == "snowmobile_driver_and_notice"


def guard_outcome_is_refused(world) -> bool:
    """Reports that it is refused."""
    return world.report.outcome in (None, "refused")


def guard_reason_is_the_driver_rule(world) -> bool:
    """Gives the rule on drivers and notice as the reason."""
    return world.report.outcome is None or world.report.reason == "snowmobile_driver_and_notice"


def guard_changes_nothing(world) -> bool:
    """Changed nothing at all: no snowmobile, no other driver, no other day."""
    return world.changes == []
