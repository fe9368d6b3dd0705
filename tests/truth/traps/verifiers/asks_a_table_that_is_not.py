def goal_two_portions_of_soup(world) -> bool:
    """Has two portions of the barley soup for the seventh."""
    return world.final.one("SELECT sum(portions) AS n FROM orders WHERE served_on = '2026-07-07'")["n"] == 2


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")
