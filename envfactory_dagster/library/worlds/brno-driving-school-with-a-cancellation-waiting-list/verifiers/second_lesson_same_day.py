def goal_refuses_for_the_right_reason(world) -> bool:
    """Reports that the rule forbids it."""
    return world.report.outcome == "refused" and world.report.reason == "lessons_per_week"


def guard_reports_a_refusal(world) -> bool:
    """Reports no other outcome than a refusal."""
    return world.report.outcome in (None, "refused")


def guard_gives_no_other_reason(world) -> bool:
    """Names no other rule as the reason."""
    return world.report.outcome is None or world.report.reason == "lessons_per_week"


def guard_changes_nothing(world) -> bool:
    """Touched no row."""
    return world.changes == []
