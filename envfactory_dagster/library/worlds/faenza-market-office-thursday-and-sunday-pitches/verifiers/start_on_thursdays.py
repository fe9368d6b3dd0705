def _names_before(world):
    """Active entries in the Thursday register that a new one of the user stands behind."""
    return world.initial.one(
        "SELECT count(*) AS n FROM spunta_register_entries e JOIN traders t ON t.id = e.trader_id WHERE e.weekday = 'thursday' AND e.status = 'active'"
        " AND (e.attendances > 0 OR t.registered_on < (SELECT registered_on FROM traders WHERE id = 1))"
    )["n"]


def _category(world):
    return world.initial.one("SELECT price_category_id AS id FROM spunta_register_entries WHERE trader_id = 1 AND weekday = 'sunday'")["id"]


def goal_entered_for_thursdays(world) -> bool:
    """The user stands in the Thursday register with a stall of 7 m and no attendances."""
    row = world.final.one(
        "SELECT count(*) AS n FROM spunta_register_entries WHERE trader_id = 1 AND weekday = 'thursday' AND stall_m = 7 AND attendances = 0"
        " AND price_category_id = ? AND status = 'active'",
        [_category(world)],
    )
    return row["n"] == 1


def goal_says_the_names_before(world) -> bool:
    """Says how many names stand before the user's."""
    return world.report.says("names_before", _names_before(world))


def guard_adds_only_that_entry(world) -> bool:
    """Added at most one entry of the user in the Thursday register and touched nothing else."""
    if len(world.changes) > 1:
        return False
    for change in world.changes:
        after = change["after"]
        if change["table"] != "spunta_register_entries" or change["before"] is not None:
            return False
        if after["trader_id"] != 1 or after["weekday"] != "thursday" or after["status"] != "active" or after["attendances"] != 0:
            return False
    return True


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, on the ground of no rule."""
    return world.report.outcome in (None, "done") and world.report.reason is None
