def list_my_table_bookings(
    env, *, status: str = None, first_day: str = None, last_day: str = None
) -> dict:
    """List the user's own table bookings that meet all the given conditions."""
    bookings = env.query(
        """
        SELECT b.id, b.club_evening_id, e.starts_at, b.play_table_id, p.name AS play_table_name,
               p.seats, b.people, b.status, b.booked_at, b.cancelled_at
        FROM table_bookings b
        JOIN club_evenings e ON e.id = b.club_evening_id
        JOIN play_tables p ON p.id = b.play_table_id
        WHERE b.member_id = :user_id
          AND (:status IS NULL OR b.status = :status)
          AND (:first_day IS NULL OR substr(e.starts_at, 1, 10) >= :first_day)
          AND (:last_day IS NULL OR substr(e.starts_at, 1, 10) <= :last_day)
        ORDER BY e.starts_at, b.id
        """,
        {
            "user_id": env.user_id,
            "status": status,
            "first_day": first_day,
            "last_day": last_day,
        },
    )
    return {"table_bookings": bookings}
