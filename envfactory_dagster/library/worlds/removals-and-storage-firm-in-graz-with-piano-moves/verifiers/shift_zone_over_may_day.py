def goal_refuses_by_the_rule(world) -> bool:
    """Reports that it is refused, because of the rule."""
    return world.report.outcome == "refused" and world.report.reason == "zone_lead_time"


def guard_reports_no_other_outcome(world) -> bool:
    """Reports nothing but a refusal."""
    return world.report.outcome in (None, "refused")


def guard_names_no_other_rule(world) -> bool:
    """Names no other rule."""
    return world.report.outcome is None or world.report.reason == "zone_lead_time"


def guard_changes_nothing(world) -> bool:
    """Changed nothing at all."""
    return world.changes == []
