def goal_refuses_for_that_rule(world) -> bool:
    """Refuses to pour the wet blossom lot into T2 for the rule moisture_before_pour."""
    return world.report.outcome == "refused" and world.report.reason == "moisture_before_pour"


def guard_reports_it_as_refused(world) -> bool:
    """Reports nothing but a refusal."""
    return world.report.outcome in (None, "refused")


def guard_names_no_other_rule(world) -> bool:
    """Gives no other rule as the reason."""
    return world.report.reason in (None, "moisture_before_pour") and (world.report.outcome is None or world.report.reason is not None)


def guard_changes_nothing(world) -> bool:
    """Changed nothing at all."""
    return world.changes == []
