def get_appointment(env, *, appointment_id: int) -> dict:
    """Shows one of the user's own appointments."""
    appointment = env.one(
        "SELECT a.id, r.barber_id, b.name AS barber_name, a.service_id, s.name AS service_name,"
        " a.chair_rental_id, a.starts_at, a.ends_at, a.price_cents, a.status, a.booked_at,"
        " a.confirmed_at, a.cancelled_at"
        " FROM appointments a"
        " JOIN services s ON s.id = a.service_id"
        " JOIN chair_rentals r ON r.id = a.chair_rental_id"
        " JOIN barbers b ON b.id = r.barber_id"
        " WHERE a.id = :id AND a.customer_id = :user_id",
        {"id": appointment_id, "user_id": env.user_id},
    )
    if appointment is None:
        raise env.Error(f"you have no appointment {appointment_id}")
    return {"appointment": appointment}
