def search_callouts(
    env,
    *,
    status: str = None,
    sector_id: int = None,
    first_day: str = None,
    last_day: str = None,
) -> dict:
    """List the callouts that meet all the given conditions, in the order they were opened."""
    if sector_id is not None:
        if env.one("SELECT id FROM sectors WHERE id = ?", [sector_id]) is None:
            raise env.Error(f"there is no sector {sector_id}")
    callouts = env.query(
        """
        SELECT c.id, c.code, c.sector_id, s.name AS sector_name, c.reason, c.status, c.opened_at,
               c.stood_down_at, c.closed_at
        FROM callouts c
        JOIN sectors s ON s.id = c.sector_id
        WHERE (:status IS NULL OR c.status = :status)
          AND (:sector_id IS NULL OR c.sector_id = :sector_id)
          AND (:first_day IS NULL OR substr(c.opened_at, 1, 10) >= :first_day)
          AND (:last_day IS NULL OR substr(c.opened_at, 1, 10) <= :last_day)
        ORDER BY c.opened_at, c.id
        """,
        {
            "status": status,
            "sector_id": sector_id,
            "first_day": first_day,
            "last_day": last_day,
        },
    )
    return {"callouts": callouts}
