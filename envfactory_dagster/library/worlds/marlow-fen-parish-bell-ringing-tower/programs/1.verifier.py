def _minutes(world, kind):
    row = world.initial.one(
        "SELECT coalesce(sum(length_minutes), 0) AS n FROM ringing_sessions"
        " WHERE kind = ? AND status = 'open' AND substr(starts_at, 1, 10) BETWEEN '2026-06-08' AND '2026-06-30'",
        (kind,),
    )
    return row["n"]


def goal_says_sunday_minutes(world) -> bool:
    """Says how many minutes of open Sunday ringing there are from 8 to 30 June."""
    return world.report.says("sunday_minutes", _minutes(world, "sunday"))


def goal_says_wedding_minutes(world) -> bool:
    """Says how many minutes of open weddings there are from 8 to 30 June."""
    return world.report.says("wedding_minutes", _minutes(world, "wedding"))


def goal_says_which_is_more(world) -> bool:
    """Says whether Sunday ringing or the weddings come to more minutes."""
    if _minutes(world, "wedding") > _minutes(world, "sunday"):
        return world.report.says("more_minutes", "weddings")
    return world.report.says("more_minutes", "Sunday ringing")


def goal_says_day_of_longest_wedding(world) -> bool:
    """Says the day of the longest wedding if weddings come to more, and leaves it empty otherwise."""
    if _minutes(world, "wedding") <= _minutes(world, "sunday"):
        return world.report.says("longest_wedding_day", None)
    row = world.initial.one(
        "SELECT substr(starts_at, 1, 10) AS day FROM ringing_sessions"
        " WHERE kind = 'wedding' AND status = 'open' AND substr(starts_at, 1, 10) BETWEEN '2026-06-08' AND '2026-06-30'"
        " ORDER BY length_minutes DESC LIMIT 1"
    )
    return world.report.says("longest_wedding_day", row["day"])


def goal_says_day_of_first_sunday(world) -> bool:
    """Says the day of the first Sunday session if Sunday ringing comes to more, and leaves it empty otherwise."""
    if _minutes(world, "wedding") > _minutes(world, "sunday"):
        return world.report.says("first_sunday_day", None)
    row = world.initial.one(
        "SELECT substr(min(starts_at), 1, 10) AS day FROM ringing_sessions"
        " WHERE kind = 'sunday' AND status = 'open' AND substr(starts_at, 1, 10) BETWEEN '2026-06-08' AND '2026-06-30'"
    )
    return world.report.says("first_sunday_day", row["day"])


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing(world) -> bool:
    """Changed nothing."""
    return len(world.changes) == 0
