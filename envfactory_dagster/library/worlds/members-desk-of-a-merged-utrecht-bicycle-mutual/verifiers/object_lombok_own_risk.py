def _claims(world):
    """The claims on the Batavus of 2014 paid in March 2026 or from 2023 for which 85 euros were taken."""
    return world.initial.query(
        "SELECT cl.id, cl.own_risk_cents, substr(cl.happened_at, 1, 4) AS year FROM claims cl"
        " JOIN covers co ON co.id = cl.cover_id JOIN bicycles b ON b.id = co.bicycle_id"
        " JOIN policies p ON p.id = b.policy_id"
        " WHERE cl.member_id = 1 AND p.member_id = 1 AND b.make = 'Batavus'"
        " AND substr(b.first_sold_on, 1, 4) = '2014' AND cl.own_risk_cents = 8500"
        " AND (substr(cl.happened_at, 1, 4) = '2023' OR EXISTS (SELECT 1 FROM payments y WHERE y.claim_id = cl.id"
        " AND y.kind = 'payout' AND substr(y.paid_on, 1, 7) = '2026-03')) ORDER BY cl.id"
    )


def _objected(world, claim_id):
    new = [c["after"]["id"] for c in world.changes if c["table"] == "objections" and c["before"] is None]
    rows = world.final.query(
        "SELECT id FROM objections WHERE member_id = 1 AND claim_id = ? AND cover_id IS NULL AND about = 'own_risk'"
        " AND asked_own_risk_cents = 5000 AND status = 'filed' AND instr(lower(reason), 'lombok') > 0",
        [claim_id],
    )
    return len([row for row in rows if row["id"] in new]) == 1


def goal_objects_to_the_own_risk_of_march(world) -> bool:
    """One objection asks for 50 euros on the back wheel paid in March 2026."""
    claims = [c for c in _claims(world) if c["year"] != "2023"]
    return len(claims) == 1 and _objected(world, claims[0]["id"])


def goal_objects_to_the_own_risk_of_2023(world) -> bool:
    """One objection asks for 50 euros on the claim from 2023."""
    claims = [c for c in _claims(world) if c["year"] == "2023"]
    return len(claims) == 1 and _objected(world, claims[0]["id"])


def goal_says_what_is_owed_together(world) -> bool:
    """Says how much is owed on both claims together."""
    return world.report.says("owed_together", sum(c["own_risk_cents"] - 5000 for c in _claims(world)))


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_adds_objections_to_these_claims_only(world) -> bool:
    """Changed nothing but one new objection at most for each of the claims."""
    ids = [c["id"] for c in _claims(world)]
    seen = []
    for change in world.changes:
        after = change["after"]
        if change["table"] != "objections" or change["before"] is not None:
            return False
        if after["member_id"] != 1 or after["about"] != "own_risk" or after["claim_id"] not in ids:
            return False
        if after["status"] != "filed" or after["decided_at"] is not None or after["claim_id"] in seen:
            return False
        seen.append(after["claim_id"])
    return True
