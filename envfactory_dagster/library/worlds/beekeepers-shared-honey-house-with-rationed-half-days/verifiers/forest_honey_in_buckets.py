def goal_refuses_for_that_rule(world) -> bool:
    """Refuses to draw forest honey from T4 into buckets for the rule jars_only_tank."""
    return world.report.outcome == "refused" and world.report.reason == "jars_only_tank"


def guard_reports_it_as_refused(world) -> bool:
    """Reports nothing but a refusal."""
    return world.report.outcome in (None, "refused")


def guard_names_no_other_rule(world) -> bool:
    """Gives no other rule as the reason."""
    return world.report.reason in (None, "jars_only_tank") and (world.report.outcome is None or world.report.reason is not None)


def guard_changes_nothing(world) -> bool:
    """Changed nothing at all."""
    return world.changes == []
