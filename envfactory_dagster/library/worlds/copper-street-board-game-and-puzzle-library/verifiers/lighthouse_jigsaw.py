def goal_refuses_by_the_jigsaw_rule(world) -> bool:
    """Has refused because too many jigsaws came back with a piece missing."""
    return world.report.outcome == "refused" and world.report.reason == "jigsaw_short_returns"


def guard_reports_the_refusal(world) -> bool:
    """Reports a refusal and nothing else."""
    return world.report.outcome in (None, "refused")


def guard_names_the_rule(world) -> bool:
    """Names the rule about jigsaws returned short as the reason."""
    return world.report.outcome is None or world.report.reason == "jigsaw_short_returns"


def guard_changes_nothing(world) -> bool:
    """Touched no row at all."""
    return world.changes == []
