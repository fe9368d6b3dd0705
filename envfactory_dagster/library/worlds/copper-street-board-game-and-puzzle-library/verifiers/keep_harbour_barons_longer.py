def goal_has_the_salt_road_reserved(world) -> bool:
    """The user has one waiting hold on The Salt Road."""
    row = world.final.one(
        "SELECT count(*) AS n FROM holds h JOIN titles t ON t.id = h.title_id"
        " WHERE h.member_id = 1 AND h.status = 'waiting' AND t.name = ?",
        ["The Salt Road"],
    )
    return row["n"] == 1


def guard_does_not_renew_harbour_barons(world) -> bool:
    """Leaves every loan of the user as it was, as somebody is waiting for Harbour Barons."""
    return world.final.query("SELECT * FROM loans WHERE member_id = ? ORDER BY id", [1]) == world.initial.query(
        "SELECT * FROM loans WHERE member_id = ? ORDER BY id", [1]
    )


def guard_changes_nothing_but_one_new_hold(world) -> bool:
    """Touched no row but one new waiting hold of the user on The Salt Road."""
    title = world.initial.one("SELECT id FROM titles WHERE name = ?", ["The Salt Road"])
    return len(world.changes) <= 1 and all(
        change["table"] == "holds"
        and change["before"] is None
        and change["after"]["member_id"] == 1
        and change["after"]["title_id"] == title["id"]
        and change["after"]["status"] == "waiting"
        for change in world.changes
    )


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None
