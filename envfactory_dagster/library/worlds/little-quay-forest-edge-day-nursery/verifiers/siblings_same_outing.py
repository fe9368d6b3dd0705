def target(world):
    row = world.initial.one(
        "SELECT o.id FROM woodland_outings o WHERE o.status = 'open' AND substr(o.leaves_at, 1, 10) BETWEEN ? AND ?"
        " AND (SELECT count(*) FROM outing_places p JOIN children c ON c.id = p.child_id"
        " WHERE p.woodland_outing_id = o.id AND p.status IN ('taken', 'attended')"
        " AND NOT (c.guardian_id = ? AND c.name IN (?, ?))) + 2 <= 4 * o.staff_count"
        " ORDER BY o.leaves_at LIMIT 1",
        ["2026-10-26", "2026-10-30", 1, "Theo", "Ada"],
    )
    return row["id"]


def on_target(world, child):
    row = world.final.one(
        "SELECT count(*) AS n FROM outing_places p JOIN children c ON c.id = p.child_id"
        " WHERE c.guardian_id = ? AND c.name = ? AND p.status = 'taken' AND p.woodland_outing_id = ?",
        [1, child, target(world)],
    )
    return row["n"] == 1


def elsewhere(world):
    return world.initial.query(
        "SELECT p.id FROM outing_places p JOIN children c ON c.id = p.child_id"
        " JOIN woodland_outings o ON o.id = p.woodland_outing_id"
        " WHERE c.guardian_id = ? AND c.name IN (?, ?) AND p.status = 'taken'"
        " AND substr(o.leaves_at, 1, 10) BETWEEN ? AND ? AND o.id <> ?",
        [1, "Theo", "Ada", "2026-10-26", "2026-10-30", target(world)],
    )


def goal_theo_goes_on_the_earliest_outing_for_both(world) -> bool:
    """Theo has a place on the earliest outing from 26 to 30 October 2026 that has room for both."""
    return on_target(world, "Theo")


def goal_ada_goes_on_the_earliest_outing_for_both(world) -> bool:
    """Ada has a place on the earliest outing from 26 to 30 October 2026 that has room for both."""
    return on_target(world, "Ada")


def goal_the_other_place_that_week_is_given_up(world) -> bool:
    """The place one of them had on a different outing that week is given up."""
    return all(
        world.final.one("SELECT status FROM outing_places WHERE id = ?", [row["id"]])["status"] == "given_up"
        for row in elsewhere(world)
    )


def guard_changes_nothing_else(world) -> bool:
    """Adds at most one place for each of the two and gives up only what they had elsewhere that week."""
    children = {
        row["id"]
        for row in world.initial.query(
            "SELECT id FROM children WHERE guardian_id = ? AND name IN (?, ?)", [1, "Theo", "Ada"]
        )
    }
    old = {row["id"] for row in elsewhere(world)}
    added = []
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] != "outing_places" or after is None:
            return False
        if before is None:
            added.append(after["child_id"])
            if after["child_id"] not in children or after["status"] != "taken":
                return False
        elif (
            before["id"] not in old
            or after["status"] != "given_up"
            or {k for k in before if before[k] != after[k]} != {"status", "given_up_at"}
        ):
            return False
    return len(added) == len(set(added))


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, with no rule against it."""
    return world.report.outcome in (None, "done") and world.report.reason is None
