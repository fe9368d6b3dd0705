def list_my_owner_credits(env, *, first_day: str = None, last_day: str = None) -> dict:
    """List what the user was credited for guests in the user's leased berth."""
    credits = env.query(
        """
        SELECT c.id, c.guest_stay_id, g.absence_notice_id, c.amount_cents, c.credited_at
        FROM owner_credits c
        JOIN guest_stays g ON g.id = c.guest_stay_id
        WHERE c.boat_owner_id = :user_id
          AND (:first_day IS NULL OR substr(c.credited_at, 1, 10) >= :first_day)
          AND (:last_day IS NULL OR substr(c.credited_at, 1, 10) <= :last_day)
        ORDER BY c.credited_at, c.id
        """,
        {"user_id": env.user_id, "first_day": first_day, "last_day": last_day},
    )
    return {"owner_credits": credits}
