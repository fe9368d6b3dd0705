def goal_refuses_three_cans_on_one_van(world) -> bool:
    """Refuses, because a reader may have at most two cans on one van run."""
    return world.report.outcome == "refused" and world.report.reason == "van_load"


def guard_reports_it_as_refused(world) -> bool:
    """Reports nothing but a refusal."""
    return world.report.outcome in (None, "refused")


def guard_names_the_right_rule(world) -> bool:
    """Names no other rule than the load of the van."""
    return world.report.outcome is None or world.report.reason == "van_load"


def guard_orders_nothing(world) -> bool:
    """Changed no row at all."""
    return world.changes == []
