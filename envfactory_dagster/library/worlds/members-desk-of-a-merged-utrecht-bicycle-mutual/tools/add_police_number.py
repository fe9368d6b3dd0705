def add_police_number(env, *, claim_id: int, police_number: str) -> dict:
    """Put the number of the police report on a reported theft claim."""
    claim = env.one(
        "SELECT id, claim_number, kind, status, police_number FROM claims WHERE id = ? AND member_id = ?",
        [claim_id, env.user_id],
    )
    if claim is None:
        raise env.Error(f"you have no claim {claim_id}")
    if claim["kind"] != "theft":
        raise env.Error(f"claim {claim['claim_number']} is not about a theft")
    if claim["status"] != "reported":
        raise env.Error(f"claim {claim['claim_number']} is {claim['status']}; its police number is fixed")
    if claim["police_number"] is not None and claim["police_number"] != police_number:
        raise env.Error(f"claim {claim['claim_number']} has police number {claim['police_number']} already")
    env.execute("UPDATE claims SET police_number = ? WHERE id = ?", [police_number, claim_id])
    return env.one(
        "SELECT id, claim_number, cover_id, kind, status, happened_at, discovered_at, place, description,"
        " police_number, repair_shop_id, repair_amount_cents, brought_in_on, repair_expected_on, repair_ready_on,"
        " own_risk_cents, reported_at, submitted_at, decided_at, withdrawn_at FROM claims WHERE id = ?",
        [claim_id],
    )
