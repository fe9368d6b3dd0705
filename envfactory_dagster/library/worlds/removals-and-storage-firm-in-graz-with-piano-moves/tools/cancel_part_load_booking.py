def cancel_part_load_booking(env, *, part_load_booking_id: int) -> dict:
    """Cancels a part load booking of the user's, free of charge."""
    booking = env.one(
        """SELECT b.status, t.code, t.trip_day, t.status AS trip_status
           FROM part_load_bookings b JOIN part_load_trips t ON t.id = b.part_load_trip_id
           WHERE b.id = :booking AND b.customer_id = :user""",
        {"booking": part_load_booking_id, "user": env.user_id},
    )
    if booking is None:
        raise env.Error(f"You have no part load booking {part_load_booking_id}.")
    if booking["status"] != "booked":
        raise env.Error(f"Part load booking {part_load_booking_id} is {booking['status']} already.")
    if booking["trip_status"] != "open":
        raise env.Error(f"Trip {booking['code']} is {booking['trip_status']}; its bookings can no longer be cancelled.")
    if booking["trip_day"] <= env.now[:10]:
        raise env.Error(f"The day of trip {booking['code']}, {booking['trip_day']}, has come already.")
    env.execute(
        """UPDATE part_load_bookings SET status = 'cancelled', cancelled_at = :now
           WHERE id = :booking AND customer_id = :user""",
        {"now": env.now, "booking": part_load_booking_id, "user": env.user_id},
    )
    return {"part_load_booking_id": part_load_booking_id, "status": "cancelled", "cancelled_at": env.now}
