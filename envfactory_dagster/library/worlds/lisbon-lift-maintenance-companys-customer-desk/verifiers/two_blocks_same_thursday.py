def goal_refuses_by_the_rule_of_one_lift_a_day(world) -> bool:
    """Refuses, since another lift of the building has planned work on that day."""
    return world.report.outcome == "refused" and world.report.reason == "one_lift_a_day"


def guard_reports_a_refusal(world) -> bool:
    """Reports it as refused."""
    return world.report.outcome in (None, "refused")


def guard_gives_the_right_reason(world) -> bool:
    """Rests the refusal on the rule of one lift a day."""
    return world.report.reason in (None, "one_lift_a_day")


def guard_changes_nothing(world) -> bool:
    """Changed nothing."""
    return world.changes == []
