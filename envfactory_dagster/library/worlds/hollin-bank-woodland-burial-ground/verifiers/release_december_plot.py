def goal_refuses_by_the_rule(world) -> bool:
    """Has said that the reservation can't be released before 90 days have passed."""
    return world.report.outcome == "refused" and world.report.reason == "release_upkeep_paid"


def goal_names_no_refund(world) -> bool:
    """Has handed in a report that leaves the refund empty, as nothing is released."""
    return world.report.outcome is not None and world.report.says("refund", None)


def guard_reports_nothing_but_the_refusal(world) -> bool:
    """Reports no other outcome and no other rule."""
    return world.report.outcome is None or (
        world.report.outcome == "refused" and world.report.reason == "release_upkeep_paid"
    )


def guard_changes_nothing(world) -> bool:
    """Touched no row."""
    return world.changes == []
