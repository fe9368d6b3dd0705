def search_club_evenings(
    env, *, first_day: str = None, last_day: str = None, status: str = None
) -> dict:
    """List the club evenings that meet all the given conditions, in order of their start."""
    evenings = env.query(
        """
        SELECT id, starts_at, ends_at, status
        FROM club_evenings
        WHERE (:first_day IS NULL OR substr(starts_at, 1, 10) >= :first_day)
          AND (:last_day IS NULL OR substr(starts_at, 1, 10) <= :last_day)
          AND (:status IS NULL OR status = :status)
        ORDER BY starts_at, id
        """,
        {"first_day": first_day, "last_day": last_day, "status": status},
    )
    return {"club_evenings": evenings}
