def search_plots(
    env,
    *,
    status: str = None,
    soil_id: int = None,
    min_bearing_degrees: int = None,
    max_bearing_degrees: int = None,
    max_distance_m: float = None,
    max_price_cents: int = None,
) -> dict:
    """List the plots that meet all the given conditions, by bearing and distance."""
    if soil_id is not None and env.one("SELECT id FROM soils WHERE id = ?", [soil_id]) is None:
        raise env.Error(f"there is no soil {soil_id}")
    plots = env.query(
        """
        SELECT p.id, p.soil_id, s.name AS soil_name, p.bearing_degrees, p.distance_m,
               p.price_cents, p.upkeep_cents, p.refund_cents, p.status
        FROM plots p
        JOIN soils s ON s.id = p.soil_id
        WHERE (:status IS NULL OR p.status = :status)
          AND (:soil_id IS NULL OR p.soil_id = :soil_id)
          AND (:min_bearing IS NULL OR p.bearing_degrees >= :min_bearing)
          AND (:max_bearing IS NULL OR p.bearing_degrees <= :max_bearing)
          AND (:max_distance IS NULL OR p.distance_m <= :max_distance)
          AND (:max_price IS NULL OR p.price_cents <= :max_price)
        ORDER BY p.bearing_degrees, p.distance_m, p.id
        """,
        {
            "status": status,
            "soil_id": soil_id,
            "min_bearing": min_bearing_degrees,
            "max_bearing": max_bearing_degrees,
            "max_distance": max_distance_m,
            "max_price": max_price_cents,
        },
    )
    return {"plots": plots}
