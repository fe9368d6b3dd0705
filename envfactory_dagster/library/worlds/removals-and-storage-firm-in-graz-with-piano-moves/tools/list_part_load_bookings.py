def list_part_load_bookings(env, *, status: str = None) -> dict:
    """Lists the user's part load bookings by the day of the trip, with their pickups."""
    bookings = env.query(
        """SELECT b.id AS part_load_booking_id, b.part_load_trip_id, t.destination, t.trip_day, b.price_cents, b.status,
                  b.booked_at
           FROM part_load_bookings b JOIN part_load_trips t ON t.id = b.part_load_trip_id
           WHERE b.customer_id = :user AND (:status IS NULL OR b.status = :status)
           ORDER BY t.trip_day, b.id""",
        {"user": env.user_id, "status": status},
    )
    for booking in bookings:
        booking["pickups"] = env.query(
            """SELECT id AS part_load_pickup_id, street, town, floor, has_usable_lift, volume_m3
               FROM part_load_pickups WHERE part_load_booking_id = ? ORDER BY id""",
            [booking["part_load_booking_id"]],
        )
        booking["volume_m3"] = round(sum(pickup["volume_m3"] for pickup in booking["pickups"]), 3)
    return {"part_load_bookings": bookings}
