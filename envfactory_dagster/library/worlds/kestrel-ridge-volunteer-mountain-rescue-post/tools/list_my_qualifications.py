def list_my_qualifications(
    env, *, skill_id: int = None, first_last_day: str = None, last_last_day: str = None
) -> dict:
    """List the user's own qualifications in order of their last day."""
    if skill_id is not None and env.one("SELECT id FROM skills WHERE id = ?", [skill_id]) is None:
        raise env.Error(f"there is no skill {skill_id}")
    qualifications = env.query(
        """
        SELECT q.id, q.skill_id, s.name AS skill_name, q.first_day, q.last_day
        FROM qualifications q
        JOIN skills s ON s.id = q.skill_id
        WHERE q.member_id = :user_id
          AND (:skill_id IS NULL OR q.skill_id = :skill_id)
          AND (:first_last_day IS NULL OR q.last_day >= :first_last_day)
          AND (:last_last_day IS NULL OR q.last_day <= :last_last_day)
        ORDER BY q.last_day, q.id
        """,
        {
            "user_id": env.user_id,
            "skill_id": skill_id,
            "first_last_day": first_last_day,
            "last_last_day": last_last_day,
        },
    )
    return {"qualifications": qualifications}
