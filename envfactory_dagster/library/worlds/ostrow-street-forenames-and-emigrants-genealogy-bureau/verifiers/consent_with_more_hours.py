SEARCH = (
    "SELECT id, budget_hours, status, consented_at FROM commissions"
    " WHERE client_id = ? AND surname = ? AND region = ? AND status = 'paused'"
)
WHICH = [1, "Wielgosz", "Galicia"]


def goal_budget_is_ten_hours_above_those_worked(world) -> bool:
    """The budget is ten hours more than have been worked, and 45 at most."""
    search = world.initial.one(SEARCH, WHICH)
    worked = world.initial.one(
        "SELECT coalesce(sum(hours), 0) AS hours FROM time_entries WHERE commission_id = ?", [search["id"]]
    )["hours"]
    row = world.final.one(
        "SELECT count(*) AS n FROM commissions WHERE id = ? AND client_id = 1 AND budget_hours = ?",
        [search["id"], min(worked + 10, 45)],
    )
    return row["n"] == 1


def goal_work_may_go_on(world) -> bool:
    """The client has given consent and the search is active again."""
    search = world.initial.one(SEARCH, WHICH)
    row = world.final.one(
        "SELECT consented_at FROM commissions WHERE id = ? AND client_id = 1 AND status = 'active'", [search["id"]]
    )
    return row is not None and row["consented_at"] is not None and row["consented_at"] != search["consented_at"]


def guard_changes_nothing_else(world) -> bool:
    """Touched nothing but budget, state and consent of this search."""
    search = world.initial.one(SEARCH, WHICH)
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] != "commissions" or before is None or after is None or before["id"] != search["id"]:
            return False
        if not {c for c in after if after[c] != before[c]} <= {"budget_hours", "status", "consented_at"}:
            return False
    return True


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, without a rule that forbids it."""
    return world.report.outcome in (None, "done") and world.report.reason is None
