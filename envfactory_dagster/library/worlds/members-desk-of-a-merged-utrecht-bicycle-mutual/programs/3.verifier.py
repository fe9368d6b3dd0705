def _open(world):
    return world.initial.query(
        "SELECT cl.id, cl.status, cl.own_risk_cents, b.make || ' ' || b.model AS name,"
        " CASE WHEN s.has_agreement = 1 OR EXISTS (SELECT 1 FROM estimates e WHERE e.claim_id = cl.id"
        " AND e.status = 'approved') THEN cl.repair_amount_cents ELSE min(cl.repair_amount_cents, 15000) END AS counts"
        " FROM claims cl JOIN covers co ON co.id = cl.cover_id JOIN bicycles b ON b.id = co.bicycle_id"
        " LEFT JOIN repair_shops s ON s.id = cl.repair_shop_id"
        " WHERE cl.member_id = 1 AND cl.kind = 'damage' AND cl.status IN ('reported', 'submitted') ORDER BY cl.id"
    )


def _new_letters(world, claim_id):
    return [
        c
        for c in world.changes
        if c["table"] == "claim_papers"
        and c["before"] is None
        and c["after"]["claim_id"] == claim_id
        and c["after"]["kind"] == "letter"
    ]


def goal_letter_is_with_every_open_damage_claim(world) -> bool:
    """Put one letter with each undecided damage claim."""
    return all(len(_new_letters(world, row["id"])) == 1 for row in _open(world))


def goal_says_which_bicycles(world) -> bool:
    """Says for which bicycles the claims are."""
    return world.report.says("bicycles", [row["name"] for row in _open(world)])


def goal_says_what_is_still_to_submit(world) -> bool:
    """Says which of the claims still have to be submitted."""
    names = [row["name"] for row in _open(world) if row["status"] == "reported"]
    return world.report.says("still_to_submit", names)


def goal_says_payout_together(world) -> bool:
    """Says what may be expected for all of them together."""
    total = sum(max(0, row["counts"] - row["own_risk_cents"]) for row in _open(world))
    return world.report.says("payout_together", total)


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_adds_letters_to_open_damage_claims_only(world) -> bool:
    """Changed nothing but one new letter for each undecided damage claim at most."""
    ids = [row["id"] for row in _open(world)]
    for change in world.changes:
        if change["table"] != "claim_papers" or change["before"] is not None:
            return False
        if change["after"]["kind"] != "letter" or change["after"]["claim_id"] not in ids:
            return False
    return all(len(_new_letters(world, claim_id)) <= 1 for claim_id in ids)
