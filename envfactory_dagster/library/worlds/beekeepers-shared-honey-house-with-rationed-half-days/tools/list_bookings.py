def list_bookings(env, *, status: str | None = None, first_day: str | None = None, last_day: str | None = None) -> dict:
    """Lists the user's own bookings."""
    rows = env.query(
        """SELECT b.booking_no, d.held_on, d.half, b.honey_type, b.hive_type, b.super_count, b.fee_cents, b.status,
                  b.booked_at, t.member_no AS mentor_no, t.name AS mentor_name, b.mentor_answer,
                  d.full_refund_until, d.half_refund_until, b.lapsed_at, b.cancelled_at, b.cancel_reason, b.refund_cents
           FROM bookings b
           JOIN half_days d ON d.id = b.half_day_id
           LEFT JOIN members t ON t.id = b.mentor_id
           WHERE b.member_id = :user
             AND (:status IS NULL OR b.status = :status)
             AND (:first IS NULL OR d.held_on >= :first)
             AND (:last IS NULL OR d.held_on <= :last)
           ORDER BY d.held_on, d.half, b.id""",
        {"user": env.user_id, "status": status, "first": first_day, "last": last_day},
    )
    return {"bookings": [dict(r) for r in rows]}
