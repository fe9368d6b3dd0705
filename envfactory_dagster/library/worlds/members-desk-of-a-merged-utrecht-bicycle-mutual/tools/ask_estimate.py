def ask_estimate(env, *, claim_id: int, repair_shop_id: int, amount_cents: int, description: str) -> dict:
    """Ask the mutual to look at a shop's estimate for a damage claim."""
    claim = env.one(
        "SELECT id, claim_number, kind, status, repair_ready_on FROM claims WHERE id = ? AND member_id = ?",
        [claim_id, env.user_id],
    )
    if claim is None:
        raise env.Error(f"you have no claim {claim_id}")
    if claim["kind"] != "damage":
        raise env.Error(f"claim {claim['claim_number']} is not about damage")
    if claim["status"] not in ("reported", "submitted"):
        raise env.Error(f"claim {claim['claim_number']} is {claim['status']}; no estimate can be asked for it")
    if claim["repair_ready_on"] is not None:
        raise env.Error(f"the repair of claim {claim['claim_number']} is ready; an estimate is looked at before it")
    if env.one("SELECT id FROM repair_shops WHERE id = ?", [repair_shop_id]) is None:
        raise env.Error(f"there is no repair shop {repair_shop_id}")
    if amount_cents <= 0:
        raise env.Error("the estimate must be more than nothing")
    asked = env.one("SELECT id FROM estimates WHERE claim_id = ? AND status = 'asked' LIMIT 1", [claim_id])
    if asked is not None:
        raise env.Error(f"another estimate for claim {claim['claim_number']} is still being looked at")
    estimate_id = env.insert(
        "INSERT INTO estimates (claim_id, repair_shop_id, amount_cents, description, status, asked_at)"
        " VALUES (?, ?, ?, ?, 'asked', ?)",
        [claim_id, repair_shop_id, amount_cents, description, env.now],
    )
    return env.one(
        "SELECT id, claim_id, repair_shop_id, amount_cents, description, status, asked_at, decided_at"
        " FROM estimates WHERE id = ?",
        [estimate_id],
    )
