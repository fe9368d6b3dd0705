def get_chair_rental(env, *, chair_rental_id: int) -> dict:
    """Shows one half-day of a barber with the times that are taken in it."""
    rental = env.one(
        "SELECT r.id, r.barber_id, b.name AS barber_name, r.day, r.half, r.starts_at, r.ends_at,"
        " r.status, r.given_back_at"
        " FROM chair_rentals r JOIN barbers b ON b.id = r.barber_id"
        " WHERE r.id = :id",
        {"id": chair_rental_id},
    )
    if rental is None:
        raise env.Error(f"there is no half-day {chair_rental_id}")
    taken = env.query(
        "SELECT starts_at, ends_at, customer_id FROM appointments"
        " WHERE chair_rental_id = :id AND status IN ('booked', 'confirmed')"
        " ORDER BY starts_at, ends_at, id",
        {"id": chair_rental_id},
    )
    result = dict(rental)
    result["taken_times"] = [
        {
            "starts_at": row["starts_at"],
            "ends_at": row["ends_at"],
            "is_mine": bool(row["customer_id"] == env.user_id),
        }
        for row in taken
    ]
    return result
