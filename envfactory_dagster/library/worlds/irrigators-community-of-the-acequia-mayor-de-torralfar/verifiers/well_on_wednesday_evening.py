def goal_refuses_by_the_rule(world) -> bool:
    """Refuses, because the hours fall in the member's own turn."""
    return world.report.outcome == "refused" and world.report.reason == "well_hours_and_place"


def guard_reports_it_as_refused(world) -> bool:
    """Reports that it was refused."""
    return world.report.outcome in (None, "refused")


def guard_gives_that_rule_as_reason(world) -> bool:
    """Gives the rule that forbids it as the reason."""
    return world.report.reason in (None, "well_hours_and_place")


def guard_changes_nothing(world) -> bool:
    """Changed nothing."""
    return world.changes == []
