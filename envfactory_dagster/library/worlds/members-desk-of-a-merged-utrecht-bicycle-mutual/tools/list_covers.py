def list_covers(env, *, kind: str = None, running_only: bool = False) -> dict:
    """List the covers on the member's policies."""
    rows = env.query(
        "SELECT c.id, c.bicycle_id, c.kind, c.insured_value_cents, c.monthly_premium_cents, c.starts_on,"
        " c.ends_on, c.cancelled_at"
        " FROM covers c JOIN bicycles b ON b.id = c.bicycle_id JOIN policies p ON p.id = b.policy_id"
        " WHERE p.member_id = :member AND (:kind IS NULL OR c.kind = :kind)"
        " AND (:running = 0 OR (c.starts_on <= :today AND (c.ends_on IS NULL OR c.ends_on >= :today)))"
        " ORDER BY c.bicycle_id, c.starts_on, c.id",
        {"member": env.user_id, "kind": kind, "running": 1 if running_only else 0, "today": env.now[:10]},
    )
    return {"covers": rows}
