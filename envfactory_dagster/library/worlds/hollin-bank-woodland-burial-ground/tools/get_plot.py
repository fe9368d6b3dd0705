def get_plot(env, *, plot_id: int) -> dict:
    """Show one plot and whether the user holds it."""
    plot = env.one(
        """
        SELECT p.id, p.soil_id, s.name AS soil_name, p.bearing_degrees, p.distance_m,
               p.price_cents, p.upkeep_cents, p.refund_cents, p.status
        FROM plots p
        JOIN soils s ON s.id = p.soil_id
        WHERE p.id = ?
        """,
        [plot_id],
    )
    if plot is None:
        raise env.Error(f"there is no plot {plot_id}")
    held = env.one(
        """
        SELECT id FROM reservations
        WHERE plot_id = ? AND family_contact_id = ? AND status IN ('active', 'used')
        """,
        [plot_id, env.user_id],
    )
    result = dict(plot)
    result["is_mine"] = bool(held is not None)
    return result
