def list_mentor_requests(env, *, status: str | None = None) -> dict:
    """Lists the bookings of newcomers that name the user as mentor."""
    rows = env.query(
        """SELECT b.booking_no, m.name AS member_name, m.village, d.held_on, d.half, b.honey_type, b.hive_type,
                  b.super_count, b.status, b.booked_at, d.closes_at, b.mentor_answer, b.answered_at
           FROM bookings b
           JOIN half_days d ON d.id = b.half_day_id
           JOIN members m ON m.id = b.member_id
           WHERE b.mentor_id = :user AND (:status IS NULL OR b.status = :status)
           ORDER BY d.held_on, d.half, b.id""",
        {"user": env.user_id, "status": status},
    )
    return {"requests": [dict(r) for r in rows]}
