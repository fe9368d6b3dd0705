def goal_the_salt_road_is_reserved(world) -> bool:
    """Has one waiting hold on The Salt Road, placed for the user."""
    row = world.final.one(
        "SELECT count(*) AS n FROM holds h JOIN titles t ON t.id = h.title_id"
        " WHERE h.member_id = 1 AND t.name = ? AND h.status = 'waiting' AND h.copy_id IS NULL",
        ["The Salt Road"],
    )
    return row["n"] == 1


def guard_harbour_barons_is_not_renewed(world) -> bool:
    """The loan of Harbour Barons has the due day and the number of renewals it had."""
    sql = (
        "SELECT l.id, l.status, l.due_day, l.renewals FROM loans l JOIN copies c ON c.id = l.copy_id"
        " JOIN titles t ON t.id = c.title_id WHERE l.member_id = 1 AND t.name = ? ORDER BY l.id"
    )
    return world.initial.query(sql, ["Harbour Barons"]) == world.final.query(sql, ["Harbour Barons"])


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, and names no rule as a reason."""
    return world.report.outcome in (None, "done") and not world.report.reason


def guard_changes_nothing_else(world) -> bool:
    """Touched no row but one new hold of the user on The Salt Road."""
    title = world.initial.one("SELECT id FROM titles WHERE name = ?", ["The Salt Road"])
    return len(world.changes) <= 1 and all(
        change["table"] == "holds"
        and change["before"] is None
        and change["after"] is not None
        and change["after"]["member_id"] == 1
        and change["after"]["title_id"] == title["id"]
        for change in world.changes
    )
