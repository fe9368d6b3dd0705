from datetime import date


def _search_berths_day(env, text, what):
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise env.Error(f"the {what} must be a day such as 2026-05-01")


def search_berths(
    env,
    *,
    kind: str = None,
    jetty_id: int = None,
    code: str = None,
    min_length_cm: int = None,
    min_width_cm: int = None,
    min_depth_cm: int = None,
    max_season_price_cents: int = None,
    free_first_day: str = None,
    free_last_day: str = None,
) -> dict:
    """Lists the berths that meet all the given conditions, in order of their code."""
    if (free_first_day is None) != (free_last_day is None):
        raise env.Error("give both the first and the last day on which the berth must be free, or neither")
    if free_first_day is not None:
        free_first_day = _search_berths_day(env, free_first_day, "first day")
        free_last_day = _search_berths_day(env, free_last_day, "last day")
        if free_last_day <= free_first_day:
            raise env.Error("the last day on which the berth must be free must come after the first")
    if jetty_id is not None:
        jetty = env.one("SELECT id FROM jetties WHERE id = :jetty_id", {"jetty_id": jetty_id})
        if jetty is None:
            raise env.Error(f"there is no jetty {jetty_id}")
    rows = env.query(
        """
        SELECT b.id, b.jetty_id, j.name AS jetty_name, b.code, b.kind, b.length_cm, b.width_cm, b.depth_cm,
               b.season_price_cents, b.night_price_cents
        FROM berths b
        JOIN jetties j ON j.id = b.jetty_id
        WHERE (:kind IS NULL OR b.kind = :kind)
          AND (:jetty_id IS NULL OR b.jetty_id = :jetty_id)
          AND (:code IS NULL OR b.code = :code)
          AND (:min_length_cm IS NULL OR b.length_cm >= :min_length_cm)
          AND (:min_width_cm IS NULL OR b.width_cm >= :min_width_cm)
          AND (:min_depth_cm IS NULL OR b.depth_cm >= :min_depth_cm)
          AND (:max_season_price_cents IS NULL OR b.season_price_cents <= :max_season_price_cents)
          AND (:free_first_day IS NULL OR NOT EXISTS (
                  SELECT 1 FROM berth_leases l
                  WHERE l.berth_id = b.id AND l.status IN ('requested', 'active')
                    AND l.first_day < :free_last_day AND l.last_day >= :free_first_day))
          AND (:free_first_day IS NULL OR NOT EXISTS (
                  SELECT 1 FROM guest_stays g
                  WHERE g.berth_id = b.id AND g.status = 'booked'
                    AND g.first_day < :free_last_day AND g.last_day > :free_first_day))
        ORDER BY b.code, b.id
        """,
        {
            "kind": kind,
            "jetty_id": jetty_id,
            "code": code,
            "min_length_cm": min_length_cm,
            "min_width_cm": min_width_cm,
            "min_depth_cm": min_depth_cm,
            "max_season_price_cents": max_season_price_cents,
            "free_first_day": free_first_day,
            "free_last_day": free_last_day,
        },
    )
    return {"berths": [dict(row) for row in rows]}
