def get_ringing_session(env, *, ringing_session_id: int) -> dict:
    """Show one ringing session with its taken or rung places and its free bells."""
    session = env.one(
        """
        SELECT s.id, s.kind, s.method_id, m.name AS method_name, s.starts_at,
               s.length_minutes, s.status, s.cancelled_at
        FROM ringing_sessions s
        JOIN methods m ON m.id = s.method_id
        WHERE s.id = ?
        """,
        [ringing_session_id],
    )
    if session is None:
        raise env.Error(f"there is no ringing session {ringing_session_id}")
    places = env.query(
        """
        SELECT p.id, p.bell_id, b.number AS bell_number, p.ringer_id,
               r.name AS ringer_name, p.status
        FROM session_places p
        JOIN bells b ON b.id = p.bell_id
        JOIN ringers r ON r.id = p.ringer_id
        WHERE p.ringing_session_id = ? AND p.status IN ('taken', 'rung')
        ORDER BY b.number, p.id
        """,
        [ringing_session_id],
    )
    free_bells = env.query(
        """
        SELECT b.id, b.number, b.weight_kg, b.is_tenor, b.daily_minutes
        FROM bells b
        WHERE NOT EXISTS (
            SELECT 1 FROM session_places p
            WHERE p.ringing_session_id = ? AND p.bell_id = b.id
              AND p.status IN ('taken', 'rung')
        )
        ORDER BY b.number
        """,
        [ringing_session_id],
    )
    result = dict(session)
    result["session_places"] = [
        {
            "id": place["id"],
            "bell_id": place["bell_id"],
            "bell_number": place["bell_number"],
            "ringer_id": place["ringer_id"],
            "ringer_name": place["ringer_name"],
            "is_mine": bool(place["ringer_id"] == env.user_id),
            "status": place["status"],
        }
        for place in places
    ]
    result["free_bells"] = free_bells
    return result
