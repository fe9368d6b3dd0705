def list_my_exercise_places(
    env, *, status: str = None, first_day: str = None, last_day: str = None
) -> dict:
    """List the user's own exercise places in order of the exercise's start."""
    places = env.query(
        """
        SELECT p.id, p.exercise_id, e.name AS exercise_name, e.starts_at, p.status, p.taken_at,
               p.given_up_at
        FROM exercise_places p
        JOIN exercises e ON e.id = p.exercise_id
        WHERE p.member_id = :user_id
          AND (:status IS NULL OR p.status = :status)
          AND (:first_day IS NULL OR substr(e.starts_at, 1, 10) >= :first_day)
          AND (:last_day IS NULL OR substr(e.starts_at, 1, 10) <= :last_day)
        ORDER BY e.starts_at, p.id
        """,
        {
            "user_id": env.user_id,
            "status": status,
            "first_day": first_day,
            "last_day": last_day,
        },
    )
    return {"exercise_places": places}
