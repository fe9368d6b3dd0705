def goal_refused_for_the_third_breakdown(world) -> bool:
    """Says that a third van breakdown of the year cannot be excused."""
    return world.report.outcome == "refused" and world.report.reason == "breakdown_excuses_2_a_year"


def guard_refuses_by_that_rule(world) -> bool:
    """Reports a refusal by that rule and no other outcome."""
    return world.report.outcome is None or (world.report.outcome == "refused" and world.report.reason == "breakdown_excuses_2_a_year")


def guard_changes_nothing(world) -> bool:
    """Changed nothing."""
    return world.changes == []
