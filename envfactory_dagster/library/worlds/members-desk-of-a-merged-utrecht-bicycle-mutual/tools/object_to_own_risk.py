def object_to_own_risk(env, *, claim_id: int, asked_own_risk_cents: int, reason: str) -> dict:
    """File an objection to the own risk taken for a claim."""
    claim = env.one(
        "SELECT id, claim_number, status, own_risk_cents FROM claims WHERE id = ? AND member_id = ?",
        [claim_id, env.user_id],
    )
    if claim is None:
        raise env.Error(f"you have no claim {claim_id}")
    if claim["status"] == "withdrawn":
        raise env.Error(f"claim {claim['claim_number']} is withdrawn, no own risk is taken for it")
    if asked_own_risk_cents not in (3500, 5000, 6000, 8500):
        raise env.Error("the own risk is 35, 50, 60 or 85 euros")
    if asked_own_risk_cents == claim["own_risk_cents"]:
        raise env.Error(f"that is the own risk taken for claim {claim['claim_number']} already")
    open_one = env.one("SELECT id FROM objections WHERE claim_id = ? AND status = 'filed' LIMIT 1", [claim_id])
    if open_one is not None:
        raise env.Error(f"your objection about claim {claim['claim_number']} is not decided yet")
    objection_id = env.insert(
        "INSERT INTO objections (member_id, claim_id, about, asked_own_risk_cents, reason, status, filed_at)"
        " VALUES (?, ?, 'own_risk', ?, ?, 'filed', ?)",
        [env.user_id, claim_id, asked_own_risk_cents, reason, env.now],
    )
    return env.one(
        "SELECT id, claim_id, cover_id, about, asked_own_risk_cents, asked_end_on, reason, status, filed_at, decided_at"
        " FROM objections WHERE id = ?",
        [objection_id],
    )
