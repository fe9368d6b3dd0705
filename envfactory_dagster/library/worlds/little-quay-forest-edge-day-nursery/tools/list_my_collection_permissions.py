def list_my_collection_permissions(
    env,
    *,
    child_id: int = None,
    status: str = None,
    collector_name: str = None,
    from_day: str = None,
    until_day: str = None,
) -> dict:
    """List the collection permissions for the user's own children that meet all the given conditions."""
    if child_id is not None:
        own = env.one(
            "SELECT id FROM children WHERE id = ? AND guardian_id = ?", [child_id, env.user_id]
        )
        if own is None:
            raise env.Error(f"you have no child {child_id} at the nursery")
    permissions = env.query(
        """
        SELECT p.id, p.child_id, c.name AS child_name, p.collector_name, p.collector_birth_date,
               p.first_day, p.last_day, p.status, p.given_at, p.withdrawn_at
        FROM collection_permissions p
        JOIN children c ON c.id = p.child_id
        WHERE c.guardian_id = :user_id
          AND (:child_id IS NULL OR p.child_id = :child_id)
          AND (:status IS NULL OR p.status = :status)
          AND (:collector_name IS NULL OR instr(lower(p.collector_name), lower(:collector_name)) > 0)
          AND (:from_day IS NULL OR p.last_day >= :from_day)
          AND (:until_day IS NULL OR p.first_day <= :until_day)
        ORDER BY p.first_day, p.id
        """,
        {
            "user_id": env.user_id,
            "child_id": child_id,
            "status": status,
            "collector_name": collector_name,
            "from_day": from_day,
            "until_day": until_day,
        },
    )
    return {"collection_permissions": permissions}
