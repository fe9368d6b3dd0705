def goal_says_why(world) -> bool:
    """Says how many hours ahead it would have been possible."""
    return world.mentions(72)


def guard_keeps_the_booking(world) -> bool:
    """Left the booking as it was."""
    return all(change["table"] != "bookings" for change in world.changes)
