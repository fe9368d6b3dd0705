def goal_refuses_by_the_rule_of_loose_turns(world) -> bool:
    """Has said that it cannot be done, by the rule on loose lane turns."""
    return world.report.outcome == "refused" and world.report.reason == "loose_lane_turn"


def guard_reports_no_other_outcome(world) -> bool:
    """Reports no other outcome than a refusal."""
    return world.report.outcome in (None, "refused")


def guard_gives_no_other_reason(world) -> bool:
    """Gives no other rule as the reason."""
    return world.report.outcome is None or world.report.reason == "loose_lane_turn"


def guard_changes_nothing(world) -> bool:
    """Has cancelled and refunded nothing, and changed nothing else."""
    return world.changes == []
