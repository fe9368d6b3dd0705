def search_woodland_outings(
    env,
    *,
    status: str = None,
    first_day: str = None,
    last_day: str = None,
    meeting_spot: str = None,
) -> dict:
    """List the woodland outings that meet all the given conditions, in the order they leave."""
    outings = env.query(
        """
        SELECT id, leaves_at, returns_at, meeting_spot, staff_count, status, called_off_at
        FROM woodland_outings
        WHERE (:status IS NULL OR status = :status)
          AND (:first_day IS NULL OR substr(leaves_at, 1, 10) >= :first_day)
          AND (:last_day IS NULL OR substr(leaves_at, 1, 10) <= :last_day)
          AND (:meeting_spot IS NULL OR instr(lower(meeting_spot), lower(:meeting_spot)) > 0)
        ORDER BY leaves_at, id
        """,
        {
            "status": status,
            "first_day": first_day,
            "last_day": last_day,
            "meeting_spot": meeting_spot,
        },
    )
    return {"woodland_outings": outings}
