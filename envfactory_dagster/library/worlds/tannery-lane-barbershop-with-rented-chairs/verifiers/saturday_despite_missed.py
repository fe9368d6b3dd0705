def goal_refuses_to_book_so_far_ahead(world) -> bool:
    """Refuses, because who missed 2 or more appointments in the past 90 days may book at most 1 day ahead."""
    return world.report.outcome == "refused" and world.report.reason == "missed_appointments_block"


def guard_changes_nothing(world) -> bool:
    """Changed no row."""
    return world.changes == []
