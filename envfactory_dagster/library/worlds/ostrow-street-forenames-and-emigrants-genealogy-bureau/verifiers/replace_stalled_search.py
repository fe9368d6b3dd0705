OLD = "SELECT id FROM commissions WHERE client_id = ? AND surname = ? AND region = ? AND status = 'requested'"
WHICH = [1, "Halvorsen", "Bergen"]


def goal_old_request_is_cancelled(world) -> bool:
    """The waiting request for Halvorsen from Bergen is cancelled."""
    old = world.initial.one(OLD, WHICH)
    row = world.final.one(
        "SELECT count(*) AS n FROM commissions WHERE id = ? AND client_id = 1 AND status = 'cancelled'", [old["id"]]
    )
    return row["n"] == 1


def goal_new_search_is_requested(world) -> bool:
    """One new search for Aas in Trondheim with a budget of 15 hours is requested."""
    new = [change["after"] for change in world.changes if change["table"] == "commissions" and change["before"] is None]
    return (
        len(new) == 1
        and (new[0]["client_id"], new[0]["budget_hours"], new[0]["status"]) == (1, 15, "requested")
        and world.same_text(new[0]["surname"], "Aas")
        and world.same_text(new[0]["region"], "Trondheim")
    )


def guard_changes_nothing_else(world) -> bool:
    """Touched nothing but the state of the old request and one new commission of the client."""
    old = world.initial.one(OLD, WHICH)
    new = 0
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] != "commissions" or after is None:
            return False
        if before is None:
            new += 1
            if after["client_id"] != 1:
                return False
        elif before["id"] != old["id"] or not {c for c in after if after[c] != before[c]} <= {"status", "cancelled_at"}:
            return False
    return new <= 1


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, without a rule that forbids it."""
    return world.report.outcome in (None, "done") and world.report.reason is None
