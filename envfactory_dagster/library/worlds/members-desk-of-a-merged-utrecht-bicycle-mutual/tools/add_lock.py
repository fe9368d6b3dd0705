def add_lock(env, *, bicycle_id: int, make: str, kind: str, category: int) -> dict:
    """Put a lock down for a bicycle on the member's policy."""
    bicycle = env.one(
        "SELECT b.id FROM bicycles b JOIN policies p ON p.id = b.policy_id WHERE b.id = ? AND p.member_id = ?",
        [bicycle_id, env.user_id],
    )
    if bicycle is None:
        raise env.Error(f"there is no bicycle {bicycle_id} on your policy")
    if category < 1 or category > 5:
        raise env.Error("the category of a lock is from 1 to 5")
    lock_id = env.insert(
        "INSERT INTO locks (bicycle_id, make, kind, category, added_on) VALUES (?, ?, ?, ?, ?)",
        [bicycle_id, make, kind, category, env.now[:10]],
    )
    return env.one("SELECT id, bicycle_id, make, kind, category, added_on FROM locks WHERE id = ?", [lock_id])
