def _claim(world):
    return world.initial.one(
        "SELECT cl.id FROM claims cl JOIN covers co ON co.id = cl.cover_id JOIN bicycles b ON b.id = co.bicycle_id"
        " WHERE cl.member_id = 1 AND b.make = 'Gazelle' AND cl.kind = 'damage'"
        " AND substr(cl.reported_at, 1, 10) = '2026-04-14' AND cl.repair_amount_cents = 9400"
    )


def _steps(world):
    return world.initial.one(
        "SELECT n.steps_after FROM no_claim_entries n JOIN policies p ON p.id = n.policy_id"
        " WHERE p.member_id = 1 AND p.ends_on IS NULL ORDER BY n.entered_on DESC, n.id DESC LIMIT 1"
    )["steps_after"]


def goal_fork_claim_is_withdrawn(world) -> bool:
    """The claim for the bent fork is withdrawn."""
    row = world.final.one("SELECT status, withdrawn_at FROM claims WHERE id = ?", [_claim(world)["id"]])
    return row["status"] == "withdrawn" and row["withdrawn_at"] is not None


def goal_says_how_many_steps_are_kept(world) -> bool:
    """Says how many no-claim steps they keep."""
    return world.report.says("steps_kept", _steps(world))


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_that_claim_only(world) -> bool:
    """Changed nothing but the status of that claim and when it was withdrawn."""
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] != "claims" or before is None or after is None or before["id"] != _claim(world)["id"]:
            return False
        if any(after[c] != before[c] for c in before if c not in ("status", "withdrawn_at")):
            return False
        if after["status"] not in ("submitted", "withdrawn"):
            return False
    return True
