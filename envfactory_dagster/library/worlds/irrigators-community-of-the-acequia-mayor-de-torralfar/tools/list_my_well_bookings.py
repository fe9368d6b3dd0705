def list_my_well_bookings(env, *, status: str = None, first_day: str = None, last_day: str = None) -> dict:
    """The member's own bookings of the well by the beginning of the water."""
    return {
        "well_bookings": env.query(
            "SELECT w.id AS well_booking_id, w.code, w.plot_id, p.plot, w.starts_at, w.ends_at, w.hours, w.price_cents, w.status, w.booked_at, w.paid_by, "
            "w.cancelled_at, w.kept_cents FROM well_bookings w JOIN plots p ON p.id = w.plot_id WHERE w.member_id = :member "
            "AND (:status IS NULL OR w.status = :status) AND (:first IS NULL OR substr(w.starts_at, 1, 10) >= :first) "
            "AND (:last IS NULL OR substr(w.starts_at, 1, 10) <= :last) ORDER BY w.starts_at, w.id",
            {"member": env.user_id, "status": status, "first": first_day, "last": last_day},
        )
    }
