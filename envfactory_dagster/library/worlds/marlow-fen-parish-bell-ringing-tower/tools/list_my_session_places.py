def list_my_session_places(
    env,
    *,
    status: str = None,
    kind: str = None,
    method_id: int = None,
    first_day: str = None,
    last_day: str = None,
) -> dict:
    """List the user's own session places that meet all the given conditions, by start of the session."""
    if method_id is not None:
        if env.one("SELECT id FROM methods WHERE id = ?", [method_id]) is None:
            raise env.Error(f"there is no method {method_id}")
    places = env.query(
        """
        SELECT p.id, p.ringing_session_id, p.bell_id, b.number AS bell_number, p.status,
               p.taken_at, p.given_up_at, s.kind, s.method_id, m.name AS method_name,
               s.starts_at
        FROM session_places p
        JOIN ringing_sessions s ON s.id = p.ringing_session_id
        JOIN methods m ON m.id = s.method_id
        JOIN bells b ON b.id = p.bell_id
        WHERE p.ringer_id = :user_id
          AND (:status IS NULL OR p.status = :status)
          AND (:kind IS NULL OR s.kind = :kind)
          AND (:method_id IS NULL OR s.method_id = :method_id)
          AND (:first_day IS NULL OR substr(s.starts_at, 1, 10) >= :first_day)
          AND (:last_day IS NULL OR substr(s.starts_at, 1, 10) <= :last_day)
        ORDER BY s.starts_at, p.id
        """,
        {
            "user_id": env.user_id,
            "status": status,
            "kind": kind,
            "method_id": method_id,
            "first_day": first_day,
            "last_day": last_day,
        },
    )
    return {"session_places": places}
