def goal_refuses_for_the_rule(world) -> bool:
    """Refuses it and names the rule that forbids it."""
    return world.report.outcome == "refused" and world.report.reason == "van_list_cut_off"


def guard_reports_it_as_refused(world) -> bool:
    """Reports that it is refused."""
    return world.report.outcome in (None, "refused")


def guard_names_the_right_rule(world) -> bool:
    """Names no other rule."""
    return world.report.outcome is None or world.report.reason == "van_list_cut_off"


def guard_changes_nothing(world) -> bool:
    """Changed nothing."""
    return world.changes == []
