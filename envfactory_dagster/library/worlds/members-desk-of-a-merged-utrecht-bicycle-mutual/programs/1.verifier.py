def _claim(world):
    return world.initial.one(
        "SELECT cl.id, cl.repair_amount_cents - cl.own_risk_cents AS payout FROM claims cl"
        " JOIN covers co ON co.id = cl.cover_id JOIN bicycles b ON b.id = co.bicycle_id"
        " JOIN policies p ON p.id = b.policy_id"
        " WHERE p.member_id = 1 AND b.make = 'Sparta' AND b.kind = 'electric'"
        " AND cl.kind = 'damage' AND cl.status = 'reported'"
    )


def _steps(world):
    return world.initial.one(
        "SELECT n.steps_after FROM no_claim_entries n JOIN policies p ON p.id = n.policy_id"
        " WHERE p.member_id = 1 ORDER BY n.entered_on DESC, n.id DESC LIMIT 1"
    )["steps_after"]


def _worth_it(world):
    monthly = world.initial.one(
        "SELECT sum(c.monthly_premium_cents) AS n FROM covers c JOIN bicycles b ON b.id = c.bicycle_id"
        " JOIN policies p ON p.id = b.policy_id WHERE p.member_id = 1 AND c.ends_on IS NULL"
    )["n"]
    return _claim(world)["payout"] * 100 > monthly * 5 * min(2, _steps(world)) * 24


def goal_claim_is_settled_as_it_pays(world) -> bool:
    """The claim is submitted if it brings more than the steps cost, and otherwise withdrawn."""
    row = world.final.one(
        "SELECT status, submitted_at, withdrawn_at FROM claims WHERE id = ?", [_claim(world)["id"]]
    )
    if _worth_it(world):
        return row["status"] == "submitted" and row["submitted_at"] is not None and row["withdrawn_at"] is None
    return row["status"] == "withdrawn" and row["withdrawn_at"] is not None


def goal_says_what_was_done(world) -> bool:
    """Says which of the two it became."""
    return world.report.says("what_was_done", "submitted" if _worth_it(world) else "withdrawn")


def goal_says_payout(world) -> bool:
    """Says what would be paid out, if the claim was submitted."""
    return world.report.says("payout", _claim(world)["payout"] if _worth_it(world) else None)


def goal_says_steps_left(world) -> bool:
    """Says how many no-claim steps would be left, if the claim was submitted."""
    steps = _steps(world)
    return world.report.says("steps_left", steps - min(2, steps) if _worth_it(world) else None)


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_that_claim_only(world) -> bool:
    """Changed nothing but the status of this claim and the moment that goes with it."""
    allowed = ("status", "submitted_at") if _worth_it(world) else ("status", "withdrawn_at")
    for change in world.changes:
        if change["table"] != "claims" or change["before"] is None or change["after"] is None:
            return False
        if change["before"]["id"] != _claim(world)["id"]:
            return False
        if any(change["after"][c] != change["before"][c] for c in change["before"] if c not in allowed):
            return False
    return True
