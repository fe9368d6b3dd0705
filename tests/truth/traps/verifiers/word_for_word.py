def goal_says_the_price(world) -> bool:
    """Says what a portion costs, in the words of the reference solution."""
    return world.answer == "It costs 16.00 euros."


def guard_changes_nothing(world) -> bool:
    """Left every row as it was."""
    return world.changes == []
