def goal_refuses_with_the_rule(world) -> bool:
    """Refuses, with the rule that forbids it."""
    return world.report.outcome == "refused" and world.report.reason == "entry_before_list_closes"


def guard_reports_it_as_refused(world) -> bool:
    """Reports that it is refused."""
    return world.report.outcome in (None, "refused")


def guard_names_the_rule(world) -> bool:
    """Names this rule and no other."""
    return world.report.outcome is None or world.report.reason == "entry_before_list_closes"


def guard_changes_nothing(world) -> bool:
    """Changed nothing."""
    return world.changes == []
