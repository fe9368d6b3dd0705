def goal_answers(world) -> bool:
    """Says something."""
    return bool(world.answer)


def guard_changes_nothing(world) -> bool:
    """Left every row as it was."""
    return world.changes == []
