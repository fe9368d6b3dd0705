RULE = "sixty_days_abroad_a_year"


def goal_refuses_because_of_the_sixty_days(world) -> bool:
    """Reports that the rule of 60 days abroad a year forbids it."""
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
