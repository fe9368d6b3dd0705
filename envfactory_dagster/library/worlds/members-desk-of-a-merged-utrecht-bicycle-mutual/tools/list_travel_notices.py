def list_travel_notices(env, *, bicycle_id: int = None, year: int = None) -> dict:
    """List the travel notices of the member's bicycles by first day."""
    if bicycle_id is not None:
        bicycle = env.one(
            "SELECT b.id FROM bicycles b JOIN policies p ON p.id = b.policy_id WHERE b.id = ? AND p.member_id = ?",
            [bicycle_id, env.user_id],
        )
        if bicycle is None:
            raise env.Error(f"there is no bicycle {bicycle_id} on your policy")
    rows = env.query(
        "SELECT t.id, t.bicycle_id, t.countries, t.area, t.starts_on, t.ends_on, t.filed_at, t.withdrawn_at"
        " FROM travel_notices t JOIN bicycles b ON b.id = t.bicycle_id JOIN policies p ON p.id = b.policy_id"
        " WHERE p.member_id = :member AND (:bicycle IS NULL OR t.bicycle_id = :bicycle)"
        " AND (:year IS NULL OR (CAST(substr(t.starts_on, 1, 4) AS INTEGER) <= :year"
        " AND CAST(substr(t.ends_on, 1, 4) AS INTEGER) >= :year))"
        " ORDER BY t.starts_on, t.id",
        {"member": env.user_id, "bicycle": bicycle_id, "year": year},
    )
    return {"travel_notices": rows}
