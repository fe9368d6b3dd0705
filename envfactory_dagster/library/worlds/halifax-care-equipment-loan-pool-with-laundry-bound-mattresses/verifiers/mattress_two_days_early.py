def goal_is_refused_by_the_rule(world) -> bool:
    """Reports that it is refused: the mattress has not had its 5 full laundry working days by then."""
    return world.report.outcome == "refused" and world.report.reason == "five_laundry_days"


def guard_reports_it_as_refused(world) -> bool:
    """Reports nothing but the refusal with its rule."""
    return world.report.outcome in (None, "refused") and world.report.reason in (None, "five_laundry_days")


def guard_changes_nothing(world) -> bool:
    """Changed nothing."""
    return len(world.changes) == 0
