def list_mooring_bookings(env, *, status: str = None) -> dict:
    """Lists the mooring bookings of the household by arrival."""
    return {"mooring_bookings": env.query(
        "SELECT b.id AS mooring_booking_id, b.code, b.mooring_id, m.island_id, m.number, b.boat_name, b.boat_length_m,"
        " b.arrives_on, b.leaves_on, b.price_cents, b.status, b.booked_at, b.cancelled_at FROM mooring_bookings b"
        " JOIN moorings m ON m.id = b.mooring_id WHERE b.household_id = :me"
        " AND (:status IS NULL OR b.status = :status) ORDER BY b.arrives_on, b.id",
        {"me": env.user_id, "status": status})}
