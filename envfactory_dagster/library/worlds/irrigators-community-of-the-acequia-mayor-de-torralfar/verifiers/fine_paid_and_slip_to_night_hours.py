def _fine(world):
    return world.initial.one(
        "SELECT id FROM fines WHERE member_id = 1 AND status = 'open' AND fined_on = ? AND amount_cents = ?", ["2026-08-06", 3000]
    )


def _slip(world):
    return world.initial.one(
        "SELECT s.id, s.draw_id FROM slips s JOIN draws d ON d.id = s.draw_id WHERE s.member_id = 1 AND s.status = 'in_box' AND d.thursday = ?",
        ["2026-08-20"],
    )


def goal_has_paid_the_fine_by_card(world) -> bool:
    """Has paid the fine of 6 August whole by card."""
    row = world.final.one("SELECT * FROM fines WHERE id = ?", [_fine(world)["id"]])
    return (
        row is not None
        and row["status"] == "paid"
        and row["paid_by"] == "card"
        and row["paid_at"] is not None
        and row["amount_cents"] == 3000
    )


def goal_slip_says_the_night_hours_only(world) -> bool:
    """Has one slip in the box for the draw of 20 August, for T-04 only."""
    rows = world.final.query(
        "SELECT choice FROM slips WHERE member_id = 1 AND status = 'in_box' AND draw_id = ?", [_slip(world)["draw_id"]]
    )
    return [row["choice"] for row in rows] == ["T-04"]


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_names_no_rule_as_reason(world) -> bool:
    """Gives no rule as a reason, since nothing was refused."""
    return world.report.reason is None


def guard_changes_only_the_fine_and_the_slip(world) -> bool:
    """Touches only that fine and the slip for 20 August, which may be taken out and put in anew."""
    new = 0
    for change in world.changes:
        before, after = change["before"], change["after"]
        if after is None:
            return False
        if change["table"] == "slips" and before is None:
            new += 1
            if new > 1 or after["member_id"] != 1 or after["draw_id"] != _slip(world)["draw_id"]:
                return False
            if after["choice"] != "T-04" or after["status"] != "in_box":
                return False
            continue
        if before is None:
            return False
        if change["table"] == "fines" and before["id"] == _fine(world)["id"]:
            free = ("status", "paid_at", "paid_by")
            if after["status"] != "paid" or after["paid_by"] != "card":
                return False
        elif change["table"] == "slips" and before["id"] == _slip(world)["id"]:
            free = ("choice", "changed_at", "status", "closed_at")
            if after["status"] not in ("in_box", "taken_out") or after["choice"] not in ("either", "T-04"):
                return False
        else:
            return False
        if any(before[name] != after[name] for name in before if name not in free):
            return False
    return True
