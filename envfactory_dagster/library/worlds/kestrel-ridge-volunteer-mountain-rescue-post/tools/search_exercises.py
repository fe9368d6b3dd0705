def search_exercises(
    env,
    *,
    skill_id: int = None,
    name: str = None,
    status: str = None,
    first_day: str = None,
    last_day: str = None,
) -> dict:
    """List the exercises that meet all the given conditions, in order of their start."""
    if skill_id is not None and env.one("SELECT id FROM skills WHERE id = ?", [skill_id]) is None:
        raise env.Error(f"there is no skill {skill_id}")
    exercises = env.query(
        """
        SELECT e.id, e.skill_id, s.name AS skill_name, e.name, e.starts_at, e.ends_at,
               e.most_places, e.status
        FROM exercises e
        JOIN skills s ON s.id = e.skill_id
        WHERE (:skill_id IS NULL OR e.skill_id = :skill_id)
          AND (:name IS NULL OR instr(lower(e.name), lower(:name)) > 0)
          AND (:status IS NULL OR e.status = :status)
          AND (:first_day IS NULL OR substr(e.starts_at, 1, 10) >= :first_day)
          AND (:last_day IS NULL OR substr(e.starts_at, 1, 10) <= :last_day)
        ORDER BY e.starts_at, e.id
        """,
        {
            "skill_id": skill_id,
            "name": name,
            "status": status,
            "first_day": first_day,
            "last_day": last_day,
        },
    )
    return {"exercises": exercises}
