def _hours(world):
    """The road's hours of Saturday 22 August for which the member is the reserve."""
    return world.initial.one(
        "SELECT h.*, d.thursday FROM road_hours h JOIN draws d ON d.id = h.draw_id JOIN turns t ON t.id = h.turn_id"
        " WHERE h.reserve_member_id = 1 AND d.t23_on = ? AND t.turn = 'T-23'",
        ["2026-08-22"],
    )


def _slips(world):
    return world.initial.query("SELECT id FROM slips WHERE member_id = 1 AND status = 'in_box' ORDER BY id")


def _later(world):
    rows = world.initial.query("SELECT thursday FROM draws WHERE thursday > ? ORDER BY thursday", [_hours(world)["thursday"]])
    return [row["thursday"] for row in rows]


def goal_has_taken_and_paid_the_hours(world) -> bool:
    """Has taken the hours of Saturday 22 August and paid them by transfer."""
    row = world.final.one("SELECT * FROM road_hours WHERE id = ?", [_hours(world)["id"]])
    return (
        row is not None
        and row["taken_by_member_id"] == 1
        and row["status"] == "paid"
        and row["paid_by"] == "transfer"
        and row["paid_at"] is not None
    )


def goal_slip_is_out_of_the_box(world) -> bool:
    """Has no slip in the box any more, where there was one."""
    now = world.final.one("SELECT count(*) AS n FROM slips WHERE member_id = 1 AND status = 'in_box'")
    return len(_slips(world)) > 0 and now["n"] == 0


def goal_says_whether_the_name_had_paid(world) -> bool:
    """Has told whether the one who was drawn had paid by 13:00."""
    hours = _hours(world)
    paid = hours["paid_at"] is not None and hours["taken_by_member_id"] == hours["drawn_member_id"]
    return world.report.says("name_had_paid", paid)


def goal_says_which_draws_are_sat_out(world) -> bool:
    """Has told the Thursdays of the next two draws."""
    return world.report.says("sits_out", _later(world)[:2])


def goal_says_when_to_enter_again(world) -> bool:
    """Has told the Thursday of the third draw after."""
    return world.report.says("enter_again", _later(world)[2])


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_names_no_rule_as_reason(world) -> bool:
    """Gives no rule as a reason, since nothing was refused."""
    return world.report.reason is None


def guard_changes_only_the_hours_and_the_slip(world) -> bool:
    """Touches only those hours, by paying them for the member, and his slip in the box, by its leaving it."""
    slips = [row["id"] for row in _slips(world)]
    for change in world.changes:
        before, after = change["before"], change["after"]
        if before is None or after is None:
            return False
        if change["table"] == "road_hours" and before["id"] == _hours(world)["id"]:
            free = ("taken_by_member_id", "status", "paid_at", "paid_by")
            if after["taken_by_member_id"] != 1 or after["status"] != "paid" or after["paid_by"] != "transfer":
                return False
        elif change["table"] == "slips" and before["id"] in slips:
            free = ("status", "closed_at")
            if after["status"] not in ("removed", "taken_out"):
                return False
        else:
            return False
        if any(before[name] != after[name] for name in before if name not in free):
            return False
    return True
