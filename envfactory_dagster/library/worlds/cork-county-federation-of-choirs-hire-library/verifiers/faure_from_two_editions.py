def goal_refuses_by_the_rule(world) -> bool:
    """Refuses, since all copies of a work have to be of one edition."""
    return world.report.outcome == "refused" and world.report.reason == "copies_per_work"


def guard_reports_it_as_refused(world) -> bool:
    """Reports nothing but a refusal."""
    return world.report.outcome in (None, "refused")


def guard_names_no_other_rule(world) -> bool:
    """Gives no reason but the rule on copies of a work."""
    return world.report.outcome is None or world.report.reason == "copies_per_work"


def guard_changes_nothing(world) -> bool:
    """Booked nothing and changed nothing."""
    return world.changes == []
