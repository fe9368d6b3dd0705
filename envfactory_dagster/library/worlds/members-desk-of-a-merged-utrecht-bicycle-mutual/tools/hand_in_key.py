def hand_in_key(env, *, claim_id: int, lock_id: int, quality: str, way: str) -> dict:
    """Put down one key that is handed in for a reported theft claim."""
    claim = env.one(
        "SELECT cl.id, cl.claim_number, cl.kind, cl.status, co.bicycle_id"
        " FROM claims cl JOIN covers co ON co.id = cl.cover_id WHERE cl.id = ? AND cl.member_id = ?",
        [claim_id, env.user_id],
    )
    if claim is None:
        raise env.Error(f"you have no claim {claim_id}")
    if claim["kind"] != "theft":
        raise env.Error(f"claim {claim['claim_number']} is not about a theft")
    if claim["status"] != "reported":
        raise env.Error(f"claim {claim['claim_number']} is {claim['status']}; keys can no longer be handed in for it")
    lock = env.one("SELECT id FROM locks WHERE id = ? AND bicycle_id = ?", [lock_id, claim["bicycle_id"]])
    if lock is None:
        raise env.Error(f"the stolen bicycle has no lock {lock_id}")
    key_id = env.insert(
        "INSERT INTO handed_in_keys (claim_id, lock_id, quality, way, handed_in_at) VALUES (?, ?, ?, ?, ?)",
        [claim_id, lock_id, quality, way, env.now],
    )
    return env.one(
        "SELECT id, claim_id, lock_id, quality, way, handed_in_at FROM handed_in_keys WHERE id = ?", [key_id]
    )
