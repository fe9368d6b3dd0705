def list_my_shift_places(env, *, status: str = None, first_day: str = None, last_day: str = None) -> dict:
    """Lists the user's own shift places in order of the shift's start."""
    rows = env.query(
        """
        SELECT p.id, p.duty_shift_id, s.kind, s.starts_at, s.ends_at, p.status, p.taken_at,
               p.handed_over_at, p.given_up_at
        FROM shift_places p
        JOIN duty_shifts s ON s.id = p.duty_shift_id
        WHERE p.member_id = :member_id
          AND (:status IS NULL OR p.status = :status)
          AND (:first_day IS NULL OR substr(s.starts_at, 1, 10) >= :first_day)
          AND (:last_day IS NULL OR substr(s.starts_at, 1, 10) <= :last_day)
        ORDER BY s.starts_at, p.id
        """,
        {"member_id": env.user_id, "status": status, "first_day": first_day, "last_day": last_day},
    )
    return {"shift_places": [dict(row) for row in rows]}
