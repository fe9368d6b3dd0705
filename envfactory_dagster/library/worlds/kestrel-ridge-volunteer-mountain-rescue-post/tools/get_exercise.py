def get_exercise(env, *, exercise_id: int) -> dict:
    """Show one exercise with its taken and free places and whether the user holds one."""
    exercise = env.one(
        """
        SELECT e.id, e.skill_id, s.name AS skill_name, e.name, e.starts_at, e.ends_at,
               e.most_places, e.status
        FROM exercises e
        JOIN skills s ON s.id = e.skill_id
        WHERE e.id = ?
        """,
        [exercise_id],
    )
    if exercise is None:
        raise env.Error(f"there is no exercise {exercise_id}")
    counts = env.one(
        """
        SELECT COUNT(*) AS taken,
               COALESCE(SUM(CASE WHEN member_id = ? THEN 1 ELSE 0 END), 0) AS mine
        FROM exercise_places
        WHERE exercise_id = ? AND status <> 'given_up'
        """,
        [env.user_id, exercise_id],
    )
    result = dict(exercise)
    result["taken_places"] = counts["taken"]
    result["free_places"] = max(0, exercise["most_places"] - counts["taken"])
    result["is_mine"] = bool(counts["mine"] > 0)
    return result
