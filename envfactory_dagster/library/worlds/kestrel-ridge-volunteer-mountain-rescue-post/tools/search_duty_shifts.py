def search_duty_shifts(env, *, kind: str = None, first_day: str = None, last_day: str = None) -> dict:
    """Lists the duty shifts that meet all the given conditions, in order of their start."""
    rows = env.query(
        """
        SELECT id, kind, starts_at, ends_at, most_places FROM duty_shifts
        WHERE (:kind IS NULL OR kind = :kind)
          AND (:first_day IS NULL OR substr(starts_at, 1, 10) >= :first_day)
          AND (:last_day IS NULL OR substr(starts_at, 1, 10) <= :last_day)
        ORDER BY starts_at, id
        """,
        {"kind": kind, "first_day": first_day, "last_day": last_day},
    )
    return {"duty_shifts": [dict(row) for row in rows]}
