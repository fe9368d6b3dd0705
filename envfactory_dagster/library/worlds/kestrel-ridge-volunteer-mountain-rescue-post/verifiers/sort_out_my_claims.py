def _old_claim(world):
    """The user's claim for the rope rescue exercise on 2 August that is only submitted at the start."""
    return world.initial.one(
        "SELECT c.id, c.amount_cents FROM expense_claims c JOIN exercises e ON e.id = c.exercise_id"
        " JOIN skills s ON s.id = e.skill_id"
        " WHERE c.member_id = 1 AND c.status = 'submitted' AND s.name = ? AND substr(e.starts_at, 1, 10) = ?",
        ["Rope rescue", "2026-08-02"],
    )


def goal_old_claim_is_withdrawn(world) -> bool:
    """The earlier claim for the rope rescue exercise on 2 August is withdrawn."""
    row = world.final.one(
        "SELECT status FROM expense_claims WHERE id = ? AND member_id = 1", [_old_claim(world)["id"]]
    )
    return row is not None and row["status"] == "withdrawn"


def goal_says_the_amount_of_the_old_claim(world) -> bool:
    """Has told the amount of the claim that was withdrawn."""
    return world.report.says("withdrawn_claim_amount", _old_claim(world)["amount_cents"])


def goal_says_what_has_been_paid(world) -> bool:
    """Has told what the user has been paid altogether since 1 January."""
    row = world.initial.one(
        "SELECT coalesce(sum(amount_cents), 0) AS cents FROM expense_claims"
        " WHERE member_id = 1 AND status = 'paid' AND paid_at >= ?",
        ["2026-01-01T00:00:00"],
    )
    return world.report.says("paid_since_january", row["cents"])


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None


def guard_changes_nothing_else(world) -> bool:
    """Touched no row but the earlier claim, which is only withdrawn; put in no new claim."""
    old = _old_claim(world)["id"]
    return len(world.changes) <= 1 and all(
        change["table"] == "expense_claims"
        and change["before"] is not None
        and change["after"] is not None
        and change["before"]["id"] == old
        and change["after"]["status"] == "withdrawn"
        and {name for name in change["after"] if change["after"][name] != change["before"][name]}
        == {"status", "withdrawn_at"}
        for change in world.changes
    )
