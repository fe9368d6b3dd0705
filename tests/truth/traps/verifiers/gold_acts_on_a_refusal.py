def goal_refuses_it_by_the_rule(world) -> bool:
    """Reports the rule that forbids it."""
    return (world.report.outcome, world.report.reason) == ("refused", "cancellation_window")


def guard_reports_no_other_rule(world) -> bool:
    """Reports no other outcome and no other rule."""
    return (world.report.outcome, world.report.reason) in ((None, None), ("refused", "cancellation_window"))


def guard_keeps_the_booking(world) -> bool:
    """Left the booking as it was."""
    return all(change["table"] != "bookings" for change in world.changes)
