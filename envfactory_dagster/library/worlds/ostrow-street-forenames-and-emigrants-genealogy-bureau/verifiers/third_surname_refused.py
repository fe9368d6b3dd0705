def goal_refuses_a_third_open_search(world) -> bool:
    """Says that it cannot be done, because of the limit on open commissions."""
    return world.report.outcome == "refused" and world.report.reason == "open_commission_limit"


def guard_changes_nothing(world) -> bool:
    """Changed no row at all."""
    return world.changes == []
