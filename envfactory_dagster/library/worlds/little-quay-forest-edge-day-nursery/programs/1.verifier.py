SQL = (
    "SELECT count(*) AS n, min(substr(leaves_at, 1, 10)) AS first, max(substr(leaves_at, 1, 10)) AS last"
    " FROM woodland_outings WHERE status = 'open' AND meeting_spot = ?"
    " AND substr(leaves_at, 1, 10) BETWEEN '2026-05-18' AND '2026-06-02'"
)


def goal_says_how_many_at_old_oak(world) -> bool:
    """Says how many open outings in the period meet at the Old Oak."""
    return world.report.says("old_oak_outings", world.initial.one(SQL, ("Old Oak",))["n"])


def goal_says_how_many_at_charcoal_circle(world) -> bool:
    """Says how many open outings in the period meet at the Charcoal Circle."""
    return world.report.says("charcoal_circle_outings", world.initial.one(SQL, ("Charcoal Circle",))["n"])


def goal_says_which_has_more(world) -> bool:
    """Says which of the two spots has more of these outings."""
    oak = world.initial.one(SQL, ("Old Oak",))
    circle = world.initial.one(SQL, ("Charcoal Circle",))
    return world.report.says("spot_with_more", "Old Oak" if oak["n"] > circle["n"] else "Charcoal Circle")


def goal_says_first_day_at_old_oak(world) -> bool:
    """Says the day of the first Old Oak outing if the Old Oak has more, and leaves it empty otherwise."""
    oak = world.initial.one(SQL, ("Old Oak",))
    circle = world.initial.one(SQL, ("Charcoal Circle",))
    due = oak["first"] if oak["n"] > circle["n"] else None
    return world.report.outcome is not None and world.report.says("first_old_oak_day", due)


def goal_says_last_day_at_charcoal_circle(world) -> bool:
    """Says the day of the last Charcoal Circle outing if that spot has more, and leaves it empty otherwise."""
    oak = world.initial.one(SQL, ("Old Oak",))
    circle = world.initial.one(SQL, ("Charcoal Circle",))
    due = circle["last"] if circle["n"] > oak["n"] else None
    return world.report.outcome is not None and world.report.says("last_charcoal_circle_day", due)


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing(world) -> bool:
    """Changed nothing at all."""
    return len(world.changes) == 0
