def search_tide_windows(
    env,
    *,
    first_day: str = None,
    last_day: str = None,
    min_water_depth_cm: int = None,
    max_booked_lifts: int = None,
) -> dict:
    """List the tide windows that meet all the given conditions, with the lifts booked in each."""
    windows = env.query(
        """
        SELECT w.id, w.starts_at, w.ends_at, w.water_depth_cm,
               (SELECT COUNT(*) FROM crane_lifts c
                WHERE c.tide_window_id = w.id AND c.status = 'booked') AS booked_lifts
        FROM tide_windows w
        WHERE (:first_day IS NULL OR substr(w.starts_at, 1, 10) >= :first_day)
          AND (:last_day IS NULL OR substr(w.starts_at, 1, 10) <= :last_day)
          AND (:min_depth IS NULL OR w.water_depth_cm >= :min_depth)
          AND (:max_lifts IS NULL OR (SELECT COUNT(*) FROM crane_lifts c
                                      WHERE c.tide_window_id = w.id
                                        AND c.status = 'booked') <= :max_lifts)
        ORDER BY w.starts_at, w.id
        """,
        {
            "first_day": first_day,
            "last_day": last_day,
            "min_depth": min_water_depth_cm,
            "max_lifts": max_booked_lifts,
        },
    )
    return {"tide_windows": windows}
