def list_my_holds(env, *, status: str = None) -> dict:
    """List the user's own holds in the order they were placed."""
    holds = env.query(
        """
        SELECT h.id, h.title_id, t.name AS title_name, h.copy_id, h.status, h.placed_at,
               h.ready_at, h.collected_at, h.expired_at, h.cancelled_at
        FROM holds h
        JOIN titles t ON t.id = h.title_id
        WHERE h.member_id = :user_id
          AND (:status IS NULL OR h.status = :status)
        ORDER BY h.placed_at, h.id
        """,
        {"user_id": env.user_id, "status": status},
    )
    return {"holds": holds}
