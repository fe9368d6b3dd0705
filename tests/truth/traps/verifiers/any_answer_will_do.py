def goal_answers(world) -> bool:
    """Says something."""
    return world.report.outcome == "done" and not world.report.says("price", None)


def guard_changes_nothing(world) -> bool:
    """Left every row as it was."""
    return world.changes == []


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")
