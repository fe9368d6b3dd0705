def goal_says_from_what_age(world) -> bool:
    """Says that he would have to be 18."""
    return world.mentions(18)


def guard_changes_nothing(world) -> bool:
    """Signed up nobody, neither Felix nor an adult to go with him."""
    return world.changes == []
