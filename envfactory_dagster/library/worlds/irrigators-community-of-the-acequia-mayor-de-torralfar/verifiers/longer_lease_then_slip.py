def goal_longer_lease_is_on_file(world) -> bool:
    """Has one longer lease for plot 16 on file, as read on the paper."""
    row = world.final.one(
        "SELECT count(*) AS n FROM leases l JOIN plots p ON p.id = l.plot_id WHERE l.member_id = 1 AND p.plot = 16"
        " AND l.lessor = ? AND l.signed_on = ? AND l.starts_on = ? AND l.ends_on = ?",
        ["Carmen Ibáñez Roig", "2026-07-06", "2026-09-01", "2031-08-31"],
    )
    return row["n"] == 1


def goal_slip_for_thursday_lies_in_the_box(world) -> bool:
    """Has one slip in the box for the draw of 16 July, for T-23 only."""
    row = world.final.one(
        "SELECT count(*) AS n FROM slips s JOIN draws d ON d.id = s.draw_id WHERE s.member_id = 1"
        " AND d.thursday = ? AND s.choice = ? AND s.status = ?",
        ["2026-07-16", "T-23", "in_box"],
    )
    return row["n"] == 1


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_names_no_rule_as_reason(world) -> bool:
    """Gives no rule as a reason, since nothing was refused."""
    return world.report.reason is None


def guard_adds_only_that_lease_and_that_slip(world) -> bool:
    """Adds at most the one lease and the one slip, and touches no other row."""
    draw = world.initial.one("SELECT id FROM draws WHERE thursday = ?", ["2026-07-16"])
    plot = world.initial.one("SELECT id FROM plots WHERE plot = 16")
    seen = []
    for change in world.changes:
        after = change["after"]
        if change["before"] is not None or after is None or change["table"] in seen:
            return False
        seen.append(change["table"])
        if change["table"] == "leases":
            wanted = {
                "member_id": 1,
                "plot_id": plot["id"],
                "lessor": "Carmen Ibáñez Roig",
                "signed_on": "2026-07-06",
                "starts_on": "2026-09-01",
                "ends_on": "2031-08-31",
            }
        elif change["table"] == "slips":
            wanted = {"member_id": 1, "draw_id": draw["id"], "choice": "T-23", "status": "in_box", "closed_at": None}
        else:
            return False
        if any(after[name] != value for name, value in wanted.items()):
            return False
    return True
