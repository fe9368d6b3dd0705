def goal_says_the_price(world) -> bool:
    """Says what a portion costs, exactly as the reference solution writes it."""
    return world.report._answers.get("price") == 1600


def guard_changes_nothing(world) -> bool:
    """Left every row as it was."""
    return world.changes == []


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")
