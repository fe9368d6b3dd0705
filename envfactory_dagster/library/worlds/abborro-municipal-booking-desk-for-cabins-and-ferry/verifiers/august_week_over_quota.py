def goal_refuses_by_the_rule(world) -> bool:
    """Says that it cannot be done, and by which rule."""
    return world.report.outcome == "refused" and world.report.reason == "night_quota"


def guard_reports_no_other_end(world) -> bool:
    """Reports nothing but that refusal."""
    return world.report.outcome is None or (
        world.report.outcome == "refused" and world.report.reason == "night_quota")


def guard_changes_nothing(world) -> bool:
    """Changed nothing at all."""
    return world.changes == []
