def list_my_hosting_turns(env, *, status: str = None) -> dict:
    """List the user's own hosting turns in order of the start of the evening."""
    turns = env.query(
        """
        SELECT h.id, h.club_evening_id, e.starts_at, h.status, h.signed_up_at, h.given_back_at
        FROM hosting_turns h
        JOIN club_evenings e ON e.id = h.club_evening_id
        WHERE h.member_id = :user_id
          AND (:status IS NULL OR h.status = :status)
        ORDER BY e.starts_at, h.id
        """,
        {"user_id": env.user_id, "status": status},
    )
    return {"hosting_turns": turns}
