def list_first_aid_bookings(env) -> dict:
    """Lists the pupil's own first aid bookings."""
    return {"first_aid_bookings": env.query(
        "SELECT id, first_aid_day_id, status, booked_at, cancelled_at FROM first_aid_bookings WHERE pupil_id = ? ORDER BY booked_at, id",
        [env.user_id])}
