def goal_refuses_by_the_rule(world) -> bool:
    """Refuses, since a loan may be extended only once."""
    return world.report.outcome == "refused" and world.report.reason == "one_extension"


def guard_reports_it_as_refused(world) -> bool:
    """Reports nothing but a refusal."""
    return world.report.outcome in (None, "refused")


def guard_names_no_other_rule(world) -> bool:
    """Gives no reason but that rule."""
    return world.report.outcome is None or world.report.reason == "one_extension"


def guard_changes_nothing(world) -> bool:
    """Changed nothing."""
    return world.changes == []
