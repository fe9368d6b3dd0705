def _out(world):
    """The user's assignment to the callout on the ski-touring pass, sent out at the start."""
    return world.initial.one(
        "SELECT a.id, a.callout_id FROM callout_assignments a JOIN callouts c ON c.id = a.callout_id"
        " JOIN sectors s ON s.id = c.sector_id WHERE a.member_id = 1 AND a.status = 'sent_out' AND s.name = ?",
        ["Ski-touring pass"],
    )


def _new_callout(world):
    """The open callout for the Raven Slabs."""
    return world.initial.one(
        "SELECT c.id FROM callouts c JOIN sectors s ON s.id = c.sector_id"
        " WHERE c.status = 'open' AND s.name = ? ORDER BY c.opened_at DESC LIMIT 1",
        ["Raven Slabs"],
    )["id"]


def goal_is_logged_back_at_nine_forty(world) -> bool:
    """The user is logged back from the callout on the ski-touring pass at 9:40."""
    out = _out(world)
    assignment = world.final.one(
        "SELECT count(*) AS n FROM callout_assignments WHERE id = ? AND member_id = 1 AND status = 'back' AND back_at = ?",
        [out["id"], "2026-08-17T09:40:00"],
    )
    entry = world.final.one(
        "SELECT count(*) AS n FROM log_entries"
        " WHERE callout_id = ? AND member_id = 1 AND kind = 'back' AND happened_at = ?",
        [out["callout_id"], "2026-08-17T09:40:00"],
    )
    return assignment["n"] == 1 and entry["n"] == 1


def goal_has_answered_the_new_callout_as_coming(world) -> bool:
    """The user has answered the open callout for the Raven Slabs as coming."""
    row = world.final.one(
        "SELECT count(*) AS n FROM callout_assignments WHERE callout_id = ? AND member_id = 1 AND status = 'coming'",
        [_new_callout(world)],
    )
    return row["n"] == 1


def goal_says_who_else_is_coming(world) -> bool:
    """Has told which other members have said yes to the new callout."""
    rows = world.initial.query(
        "SELECT m.name FROM callout_assignments a JOIN members m ON m.id = a.member_id"
        " WHERE a.callout_id = ? AND a.member_id <> 1 AND a.status <> 'not_coming' ORDER BY a.answered_at",
        [_new_callout(world)],
    )
    return world.report.says("others_coming", [row["name"] for row in rows])


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None


def guard_changes_nothing_else(world) -> bool:
    """Touched nothing but the assignment logged back, one new answer of the user, and one log entry for each."""
    out = _out(world)
    new = _new_callout(world)
    seen = []
    for change in world.changes:
        table, before, after = change["table"], change["before"], change["after"]
        if after is None:
            return False
        if table == "callout_assignments" and before is None:
            seen.append("answer")
            allowed = (
                after["member_id"] == 1
                and after["callout_id"] == new
                and after["status"] in ("coming", "not_coming")
            )
        elif table == "callout_assignments":
            columns = {name for name in after if after[name] != before[name]}
            allowed = before["id"] == out["id"] and after["status"] == "back" and columns == {"status", "back_at"}
        elif table == "log_entries" and before is None:
            seen.append("log " + after["kind"])
            allowed = (
                after["member_id"] == 1
                and (after["kind"], after["callout_id"]) in (("back", out["callout_id"]), ("answer", new))
                and after["note"] is None
            )
        else:
            allowed = False
        if not allowed:
            return False
    return len(seen) == len(set(seen))
