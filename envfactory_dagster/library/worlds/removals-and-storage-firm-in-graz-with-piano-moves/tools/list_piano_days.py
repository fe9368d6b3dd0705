def list_piano_days(env, *, first_day: str, last_day: str) -> dict:
    """Lists the days on which the piano lift is taken, and whether it is by the user."""
    return {
        "days": env.query(
            """SELECT r.removal_day, max(r.customer_id = :user) AS is_own
               FROM removals r
               WHERE r.status <> 'cancelled' AND r.removal_day >= :first_day AND r.removal_day <= :last_day
                 AND EXISTS (SELECT 1 FROM pianos p WHERE p.removal_id = r.id)
               GROUP BY r.removal_day ORDER BY r.removal_day""",
            {"user": env.user_id, "first_day": first_day, "last_day": last_day},
        )
    }
