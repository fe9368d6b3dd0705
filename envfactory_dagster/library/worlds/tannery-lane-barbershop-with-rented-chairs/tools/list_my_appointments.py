def list_my_appointments(
    env, *, status: str = None, barber_id: int = None, first_day: str = None, last_day: str = None
) -> dict:
    """Lists the user's own appointments that meet all the given conditions, in order of their start."""
    if barber_id is not None and env.one("SELECT id FROM barbers WHERE id = :id", {"id": barber_id}) is None:
        raise env.Error(f"there is no barber {barber_id}")
    rows = env.query(
        "SELECT a.id, r.barber_id, b.name AS barber_name, a.service_id, s.name AS service_name,"
        " a.chair_rental_id, a.starts_at, a.ends_at, a.price_cents, a.status, a.booked_at,"
        " a.confirmed_at, a.cancelled_at"
        " FROM appointments a"
        " JOIN services s ON s.id = a.service_id"
        " JOIN chair_rentals r ON r.id = a.chair_rental_id"
        " JOIN barbers b ON b.id = r.barber_id"
        " WHERE a.customer_id = :user_id"
        " AND (:status IS NULL OR a.status = :status)"
        " AND (:barber_id IS NULL OR r.barber_id = :barber_id)"
        " AND (:first_day IS NULL OR substr(a.starts_at, 1, 10) >= :first_day)"
        " AND (:last_day IS NULL OR substr(a.starts_at, 1, 10) <= :last_day)"
        " ORDER BY a.starts_at, a.id",
        {
            "user_id": env.user_id,
            "status": status,
            "barber_id": barber_id,
            "first_day": first_day,
            "last_day": last_day,
        },
    )
    return {"appointments": rows}
