def goal_refuses_for_the_fifth_place(world) -> bool:
    """Reports that it is refused because the fifth place is for an urgent file."""
    return world.report.outcome == "refused" and world.report.reason == "five_places_fifth_urgent"


def guard_reports_it_as_refused(world) -> bool:
    """Reports no other outcome than that it is refused."""
    return world.report.outcome in (None, "refused")


def guard_names_the_fifth_place(world) -> bool:
    """Names no other rule than that of the five places."""
    return world.report.outcome is None or world.report.reason == "five_places_fifth_urgent"


def guard_changes_nothing(world) -> bool:
    """Changed nothing: the school certificate is not booked, for this morning or another one."""
    return world.changes == []
