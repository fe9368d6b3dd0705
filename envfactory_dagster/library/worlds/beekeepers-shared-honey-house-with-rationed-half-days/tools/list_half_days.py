def list_half_days(env, *, first_day: str, last_day: str, half: str | None = None, free_only: bool = False) -> dict:
    """Lists half-days with their state."""
    rows = env.query(
        """SELECT s.held_on, s.half, s.state, s.full_refund_until, s.closes_at, s.half_refund_until, s.holiday
           FROM (SELECT d.id, d.held_on, d.half, d.full_refund_until, d.closes_at, d.half_refund_until, d.holiday,
                        CASE WHEN d.status <> 'open' THEN d.status
                             WHEN b.status IS NULL THEN 'free'
                             WHEN b.status = 'awaiting_mentor' THEN 'awaiting_mentor'
                             ELSE 'taken' END AS state
                 FROM half_days d
                 LEFT JOIN bookings b ON b.half_day_id = d.id
                   AND b.status IN ('awaiting_mentor', 'confirmed', 'extracted')
                 WHERE d.held_on >= :first AND d.held_on <= :last
                   AND (:half IS NULL OR d.half = :half)) s
           WHERE :free = 0 OR s.state = 'free'
           ORDER BY s.held_on, s.half, s.id""",
        {"first": first_day, "last": last_day, "half": half, "free": 1 if free_only else 0},
    )
    return {"half_days": [dict(r) for r in rows]}
