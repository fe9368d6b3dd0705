def submit_claim(env, *, claim_id: int) -> dict:
    """Submit a reported claim for decision."""
    claim = env.one(
        "SELECT cl.id, cl.claim_number, cl.kind, cl.status, cl.police_number, co.kind AS cover_kind"
        " FROM claims cl JOIN covers co ON co.id = cl.cover_id WHERE cl.id = ? AND cl.member_id = ?",
        [claim_id, env.user_id],
    )
    if claim is None:
        raise env.Error(f"you have no claim {claim_id}")
    if claim["status"] != "reported":
        raise env.Error(f"claim {claim['claim_number']} is {claim['status']}, not reported")
    if claim["kind"] == "theft" and claim["cover_kind"] != "battery":
        if claim["police_number"] is None:
            raise env.Error(f"claim {claim['claim_number']} has no police number yet")
        keys = env.one(
            "SELECT count(*) AS n FROM handed_in_keys WHERE claim_id = ? AND quality = 'original'"
            " GROUP BY lock_id ORDER BY n DESC LIMIT 1",
            [claim_id],
        )
        if keys is None or keys["n"] < 2:
            raise env.Error(
                f"2 original keys of the lock must be handed in for claim {claim['claim_number']}"
                " before it can be submitted"
            )
    env.execute("UPDATE claims SET status = 'submitted', submitted_at = ? WHERE id = ?", [env.now, claim_id])
    return env.one(
        "SELECT id, claim_number, cover_id, kind, status, happened_at, discovered_at, place, description,"
        " police_number, repair_shop_id, repair_amount_cents, brought_in_on, repair_expected_on, repair_ready_on,"
        " own_risk_cents, reported_at, submitted_at, decided_at, withdrawn_at FROM claims WHERE id = ?",
        [claim_id],
    )
