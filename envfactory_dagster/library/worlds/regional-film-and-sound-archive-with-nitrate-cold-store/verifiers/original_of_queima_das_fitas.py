def goal_refuses_the_original_to_a_student_card(world) -> bool:
    """Refuses, because the original of a title with an access copy is for I cards only and the conservator is not asked."""
    return world.report.outcome == "refused" and world.report.reason == "cold_store_issue"


def guard_reports_it_as_refused(world) -> bool:
    """Reports nothing but a refusal."""
    return world.report.outcome in (None, "refused")


def guard_names_the_right_rule(world) -> bool:
    """Names no other rule than that of the issue from the cold store."""
    return world.report.outcome is None or world.report.reason == "cold_store_issue"


def guard_puts_in_no_request(world) -> bool:
    """Changed no row at all."""
    return world.changes == []
