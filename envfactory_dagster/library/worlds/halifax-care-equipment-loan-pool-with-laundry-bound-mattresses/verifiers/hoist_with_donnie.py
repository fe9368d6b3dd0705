def goal_is_refused_by_the_rule(world) -> bool:
    """Reports that it is refused: his hoist clearance is no longer valid on that day."""
    return world.report.outcome == "refused" and world.report.reason == "van_slot_and_hoist_clearance"


def guard_reports_it_as_refused(world) -> bool:
    """Reports nothing but the refusal with its rule."""
    return world.report.outcome in (None, "refused") and world.report.reason in (None, "van_slot_and_hoist_clearance")


def guard_changes_nothing(world) -> bool:
    """Changed nothing."""
    return len(world.changes) == 0
