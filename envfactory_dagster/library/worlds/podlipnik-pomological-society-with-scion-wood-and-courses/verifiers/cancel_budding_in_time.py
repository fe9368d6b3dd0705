def _registration(world):
    return world.initial.one(
        "SELECT r.id, r.fee_cents, (SELECT COALESCE(SUM(e.points), 0) FROM points_entries e"
        " WHERE e.course_registration_id = r.id AND e.kind = 'used') AS points"
        " FROM course_registrations r JOIN courses c ON c.id = r.course_id"
        " WHERE r.member_id = 1 AND r.status = 'held' AND c.held_on = '2026-08-22'"
    )


def _back(world):
    row = _registration(world)
    return row["fee_cents"] - round(row["points"] * 150) - 500


def goal_cancels_the_course(world) -> bool:
    """Has cancelled the place at the summer budding on 22 August."""
    row = world.final.one("SELECT status FROM course_registrations WHERE id = ?", [_registration(world)["id"]])
    return row is not None and row["status"] == "cancelled"


def goal_gets_the_money_back(world) -> bool:
    """Has the fee coming back less 5.00 EUR."""
    row = world.final.one("SELECT refund_cents FROM course_registrations WHERE id = ?", [_registration(world)["id"]])
    return row is not None and row["refund_cents"] == _back(world)


def goal_says_how_much_comes_back(world) -> bool:
    """Says how much money comes back."""
    return world.report.says("money_back", _back(world))


def guard_changes_nothing_else(world) -> bool:
    """Touched nothing but that registration, and of it nothing but its cancellation."""
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] != "course_registrations" or before is None or after is None:
            return False
        if before["id"] != _registration(world)["id"]:
            return False
        if any(
            before[column] != after[column]
            for column in before
            if column not in ("status", "cancelled_on", "refund_cents")
        ):
            return False
    return True


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, and for no rule as a reason."""
    return world.report.outcome in (None, "done") and world.report.reason is None
