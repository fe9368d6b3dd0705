def goal_done(world) -> bool:
    """Is done."""
    return True
