def withdraw_claim(env, *, claim_id: int) -> dict:
    """Withdraw a claim that is not decided yet."""
    claim = env.one(
        "SELECT id, claim_number, status FROM claims WHERE id = ? AND member_id = ?",
        [claim_id, env.user_id],
    )
    if claim is None:
        raise env.Error(f"you have no claim {claim_id}")
    if claim["status"] == "withdrawn":
        raise env.Error(f"claim {claim['claim_number']} is withdrawn already")
    if claim["status"] not in ("reported", "submitted"):
        raise env.Error(f"claim {claim['claim_number']} is {claim['status']}; only an undecided one can be withdrawn")
    env.execute("UPDATE claims SET status = 'withdrawn', withdrawn_at = ? WHERE id = ?", [env.now, claim_id])
    return env.one(
        "SELECT id, claim_number, cover_id, kind, status, happened_at, discovered_at, place, description,"
        " police_number, repair_shop_id, repair_amount_cents, brought_in_on, repair_expected_on, repair_ready_on,"
        " own_risk_cents, reported_at, submitted_at, decided_at, withdrawn_at FROM claims WHERE id = ?",
        [claim_id],
    )
