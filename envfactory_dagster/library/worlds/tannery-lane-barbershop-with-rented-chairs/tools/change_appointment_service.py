from datetime import datetime, timedelta


def change_appointment_service(env, *, appointment_id: int, service_id: int) -> dict:
    """Changes the user's own booked or confirmed appointment to another service of the same barber."""
    appointment = env.one(
        "SELECT a.id, a.status, a.starts_at, r.barber_id, b.name AS barber_name, r.ends_at AS half_day_ends_at"
        " FROM appointments a"
        " JOIN chair_rentals r ON r.id = a.chair_rental_id"
        " JOIN barbers b ON b.id = r.barber_id"
        " WHERE a.id = :id AND a.customer_id = :user_id",
        {"id": appointment_id, "user_id": env.user_id},
    )
    if appointment is None:
        raise env.Error(f"you have no appointment {appointment_id}")
    service = env.one(
        "SELECT id, barber_id, name, duration_minutes, price_cents FROM services WHERE id = :id",
        {"id": service_id},
    )
    if service is None:
        raise env.Error(f"there is no service {service_id}")
    if appointment["status"] not in ("booked", "confirmed"):
        raise env.Error(
            f"appointment {appointment_id} is {appointment['status']}; only a booked or confirmed one can be changed"
        )
    if appointment["starts_at"] <= env.now:
        raise env.Error(f"appointment {appointment_id} has already started at {appointment['starts_at']}")
    if service["barber_id"] != appointment["barber_id"]:
        raise env.Error(f"service {service_id} is not offered by {appointment['barber_name']}")
    starts_at = appointment["starts_at"]
    ends_at = (datetime.fromisoformat(starts_at) + timedelta(minutes=service["duration_minutes"])).isoformat()
    if ends_at > appointment["half_day_ends_at"]:
        raise env.Error(
            f"{service['name']} would last until {ends_at}, but {appointment['barber_name']} works only until"
            f" {appointment['half_day_ends_at']}"
        )
    other = env.one(
        "SELECT a.starts_at, a.ends_at FROM appointments a"
        " JOIN chair_rentals r ON r.id = a.chair_rental_id"
        " WHERE r.barber_id = :barber_id AND a.id <> :id AND a.status IN ('booked', 'confirmed')"
        " AND a.starts_at < :ends_at AND a.ends_at > :starts_at"
        " ORDER BY a.starts_at, a.id LIMIT 1",
        {
            "barber_id": appointment["barber_id"],
            "id": appointment_id,
            "starts_at": starts_at,
            "ends_at": ends_at,
        },
    )
    if other is not None:
        raise env.Error(
            f"{service['name']} would last until {ends_at}, but {appointment['barber_name']} is taken from"
            f" {other['starts_at']} to {other['ends_at']}"
        )
    env.execute(
        "UPDATE appointments SET service_id = :service_id, ends_at = :ends_at, price_cents = :price_cents"
        " WHERE id = :id AND customer_id = :user_id",
        {
            "service_id": service_id,
            "ends_at": ends_at,
            "price_cents": service["price_cents"],
            "id": appointment_id,
            "user_id": env.user_id,
        },
    )
    shown = env.one(
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
    return {"appointment": shown}
