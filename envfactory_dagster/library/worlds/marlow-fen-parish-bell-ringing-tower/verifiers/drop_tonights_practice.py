def goal_refuses_by_the_rule(world) -> bool:
    """Refuses, since a place can be given up only until 24 hours before the session starts."""
    return world.report.outcome == "refused" and world.report.reason == "give_up_place_notice"


def guard_reports_no_other_outcome(world) -> bool:
    """Reports nothing but the refusal."""
    return world.report.outcome in (None, "refused")


def guard_names_no_other_rule(world) -> bool:
    """Names no other rule as the reason."""
    return world.report.reason in (None, "give_up_place_notice")


def guard_changes_nothing(world) -> bool:
    """Changed no row."""
    return world.changes == []
