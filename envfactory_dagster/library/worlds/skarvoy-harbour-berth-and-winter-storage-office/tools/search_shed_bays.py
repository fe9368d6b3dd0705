def search_shed_bays(
    env,
    *,
    min_length_cm: int = None,
    min_width_cm: int = None,
    max_winter_price_cents: int = None,
    free_first_day: str = None,
    free_last_day: str = None,
) -> dict:
    """List the bays of the winter shed that meet all the given conditions, in order of price."""
    if (free_first_day is None) != (free_last_day is None):
        raise env.Error("give both the first and the last day on which the bay must be free")
    if free_first_day is not None and free_last_day < free_first_day:
        raise env.Error("the last day cannot lie before the first day")
    bays = env.query(
        """
        SELECT b.id, b.code, b.length_cm, b.width_cm, b.winter_price_cents
        FROM shed_bays b
        WHERE (:min_length IS NULL OR b.length_cm >= :min_length)
          AND (:min_width IS NULL OR b.width_cm >= :min_width)
          AND (:max_price IS NULL OR b.winter_price_cents <= :max_price)
          AND (:first_day IS NULL OR NOT EXISTS (
                  SELECT 1 FROM shed_places p
                  WHERE p.shed_bay_id = b.id AND p.status IN ('reserved', 'occupied')
                    AND p.first_day <= :last_day AND p.last_day >= :first_day
              ))
        ORDER BY b.winter_price_cents, b.code, b.id
        """,
        {
            "min_length": min_length_cm,
            "min_width": min_width_cm,
            "max_price": max_winter_price_cents,
            "first_day": free_first_day,
            "last_day": free_last_day,
        },
    )
    return {"shed_bays": bays}
