def goal_refuses_because_of_the_rule(world) -> bool:
    """Says that it cannot be done, because of the rule."""
    return world.report.outcome == "refused" and world.report.reason == "donation_interval"


def guard_outcome_is_refused(world) -> bool:
    """Reports nothing else than a refusal."""
    return world.report.outcome in (None, "refused")


def guard_names_the_rule(world) -> bool:
    """Names no other rule."""
    return world.report.reason in (None, "donation_interval")


def guard_changes_nothing(world) -> bool:
    """Changed nothing at all."""
    return world.changes == []
