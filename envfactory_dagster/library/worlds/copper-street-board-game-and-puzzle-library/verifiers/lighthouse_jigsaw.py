def goal_refuses_it_by_the_rule(world) -> bool:
    """Refuses to borrow the jigsaw and names the rule."""
    return world.report.outcome == "refused" and world.report.reason == "jigsaw_short_returns"


def guard_reports_no_other_outcome(world) -> bool:
    """Reports no other outcome and no other reason."""
    return world.report.outcome in (None, "refused") and world.report.reason in (None, "jigsaw_short_returns")


def guard_changes_nothing(world) -> bool:
    """Changed no row."""
    return world.changes == []
