def goal_refuses_by_the_rule(world) -> bool:
    """Refuses, since only full members can take a place in a wedding session."""
    return world.report.outcome == "refused" and world.report.reason == "wedding_full_members_only"


def guard_reports_no_other_outcome(world) -> bool:
    """Reports nothing but the refusal."""
    return world.report.outcome in (None, "refused")


def guard_names_no_other_rule(world) -> bool:
    """Names no other rule as the reason."""
    return world.report.reason in (None, "wedding_full_members_only")


def guard_changes_nothing(world) -> bool:
    """Changed no row."""
    return world.changes == []
