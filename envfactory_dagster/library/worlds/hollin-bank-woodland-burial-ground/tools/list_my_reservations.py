def list_my_reservations(env, *, status: str = None) -> dict:
    """List the user's own reservations in the order they were made."""
    reservations = env.query(
        """
        SELECT r.id, r.plot_id, p.bearing_degrees, p.distance_m, r.price_cents,
               r.upkeep_paid_until_year, r.status, r.reserved_at, r.released_at, r.used_at,
               r.lapsed_at, r.refund_cents
        FROM reservations r
        JOIN plots p ON p.id = r.plot_id
        WHERE r.family_contact_id = :user_id
          AND (:status IS NULL OR r.status = :status)
        ORDER BY r.reserved_at, r.id
        """,
        {"user_id": env.user_id, "status": status},
    )
    return {"reservations": reservations}
