def list_bicycles(env, *, make: str = None, kind: str = None, covered_only: bool = False) -> dict:
    """List the bicycles of the member's policies."""
    rows = env.query(
        "SELECT b.id, b.rider_name, b.kind, b.make, b.model, b.colour, b.frame_number, b.first_sold_on,"
        " b.acquired_on, b.price_cents, b.battery_wh, b.added_at,"
        " EXISTS (SELECT 1 FROM covers c WHERE c.bicycle_id = b.id AND c.starts_on <= :today"
        " AND (c.ends_on IS NULL OR c.ends_on >= :today)) AS covered_today"
        " FROM bicycles b JOIN policies p ON p.id = b.policy_id"
        " WHERE p.member_id = :member"
        " AND (:make IS NULL OR instr(lower(b.make), lower(:make)) > 0)"
        " AND (:kind IS NULL OR b.kind = :kind)"
        " ORDER BY b.id",
        {"member": env.user_id, "today": env.now[:10], "make": make, "kind": kind},
    )
    bicycles = []
    for row in rows:
        row["covered_today"] = bool(row["covered_today"])
        if row["covered_today"] or not covered_only:
            bicycles.append(row)
    return {"bicycles": bicycles}
