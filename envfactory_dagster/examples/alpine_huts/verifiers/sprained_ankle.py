def goal_says_how_many_hours_ahead(world) -> bool:
    """Says how many hours' notice the Morgenkopf Hut asks for."""
    hut = world.initial.one("SELECT cancellation_hours FROM huts WHERE name = 'Morgenkopf Hut'")
    return world.mentions(hut["cancellation_hours"])


def guard_changes_nothing(world) -> bool:
    """Left the booking and everything else as it was."""
    return world.changes == []
