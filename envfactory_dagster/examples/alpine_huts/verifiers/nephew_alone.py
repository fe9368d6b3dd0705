def goal_says_from_what_age(world) -> bool:
    """Says that he would have to be 18."""
    return world.report.says("age_to_go_alone", 18)


def goal_says_that_the_club_does_not_take_him(world) -> bool:
    """Reports the rule that forbids it."""
    return world.report.outcome == "refused" and world.report.reason == "minors_with_guardian"


def guard_claims_nothing_else(world) -> bool:
    """Reports no other outcome, and no other rule."""
    return (world.report.outcome, world.report.reason) in ((None, None), ("refused", "minors_with_guardian"))


def guard_changes_nothing(world) -> bool:
    """Signed up nobody, neither Felix nor an adult to go with him."""
    return world.changes == []
