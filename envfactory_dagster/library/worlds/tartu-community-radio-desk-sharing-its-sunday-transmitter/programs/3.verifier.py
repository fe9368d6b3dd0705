ALL = (
    "SELECT id, series_id, title, host_id, companion_id, mode, starts_at, status, confirmed_at, called_off_at, logged_at"
    " FROM programmes ORDER BY id"
)


def _hours(world):
    return world.initial.query(
        "SELECT id, substr(starts_at, 1, 10) AS day FROM programmes"
        " WHERE host_id = 1 AND mode = 'live' AND status IN ('planned', 'confirmed')"
        " AND substr(starts_at, 1, 10) BETWEEN '2026-04-13' AND '2026-04-23' ORDER BY starts_at"
    )


def goal_makes_them_recorded(world) -> bool:
    """Every live hour of the user from 13 to 23 April that stands is a recorded one."""
    final = {row["id"]: row for row in world.final.query(ALL)}
    return all(final[one["id"]]["mode"] == "recorded" for one in _hours(world))


def goal_says_the_days(world) -> bool:
    """Says on which days these hours are."""
    return world.report.says("days", [one["day"] for one in _hours(world)])


def guard_changes_nothing_else(world) -> bool:
    """Changed nothing but these hours from live to recorded, and unconfirmed them with it where they were confirmed."""
    if any(change["table"] != "programmes" for change in world.changes):
        return False
    wanted = {one["id"] for one in _hours(world)}
    final = {row["id"]: row for row in world.final.query(ALL)}
    initial = world.initial.query(ALL)
    if len(final) != len(initial):
        return False
    for old in initial:
        new = final.get(old["id"])
        if new == old:
            continue
        if new is None or old["id"] not in wanted:
            return False
        if new != dict(old, mode="recorded", status="planned", confirmed_at=None):
            return False
    return True


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")
