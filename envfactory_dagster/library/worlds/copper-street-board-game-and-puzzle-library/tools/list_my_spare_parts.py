def list_my_spare_parts(env, *, status: str = None) -> dict:
    """List the spare parts the user has offered."""
    parts = env.query(
        """
        SELECT id, piece_report_id, description, status, offered_at, decided_at
        FROM spare_parts
        WHERE member_id = :user_id
          AND (:status IS NULL OR status = :status)
        ORDER BY offered_at, id
        """,
        {"user_id": env.user_id, "status": status},
    )
    return {"spare_parts": parts}
