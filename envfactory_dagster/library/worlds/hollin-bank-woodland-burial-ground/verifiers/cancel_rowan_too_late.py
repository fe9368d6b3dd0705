def goal_refuses_by_the_rule(world) -> bool:
    """Has said that the order can't be cancelled, as it is past the deadline of 21 days before planting."""
    return world.report.outcome == "refused" and world.report.reason == "tree_order_deadline"


def guard_reports_nothing_but_the_refusal(world) -> bool:
    """Reports no other outcome and no other rule."""
    return world.report.outcome is None or (
        world.report.outcome == "refused" and world.report.reason == "tree_order_deadline"
    )


def guard_changes_nothing(world) -> bool:
    """Touched no row."""
    return world.changes == []
