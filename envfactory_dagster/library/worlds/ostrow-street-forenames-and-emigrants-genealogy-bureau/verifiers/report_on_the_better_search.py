COUNTS = (
    "SELECT c.id, (SELECT count(*) FROM findings f WHERE f.commission_id = c.id AND f.status = 'open'"
    " AND f.confidence_grade >= 3) AS n FROM commissions c WHERE c.client_id = ? AND c.surname IN (?, ?)"
    " ORDER BY n DESC, c.id"
)
WHICH = [1, "Wielgosz", "Novotny"]


def goal_printed_report_is_ordered_on_the_better_search(world) -> bool:
    """One new printed report, in English as nothing else was asked for, is on order on the search with more findings."""
    better = world.initial.query(COUNTS, WHICH)[0]
    new = [change["after"] for change in world.changes if change["table"] == "reports" and change["before"] is None]
    return [(r["commission_id"], r["format"], r["language"], r["status"]) for r in new] == [
        (better["id"], "printed", "English", "ordered")
    ]


def goal_says_whether_one_was_under_way(world) -> bool:
    """Has told whether a report on that search was under way already."""
    better = world.initial.query(COUNTS, WHICH)[0]
    row = world.initial.one(
        "SELECT count(*) AS n FROM reports WHERE commission_id = ? AND status = 'ordered'", [better["id"]]
    )
    return world.report.says("report_already_under_way", row["n"] > 0)


def guard_changes_nothing_else(world) -> bool:
    """Touched no row but one new report on a search of the client."""
    mine = {row["id"] for row in world.initial.query("SELECT id FROM commissions WHERE client_id = ?", [1])}
    return len(world.changes) <= 1 and all(
        change["table"] == "reports" and change["before"] is None and change["after"]["commission_id"] in mine
        for change in world.changes
    )


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, without a rule that forbids it."""
    return world.report.outcome in (None, "done") and world.report.reason is None
