def search_ringing_sessions(
    env,
    *,
    kind: str = None,
    method_id: int = None,
    status: str = None,
    first_day: str = None,
    last_day: str = None,
) -> dict:
    """List the ringing sessions that meet all the given conditions, in order of their start."""
    if method_id is not None:
        if env.one("SELECT id FROM methods WHERE id = ?", [method_id]) is None:
            raise env.Error(f"there is no method {method_id}")
    sessions = env.query(
        """
        SELECT s.id, s.kind, s.method_id, m.name AS method_name, s.starts_at,
               s.length_minutes, s.status, s.cancelled_at
        FROM ringing_sessions s
        JOIN methods m ON m.id = s.method_id
        WHERE (:kind IS NULL OR s.kind = :kind)
          AND (:method_id IS NULL OR s.method_id = :method_id)
          AND (:status IS NULL OR s.status = :status)
          AND (:first_day IS NULL OR substr(s.starts_at, 1, 10) >= :first_day)
          AND (:last_day IS NULL OR substr(s.starts_at, 1, 10) <= :last_day)
        ORDER BY s.starts_at, s.id
        """,
        {
            "kind": kind,
            "method_id": method_id,
            "status": status,
            "first_day": first_day,
            "last_day": last_day,
        },
    )
    return {"ringing_sessions": sessions}
