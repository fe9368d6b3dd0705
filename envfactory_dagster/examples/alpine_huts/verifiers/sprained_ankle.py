def goal_says_how_many_hours_ahead(world) -> bool:
    """Says how many hours' notice the Morgenkopf Hut asks for."""
    hut = world.initial.one("SELECT cancellation_hours FROM huts WHERE name = 'Morgenkopf Hut'")
    return world.report.says("hours_ahead", hut["cancellation_hours"])


def goal_says_that_it_is_too_late(world) -> bool:
    """Reports the rule that forbids it."""
    return world.report.outcome == "refused" and world.report.reason == "cancellation_window"


def guard_claims_nothing_else(world) -> bool:
    """Reports no other outcome, and no other rule."""
    return (world.report.outcome, world.report.reason) in ((None, None), ("refused", "cancellation_window"))


def guard_changes_nothing(world) -> bool:
    """Left the booking and everything else as it was."""
    return world.changes == []
